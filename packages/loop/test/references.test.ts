import type { Adapter, ImageBlock } from "@fullstop/core";
import { run } from "@fullstop/loop";
import { mock } from "@fullstop/provider-mock";
import { expect, test } from "vitest";
import { memoryJournal } from "./memory.ts";
import { recorder, runWatched } from "./tools.ts";

const linked: ImageBlock = { type: "image", url: "https://files.example/cat.png" };
const stored: ImageBlock = { type: "image", fileId: "file_1", provider: "mock" };
const loadsNothing: Pick<Adapter, "refuseReference"> = {
  refuseReference: () => "this provider takes bytes only",
};

test("images by their URL and by their id reach the model, from a prompt and from a tool", async () => {
  const look = recorder("look", () => [linked, stored]);
  const model = mock([{ calls: [{ name: "look", input: {} }] }, "A cat."]);
  const outcome = await run({ adapter: model, tools: [look], prompt: [linked] }).outcome();
  expect(outcome).toMatchObject({ status: "done", text: "A cat." });
  expect(model.requests[1]?.messages).toMatchObject([
    { content: [linked] },
    { role: "assistant" },
    { content: [{ content: [linked, stored] }] },
  ]);
});

test("an image that the provider cannot load ends the run before a request, with a sentence about what to do", async () => {
  const model = mock(["Never."]);
  const outcome = await run({
    adapter: { ...model, ...loadsNothing },
    prompt: [linked],
  }).outcome();
  expect(outcome).toMatchObject({
    status: "failed",
    error: {
      kind: "invalid-request",
      message:
        "The image https://files.example/cat.png cannot be sent: this provider takes bytes only. You can load it, and give its bytes in base64 as `data`, with its `mediaType`.",
    },
  });
  expect(model.requests).toEqual([]);
});

test("a resumed run sends the image of a tool again, and the tool does not run again", async () => {
  const look = recorder("look", () => [linked, stored]);
  const journal = memoryJournal();
  await runWatched({
    adapter: mock([{ calls: [{ name: "look", input: {} }] }, "A cat."]),
    tools: [look],
    prompt: "Go.",
    journal: { store: journal, runId: "r" },
  });
  const killed = memoryJournal(journal.lines.filter(({ key }) => key !== "r/2/model"));
  const model = mock(["A cat."]);
  await runWatched({
    adapter: model,
    tools: [look],
    prompt: "Go.",
    journal: { store: killed, runId: "r" },
  });
  expect(model.requests[0]?.messages.at(-1)).toMatchObject({
    content: [{ content: [linked, stored] }],
  });
  expect(look.ran).toHaveLength(1);
});
