import { type Adapter, type Message, readTurn, type ToolSpec, type Turn } from "@fullstop/core";
import type { TurnEvent } from "@fullstop/core/adapter";

/** The tool of every request. */
export const write: ToolSpec = {
  name: "write",
  description: "Writes a file.",
  inputSchema: {
    type: "object",
    properties: { path: { type: "string" }, text: { type: "string" } },
    required: ["path", "text"],
    additionalProperties: false,
  },
};

export interface Asked {
  readonly messages: readonly Message[];
  readonly maxTokens: number;
  /** Whether a call is required, which is the default. */
  readonly toolChoice?: "auto" | "required" | undefined;
}

export interface SeenCall {
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly text: string;
  readonly pieces: number;
  /** `{}` came before the input. */
  readonly placeholder: boolean;
}

/** One reply: the verdict of the gate, and what the host sent. */
export interface Answer {
  readonly asked: Asked;
  readonly turn: Turn;
  /** The provider's own events. */
  readonly natives: readonly unknown[];
  readonly calls: readonly SeenCall[];
  readonly output: number | undefined;
  /** The count came after the last content. */
  readonly countedLast: boolean;
  /** The host's word for the end. The mere end of a reply is not a word. */
  readonly word: string | undefined;
}

export async function ask(adapter: Adapter, asked: Asked, signal?: AbortSignal): Promise<Answer> {
  const natives: unknown[] = [];
  const { messages, maxTokens, toolChoice = "required" } = asked;
  const turn = await readTurn(
    adapter,
    { messages, tools: [write], toolChoice, maxTokens },
    { signal, onNatives: (batch) => void natives.push(...batch) },
  );
  return { asked, turn, natives, ...readEvents(eventsOf(adapter, natives), turn) };
}

/** What the decoder reads in a reply. A reply that contradicts itself ends there. */
function eventsOf(adapter: Adapter, natives: readonly unknown[]): readonly TurnEvent[] {
  const events: TurnEvent[] = [];
  try {
    const decode = adapter.decoder((event) => events.push(event));
    for (const native of natives) decode(native);
  } catch {
    // The gate has read the same, and the turn has its error.
  }
  return events;
}

type Read = Pick<Answer, "calls" | "output" | "countedLast" | "word">;

function readEvents(events: readonly TurnEvent[], { native }: Turn): Read {
  const starts = events.filter((event) => event.type === "tool-input-start" && !event.echo);
  const keys = [...new Set(starts.map((event) => ("key" in event ? event.key : undefined)))];
  const counts = events.flatMap((event, at) =>
    event.type === "usage" && (event.usage.output ?? 0) > 0
      ? [{ at, output: event.usage.output ?? 0 }]
      : [],
  );
  const lastContent = events.findLastIndex(
    ({ type }) => type === "text" || type === "thinking" || type === "tool-input-delta",
  );
  return {
    calls: keys.map((key) => callOf(events.filter((event) => "key" in event && event.key === key))),
    output: counts.length === 0 ? undefined : Math.max(...counts.map(({ output }) => output)),
    word: events.some((event) => event.type === "stop" && event.implied) ? undefined : native?.stop,
    countedLast: (counts.at(-1)?.at ?? -1) > lastContent,
  };
}

function callOf(events: readonly TurnEvent[]): SeenCall {
  const pieces = events.flatMap((one) => (one.type === "tool-input-delta" ? [one.text] : []));
  const ends = events.flatMap((one) => (one.type === "tool-input-end" ? [one.text] : []));
  const starts = events.filter((one) => one.type === "tool-input-start");
  return {
    id: starts.find(({ id }) => id !== undefined)?.id,
    name: starts.find(({ name }) => name !== undefined)?.name,
    text: ends.find((text) => text !== undefined) ?? pieces.join(""),
    pieces: Math.max(pieces.length, 1),
    placeholder: pieces.length > 1 && pieces[0] === "{}",
  };
}

/** The history after a turn: with the results of its calls, or with the loop's note. */
export function after(messages: readonly Message[], { message, calls }: Turn): readonly Message[] {
  const history = message === undefined ? messages : [...messages, message];
  if (calls.length === 0)
    return [...history, { role: "user", content: "Your reply was cut off. Write less." }];
  const content = calls.map(({ id, name }) => ({
    type: "tool-result" as const,
    id,
    name,
    content: "Written.",
  }));
  return [...history, { role: "tool", content }];
}

/** Why the host refused a request; `undefined` if it answered. */
export const refusalOf = (turn: Turn): string | undefined =>
  turn.stopReason === "error" && "error" in turn ? turn.error.message : undefined;

/** Sorted: some servers parse inputs, and write their properties in any order. */
export const textOf = (inputs: readonly unknown[]): string =>
  JSON.stringify(inputs, (_, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([one], [two]) => (one < two ? -1 : 1)))
      : value,
  );
