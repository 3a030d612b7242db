import type { Message, ToolResultBlock, Turn, TurnRequest } from "@fullstop/core";
import { utf8 } from "./bytes.ts";
import { type Check, withBytes } from "./check.ts";
import type { Harness } from "./harness.ts";
import { tryParseJson } from "./json.ts";

const toolResult = (id: string, name: string, index: number): ToolResultBlock => ({
  type: "tool-result",
  id,
  name,
  content: `Result ${index} of ${name}.`,
});

/** The history with the turn in it, and with a result for every call. */
export function withResults(messages: readonly Message[], turn: Turn): readonly Message[] {
  const reply = turn.message === undefined ? [] : [turn.message];
  if (turn.calls.length === 0) return [...messages, ...reply];
  const results = turn.calls.map(({ id, name }, index) => toolResult(id, name, index));
  return [...messages, ...reply, { role: "tool", content: results }];
}

/** The messages of the request after a turn: its results, or the next message of the user. A turn that paused on the server goes back as it is. */
export function nextMessages(messages: readonly Message[], turn: Turn): readonly Message[] {
  const history = withResults(messages, turn);
  const pausedOnServer =
    turn.stopReason === "pause" && turn.message?.content.some(({ type }) => type === "native");
  return turn.calls.length > 0 || pausedOnServer
    ? history
    : [...history, { role: "user", content: "Go on." }];
}

/** Sends a request, and returns its body as the server received it. */
export async function sentBody(harness: Harness, request: Partial<TurnRequest>): Promise<string> {
  await harness.ask(new Uint8Array(0), { request });
  return harness.host.received()?.body ?? "";
}

/** Sends the history, and checks the request against the vendor's rules. */
export async function checkRequest(
  harness: Harness,
  at: string,
  messages: readonly Message[],
): Promise<Check> {
  const body = await sentBody(harness, { messages });
  const violations = harness.wire.violations(tryParseJson(body));
  const actual = violations.length === 0 ? "no violation" : violations.join("\n");
  return withBytes({ at, expected: "no violation", actual }, utf8(body));
}
