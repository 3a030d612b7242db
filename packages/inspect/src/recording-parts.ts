import type { RecordedEvent } from "./recording.ts";

export interface Part {
  /** `[number, value]` where it comes first, and its number in all other places. */
  readonly shared?: true;
  /** A list that mostly begins as the one before it: `{ after, more }`. */
  readonly list?: true;
  /** The parts of its members. A member that is missing here is plain. */
  readonly members?: Readonly<Record<string, Part>>;
  readonly each?: Part;
}

const plainShared: Part = { shared: true };
const message: Part = { shared: true, members: { content: { each: plainShared } } };
const messages: Part = { list: true, each: message };
const turn: Part = { shared: true, members: { message, calls: { each: plainShared } } };
const ofCall: Part = { members: { call: plainShared, result: plainShared } };
const request: Part = {
  members: {
    messages,
    tools: { each: plainShared },
    system: plainShared,
    output: plainShared,
  },
};

/** Else a reply would be written as the turn, in each later request, and in the outcome. */
const parts: Readonly<Record<RecordedEvent["type"], Part>> = {
  request: {},
  prompt: { members: { request } },
  "first-byte": {},
  text: {},
  thinking: {},
  "tool-input-start": {},
  "tool-input-delta": {},
  "tool-input-end": {},
  chunk: {},
  turn: { members: { turn } },
  recovery: {},
  approval: {},
  settlement: {},
  input: {},
  "tool-call": ofCall,
  "tool-progress": ofCall,
  "tool-result": ofCall,
  output: {},
  end: { members: { outcome: { members: { messages, turn } } } },
};

/** The parts of events, by their types. A newer release may have other types. */
export const eventParts: ReadonlyMap<unknown, Part> = new Map(Object.entries(parts));

export const placeOf = (runId: string, path: readonly string[]): string =>
  JSON.stringify([runId, ...path]);
