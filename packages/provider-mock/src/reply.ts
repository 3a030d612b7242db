import type { TurnRequest, Usage } from "@fullstop/core";
import type { ClaimedStop, TurnEvent } from "@fullstop/core/adapter";

/**
 * A call with its input as an object, or as text. Text that is not complete JSON makes a cut call.
 */
export type ScriptedCall = {
  readonly name: string;
  readonly id?: string | undefined;
  readonly asks?: "approval" | undefined;
} & ({ readonly input: object } | { readonly inputText: string });

/** One scripted reply: thinking, then text, then calls, then the stop. */
export interface Say {
  readonly thinking?: string | undefined;
  readonly text?: string | undefined;
  readonly calls?: readonly ScriptedCall[] | undefined;
  /**
   * Why the reply ends. The default is `tool-use` if there are calls, else `stop`. `null`: the
   * connection is cut before a stop reason comes.
   */
  readonly stop?: ClaimedStop | null | undefined;
  /**
   * In tokens. The default is 100 of input and 20 of output. A reply that ends with `length` uses
   * the whole cap of the request, and any other reply less than the cap.
   */
  readonly usage?: Partial<Usage> | undefined;
}

const defaultOutput = 20;

/** Like a host that reports correctly: only a reply that was cut at the cap reaches it. */
function usageOf(
  stop: Say["stop"],
  { maxTokens: cap }: Pick<TurnRequest, "maxTokens">,
): Partial<Usage> {
  const output =
    stop === "length"
      ? (cap ?? defaultOutput)
      : Math.min(defaultOutput, (cap ?? defaultOutput + 1) - 1);
  return { input: 100, output };
}

export function eventsOf(
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
  events.push(...calls.flatMap(inputEvents), {
    type: "usage",
    usage: { ...usageOf(stop, request), ...usage },
  });
  if (stop !== null) events.push({ type: "stop", native: stop, provisional: false });
  return events;
}

function inputEvents(call: ScriptedCall, key: number): readonly TurnEvent[] {
  const text = "inputText" in call ? call.inputText : JSON.stringify(call.input);
  const events: readonly TurnEvent[] = [
    { type: "tool-input-start", key, id: call.id, name: call.name, asks: call.asks },
    { type: "tool-input-delta", key, text },
  ];
  return isJson(text) ? [...events, { type: "tool-input-end", key }] : events;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
