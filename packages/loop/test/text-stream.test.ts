import { ReadableStream } from "node:stream/web";
import { type Adapter, run, UnfinishedRun } from "@fullstop/loop";
import { mock } from "@fullstop/provider-mock";
import { expect, test } from "vitest";
import { recorder } from "./tools.ts";

const prompt = "Do I need a coat in Oslo?";

test("textStream gives the text that stays, and turns are apart by a blank line", async () => {
  const model = mock([
    { text: "I look.", calls: [{ name: "weather", input: {} }], stop: "length" },
    { text: "I look.", calls: [{ name: "weather", input: {} }] },
    { text: "It is ", stop: "length" },
    "cold.",
  ]);
  const request = { maxTokens: 100 };
  const { textStream } = run({ adapter: model, tools: [recorder("weather")], prompt, request });
  const texts: string[] = [];
  for await (const text of textStream) texts.push(text);
  expect(texts).toEqual(["I look.", "\n\nIt is ", "cold."]);
});

test("textStream ends with an error if the run did not finish, after the text that came", async () => {
  const model = mock([{ text: "I cannot", stop: "refusal" }]);
  const texts: string[] = [];
  const read = async () => {
    for await (const text of run({ adapter: model, prompt }).textStream) texts.push(text);
  };
  await expect(read()).rejects.toBeInstanceOf(UnfinishedRun);
  expect(texts).toEqual(["I cannot"]);
});

test("leaving textStream aborts the run at once, also while the first reply arrives", async () => {
  const opened = Promise.withResolvers<AbortSignal>();
  const model = mock(["Never."]);
  const adapter: Adapter = {
    ...model,
    open: (_request, signal) => {
      opened.resolve(signal);
      return new Promise(() => {});
    },
  };
  const started = run({ adapter, prompt });
  const reader = ReadableStream.from(started.textStream).getReader();
  const read = reader.read().catch(() => undefined);
  const signal = await opened.promise;
  await Promise.all([reader.cancel(), read]);
  expect(signal.aborted).toBe(true);
  expect(await started.outcome()).toMatchObject({ status: "aborted" });
});
