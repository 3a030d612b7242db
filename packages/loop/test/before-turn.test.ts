import { validateHistory } from "@fullstop/core";
import {
  type BeforeTurn,
  type RunEvent,
  type RunOptions,
  run,
  type TurnChanges,
  type UserMessage,
} from "@fullstop/loop";
import { mock, type Say, type Script } from "@fullstop/provider-mock";
import { expect, test } from "vitest";
import { recorder } from "./tools.ts";

const user = (content: string): UserMessage => ({ role: "user", content });
const called: Say = { calls: [{ name: "build", input: {} }] };

/** A run whose `beforeTurn` adds these messages, one list for each call of it. */
async function runWithMessages(
  script: Script,
  added: readonly (readonly UserMessage[])[],
  options: Partial<RunOptions> = {},
) {
  const model = mock(script);
  let times = 0;
  const outcome = await run({
    adapter: model,
    tools: [recorder("build")],
    prompt: "Go.",
    beforeTurn: () => ({ messages: added[times++] }),
    ...options,
  }).outcome();
  return { outcome, model, times };
}
const roles = (messages: readonly { readonly role: string }[]) => messages.map(({ role }) => role);

test("the messages of beforeTurn follow the results and precede the next request, unchanged", async () => {
  const words = [user("Use the new key."), { ...user("And hurry."), by: "loop" as const }];
  const { outcome, model, times } = await runWithMessages([called, "Done."], [[], words]);
  expect(times).toBe(2);
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

test("failed results reach onEvent, and after it beforeTurn, before the next request", async () => {
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
  const beforeTurn = () => {
    order.push("before");
    return { messages: failures.splice(0).map((failure) => user(`Mind this: ${failure}`)) };
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
    beforeTurn,
  }).outcome();
  expect(order).toEqual(["before", "request", "event", "before", "request"]);
  expect(outcome.messages[3]).toEqual(user("Mind this: build failed: no disk"));
});

test("beforeTurn is not called before a retry", async () => {
  const { outcome, times } = await runWithMessages(
    [{ stop: null }, { stop: null }, "Done."],
    [[user("First.")], [user("Never.")]],
  );
  expect(times).toBe(1);
  expect(outcome.messages).toEqual([
    user("Go."),
    user("First."),
    expect.objectContaining({ role: "assistant" }),
  ]);
});

test("a paused turn is sent back unchanged, and beforeTurn waits", async () => {
  const { model, times } = await runWithMessages(
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
  expect(times).toBe(2);
});

test("the messages of beforeTurn follow the note about a cut call", async () => {
  const cut: Say = {
    text: "I build.",
    calls: [{ name: "build", inputText: '{"a' }],
    stop: "length",
  };
  const { model } = await runWithMessages([cut, "Done."], [[], [user("In small steps.")]]);
  expect(model.requests[1]?.messages.at(-1)).toEqual(user("In small steps."));
  expect(model.requests[1]?.messages.at(-2)).toMatchObject({ role: "user", by: "loop" });
});

test("beforeTurn is not called after the end of a run", async () => {
  expect((await runWithMessages(["Done."], [])).times).toBe(1);
  const limited = await runWithMessages([called], [], { limits: { turns: 1 } });
  expect(limited.times).toBe(1);
});

test("if beforeTurn throws, the run ends and its outcome rejects with the thrown value", async () => {
  const spy = recorder("build");
  const model = mock([called, "Never."]);
  const beforeTurn = ({ turn }: Parameters<BeforeTurn>[0]) => {
    if (turn > 1) throw new Error("The queue is gone.");
    return undefined;
  };
  await expect(
    run({ adapter: model, tools: [spy], prompt: "Go.", beforeTurn }).outcome(),
  ).rejects.toThrow("The queue is gone.");
  expect(spy.ran).toHaveLength(1);
  expect(model.requests).toHaveLength(1);
});

test("beforeTurn must return messages of users", async () => {
  const said = { role: "assistant", content: [{ type: "text", text: "I was never said." }] };
  const beforeTurn = () => ({ messages: [said] }) as never;
  await expect(run({ adapter: mock([]), prompt: "Go.", beforeTurn }).outcome()).rejects.toThrow(
    "`beforeTurn` must return `messages` of users only.",
  );
});

test("beforeTurn sees the conversation and the number of the turn, and may be asynchronous", async () => {
  const seen: Parameters<BeforeTurn>[0][] = [];
  const beforeTurn = async (next: Parameters<BeforeTurn>[0]): Promise<TurnChanges | undefined> => {
    seen.push(next);
    await Promise.resolve();
    return next.turn === 1 ? undefined : { messages: [user("And hurry.")] };
  };
  const model = mock([called, { stop: null }, "Done."]);
  const tools = [recorder("build")];
  const outcome = await run({
    adapter: model,
    tools,
    prompt: "Go.",
    recovery: { maxWaitMs: 0 },
    beforeTurn,
  }).outcome();
  expect(seen.map(({ turn }) => turn)).toEqual([1, 2]);
  expect(seen.map(({ messages }) => roles(messages))).toEqual([
    ["user"],
    ["user", "assistant", "tool"],
  ]);
  expect(outcome.messages[3]).toEqual(user("And hurry."));
  expect(model.requests[2]?.messages).toEqual(outcome.messages.slice(0, 4));
});
