import { type RunEvent, run, type ToolOutput } from "@fullstop/loop";
import { mock } from "@fullstop/provider-mock";
import { expect, test } from "vitest";
import { recorder } from "./tools.ts";

const forged = { path: "/" };
const calls = [
  { name: "remove", input: { path: "a.log", more: { keep: ["b.log"] } } },
  { name: "list", input: {} },
];

/** A run that is watched by somebody who writes into what is shown. */
async function runWithObserver(onEvent: (event: RunEvent) => unknown) {
  const remove = recorder("remove", () => ({ removed: 1 }));
  const list = recorder(
    "list",
    (): ToolOutput => ({ content: [{ type: "text", text: "b.log" }], isError: true }),
  );
  const model = mock([{ text: "I clean up.", calls }, "Done."]);
  const outcome = await run({
    adapter: model,
    tools: [remove, list],
    prompt: "Clean up.",
    onEvent: onEvent as () => void,
  }).outcome();
  return { outcome, ran: remove.ran, sent: model.requests[1]?.messages };
}
/** What is shown, without the types that forbid to write. */
const objectsIn = (event: RunEvent) =>
  event as never as Record<string, Record<string, Record<number, Record<string, unknown>>>>;

const fault = (): never => {
  throw new Error("no");
};
const attacks: readonly (readonly [string, (event: RunEvent) => unknown])[] = [
  [
    "puts a call of its own into a turn",
    (event) =>
      event.type === "turn" &&
      Object.assign(event.turn.calls, { 0: { ...event.turn.calls[0], input: forged } }),
  ],
  [
    "gives a turn other calls",
    (event) =>
      event.type === "turn" &&
      Object.assign(event.turn, { calls: [{ id: "1", name: "remove", input: forged }] }),
  ],
  [
    "writes into the input of a call",
    (event) => event.type === "turn" && Object.assign(event.turn.calls[0]?.input ?? {}, forged),
  ],
  [
    "writes deep into the input of a call",
    (event) =>
      event.type === "tool-call" &&
      Object.assign((event.call.input["more"] as { keep: object }).keep, { 0: "/" }),
  ],
  [
    "renames a call",
    (event) => event.type === "tool-call" && Object.assign(event.call, { name: "list" }),
  ],
  [
    "empties the message of a turn",
    (event) =>
      event.type === "turn" && Object.assign(event.turn.message?.content ?? [], { length: 0 }),
  ],
  [
    "takes the message of a turn away",
    (event) => event.type === "turn" && delete objectsIn(event)["turn"]?.["message"],
  ],
  [
    "changes a result",
    (event) =>
      event.type === "tool-result" && Object.assign(event.result, { content: "It worked." }),
  ],
  [
    "changes a block of a result",
    (event) =>
      event.type === "tool-result" &&
      Object.assign(event.result.content[0] as object, { text: "It worked." }),
  ],
  ["gives a promise that cannot be looked at", () => new Proxy({}, { get: fault })],
];
test.each(attacks)(
  "an observer that %s cannot change what runs or what is sent, and the outcome has its error",
  async (_, attack) => {
    const quiet = await runWithObserver(() => undefined);
    const { outcome, ran, sent } = await runWithObserver(attack);
    expect(ran).toEqual(quiet.ran);
    expect(sent).toEqual(quiet.sent);
    expect(outcome).toMatchObject({
      status: "done",
      text: "Done.",
      observerError: expect.any(Error),
    });
    expect(outcome.messages).toEqual(quiet.outcome.messages);
  },
);

test("approve cannot change the input of a call", async () => {
  const remove = recorder("remove");
  const approve = (call: { readonly input: object }): boolean => {
    expect(() => Object.assign(call.input, forged)).toThrow(TypeError);
    expect(() => Object.assign(call, { input: forged })).toThrow(TypeError);
    return true;
  };
  await run({
    adapter: mock([{ calls: calls.slice(0, 1) }, "Done."]),
    tools: [remove],
    prompt: "Go.",
    approve,
  }).outcome();
  expect(remove.ran).toEqual([calls[0]?.input]);
});
