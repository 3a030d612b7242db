import type { Message, ToolResultBlock, Turn, TurnRequest } from "@fullstop/core";
import { parseJson, utf8 } from "./bytes.ts";
import type { Check } from "../clause.ts";
import { withBytes, type Harness } from "./harness.ts";

const toolResult = (id: string, name: string, n: number): ToolResultBlock => ({
  type: "tool-result",
  id,
  name,
  content: `Result ${n} of ${name}.`,
});

/** The history with the turn in it, every call answered. */
export function withResults(messages: readonly Message[], turn: Turn): readonly Message[] {
  const said = turn.message === undefined ? [] : [turn.message];
  if (turn.calls.length === 0) return [...messages, ...said];
  return [
    ...messages,
    ...said,
    { role: "tool", content: turn.calls.map(({ id, name }, n) => toolResult(id, name, n)) },
  ];
}

/** What is sent after a turn: its results, or the next word of a person. A paused turn goes back as it is. */
export function nextMessages(messages: readonly Message[], turn: Turn): readonly Message[] {
  const history = withResults(messages, turn);
  const pausedOnServer =
    turn.stopReason === "pause" && turn.message?.content.some(({ type }) => type === "native");
  return turn.calls.length > 0 || pausedOnServer
    ? history
    : [...history, { role: "user", content: "Go on." }];
}

const listViolations = (violations: readonly string[]): string =>
  violations.length === 0 ? "no violation" : violations.join("\n");

/** Sends a request; what the server side got of it. */
export async function sentBody(harness: Harness, request: Partial<TurnRequest>): Promise<string> {
  await harness.ask(new Uint8Array(0), { request });
  return harness.host.received()?.body ?? "";
}

/** Sends the history, and holds the request against the vendor's rules. */
export async function checkRequest(
  harness: Harness,
  at: string,
  messages: readonly Message[],
): Promise<Check> {
  const body = await sentBody(harness, { messages });
  return withBytes(
    {
      at,
      expected: "no violation",
      actual: listViolations(harness.wire.violations(parseJson(body))),
    },
    utf8(body),
  );
}

/** Every value inside a JSON value, itself included. */
export function* parts(value: unknown): Generator<unknown> {
  yield value;
  if (typeof value === "object" && value !== null)
    for (const inner of Object.values(value)) yield* parts(inner);
}

/** The same JSON value, whatever the order of its members. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null)
    return Object.is(a, b);
  const keys = Object.keys(a);
  if (Array.isArray(a) !== Array.isArray(b) || keys.length !== Object.keys(b).length) return false;
  return keys.every(
    (key) =>
      Object.hasOwn(b, key) &&
      sameJson((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]),
  );
}
