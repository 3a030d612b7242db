import type { TurnRequest, Usage } from "@fullstop/core";
import type { ClaimedStop, TurnEvent } from "@fullstop/core/adapter";

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
  /** In tokens; without it 100 in and 20 out. A reply that ends with `length` uses the whole cap that was sent, any other less than the cap. */
  readonly usage?: Partial<Usage> | undefined;
}

const usual = 20;

/** A host that reports its usage honestly: a cap is reached by a reply that was cut at it, and by no other. */
function usageOf(
  stop: Say["stop"],
  { maxTokens: cap }: Pick<TurnRequest, "maxTokens">,
): Partial<Usage> {
  const output = stop === "length" ? (cap ?? usual) : Math.min(usual, (cap ?? usual + 1) - 1);
  return { input: 100, output };
}

/** A reply as the events of the mock's protocol, which are turn events. */
export function reply(
  step: string | Say,
  request: Pick<TurnRequest, "maxTokens">,
): readonly TurnEvent[] {
  const {
    thinking,
    text,
    calls = [],
    usage,
    stop = calls.length > 0 ? "tool-use" : "stop",
  } = typeof step === "string" ? { text: step } : step;
  const events: TurnEvent[] = [];
  if (thinking !== undefined)
    events.push({ type: "thinking", text: thinking }, { type: "provider-data", data: "mock" });
  if (text !== undefined) events.push({ type: "text", text });
  events.push(...calls.flatMap(input), {
    type: "usage",
    usage: { ...usageOf(stop, request), ...usage },
  });
  if (stop !== null) events.push({ type: "stop", native: stop, provisional: false });
  return events;
}

function input(call: ScriptedCall, key: number): readonly TurnEvent[] {
  const text = "inputText" in call ? call.inputText : JSON.stringify(call.input);
  const events: readonly TurnEvent[] = [
    { type: "tool-input-start", key, id: call.id, name: call.name },
    { type: "tool-input-delta", key, text },
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
