import { validateHistory } from "@fullstop/core";
import { type RunEvent, type RunOptions, run, type UserMessage } from "@fullstop/loop";
import { mock, type Say, type Script } from "@fullstop/provider-mock";
import { expect, test } from "vitest";
import { recorder } from "./tools.ts";

const user = (content: string): UserMessage => ({ role: "user", content });
const called: Say = { calls: [{ name: "build", input: {} }] };

/** A run whose `steer` gives these, one list each time it is asked. */
async function runSteered(
  script: Script,
  said: readonly (readonly UserMessage[])[],
  options: Partial<RunOptions> = {},
) {
  const model = mock(script);
  let asked = 0;
  const steer = () => said[asked++] ?? [];
  const outcome = await run({
    adapter: model,
    tools: [recorder("build")],
    prompt: "Go.",
    beforeTurn: STEER(steer),
    ...options,
  }).outcome();
  return { outcome, model, asked: () => asked };
}
const roles = (messages: readonly { readonly role: string }[]) => messages.map(({ role }) => role);

test("steering messages follow the results and precede the next request, unchanged", async () => {
  const words = [user("Use the new key."), { ...user("And hurry."), by: "loop" as const }];
  const { outcome, model, asked } = await runSteered([called, "Done."], [[], words]);
  expect(asked()).toBe(2);
  expect(roles(outcome.messages)).toEqual([
    "user",
    "assistant",
    "tool",
    "user",
    "user",
    "assistant",
  ]);
  expect(outcome.messages.slice(3, 5)).toEqual(words);
  expect(model.requests[1]?.messages).toEqual(outcome.messages.slice(0, 5));
  expect(validateHistory(outcome.messages)).toEqual([]);
});

test("failed results reach onEvent, and after it steer, before the next request", async () => {
  const order: string[] = [];
  const build = recorder("build", () => {
    throw new Error("no disk");
  });
  const failures: string[] = [];
  const onEvent = (event: RunEvent) => {
    if (event.type !== "tool-result" || !event.result.isError) return;
    order.push("event");
    failures.push(String(event.result.content));
  };
  const steer = () => {
    order.push("steer");
    return failures.splice(0).map((failure) => user(`Mind this: ${failure}`));
  };
  const answer = () => {
    order.push("request");
    return order.length > 3 ? "Done." : called;
  };
  const outcome = await run({
    adapter: mock([answer, answer]),
    tools: [build],
    prompt: "Go.",
    onEvent,
    beforeTurn: STEER(steer),
  }).outcome();
  expect(order).toEqual(["steer", "request", "event", "steer", "request"]);
  expect(outcome.messages[3]).toEqual(user("Mind this: build failed: no disk"));
});

test("steer is not called before a retry", async () => {
  const { outcome, asked } = await runSteered(
    [{ stop: null }, { stop: null }, "Done."],
    [[user("First.")], [user("Never.")]],
  );
  expect(asked()).toBe(1);
  expect(outcome.messages).toEqual([
    user("Go."),
    user("First."),
    expect.objectContaining({ role: "assistant" }),
  ]);
});

test("a paused turn is sent back unchanged, and steering waits", async () => {
  const { model, asked } = await runSteered(
    [{ text: "Searching.", stop: "pause" }, called, "Done."],
    [[], [user("Stop searching.")]],
  );
  expect(roles(model.requests[1]?.messages ?? [])).toEqual(["user", "assistant"]);
  expect(roles(model.requests[2]?.messages ?? [])).toEqual([
    "user",
    "assistant",
    "assistant",
    "tool",
    "user",
  ]);
  expect(asked()).toBe(2);
});

test("steering messages follow the note about a cut call", async () => {
  const cut: Say = {
    text: "I build.",
    calls: [{ name: "build", inputText: '{"a' }],
    stop: "length",
  };
  const { model } = await runSteered([cut, "Done."], [[], [user("In small steps.")]]);
  expect(model.requests[1]?.messages.at(-1)).toEqual(user("In small steps."));
  expect(model.requests[1]?.messages.at(-2)).toMatchObject({ role: "user", by: "loop" });
});

test("steer is not called after the end of a run", async () => {
  expect((await runSteered(["Done."], [])).asked()).toBe(1);
  const limited = await runSteered([called], [], { limits: { turns: 1 } });
  expect(limited.asked()).toBe(1);
});

test("if steer throws, the run ends and its outcome rejects with the thrown value", async () => {
  const spy = recorder("build");
  const model = mock([called, "Never."]);
  let asked = 0;
  const steer = () => {
    if (asked++ > 0) throw new Error("The queue is gone.");
    return [];
  };
  await expect(
    run({ adapter: model, tools: [spy], prompt: "Go.", beforeTurn: STEER(steer) }).outcome(),
  ).rejects.toThrow("The queue is gone.");
  expect(spy.ran).toHaveLength(1);
  expect(model.requests).toHaveLength(1);
});

test("steer must return user messages", async () => {
  const steer = () =>
    [{ role: "assistant", content: [{ type: "text", text: "I was never said." }] }] as never;
  await expect(
    run({ adapter: mock([]), prompt: "Go.", beforeTurn: STEER(steer) }).outcome(),
  ).rejects.toThrow("`steer` must return user messages only.");
});
