import type { ClaimedStop, TurnEvent, Usage } from "@fullstop/core";

/** An input as an object, or as the text that arrived of it: text that is not whole JSON is a call that was cut. */
export type ScriptedCall = { readonly name: string; readonly id?: string | undefined } & (
  | { readonly input: object }
  | { readonly inputText: string }
);

/** One scripted reply: thinking, then text, then calls, then the stop. */
export interface Say {
  readonly thinking?: string | undefined;
  readonly text?: string | undefined;
  readonly calls?: readonly ScriptedCall[] | undefined;
  /** Why it ends; without it `tool-use` where there are calls, else `stop`. `null`: the connection drops, and no word comes. */
  readonly stop?: ClaimedStop | null | undefined;
  /** In tokens; without it 100 in and 20 out. */
  readonly usage?: Partial<Usage> | undefined;
}

const defaultUsage: Partial<Usage> = { input: 100, output: 20 };

/** A reply as the events of the mock's protocol, which are turn events. */
export function reply(step: string | Say): readonly TurnEvent[] {
  const {
    thinking,
    text,
    calls = [],
    usage,
    stop = calls.length > 0 ? "tool-use" : "stop",
  } = typeof step === "string" ? { text: step } : step;
  const events: TurnEvent[] = [];
  if (thinking !== undefined) events.push({ type: "thinking", text: thinking }, { type: "seal", data: "mock" });
  if (text !== undefined) events.push({ type: "text", text });
  events.push(...calls.flatMap(input), { type: "usage", usage: { ...defaultUsage, ...usage } });
  if (stop !== null) events.push({ type: "stop", native: stop, provisional: false });
  return events;
}

function input(call: ScriptedCall, key: number): readonly TurnEvent[] {
  const text = "inputText" in call ? call.inputText : JSON.stringify(call.input);
  const events: readonly TurnEvent[] = [
    { type: "tool-input-start", key, id: call.id, name: call.name },
    { type: "tool-input", key, text },
  ];
  return isWhole(text) ? [...events, { type: "tool-input-end", key }] : events;
}

function isWhole(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
