import type { JoinedRequest, KeptReply, KeptTurn } from "../held.ts";
import { type Fields, fieldsOf } from "./shared.ts";

/** The answered requests before one, in their order. */
export type EarlierTurns = readonly KeptTurn[];

/** Parts of a conversation that the provider keeps. */
export interface KeptHistory {
  /** With everything that it may keep. */
  readonly all: readonly Fields[];
  /** With what it certainly keeps. */
  readonly certain: readonly Fields[];
  /** Why the two differ: what is not known to be kept, as a noun phrase. */
  readonly doubt?: string | undefined;
  /** Why the provider refuses the request that refers to it. */
  readonly refusals: readonly string[];
}

export const noHistory: KeptHistory = { all: [], certain: [], refusals: [] };

export const refuse = (refusal: string): KeptHistory => ({ ...noHistory, refusals: [refusal] });

/** Parts that the provider keeps; with a doubt, parts that it may keep. */
export const keepParts = (parts: readonly Fields[], doubt?: string): KeptHistory => ({
  all: parts,
  certain: doubt === undefined ? parts : [],
  doubt,
  refusals: [],
});

export const keptPartsOf = ({ parts, doubt }: KeptReply): KeptHistory => keepParts(parts, doubt);

/** Two histories, one after the other. */
export const append = (first: KeptHistory, second: KeptHistory): KeptHistory => ({
  all: [...first.all, ...second.all],
  certain: [...first.certain, ...second.certain],
  doubt: first.doubt ?? second.doubt,
  refusals: [...first.refusals, ...second.refusals],
});

export const withoutKeys = (fields: Fields, keys: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => !keys.includes(key)));

/** The request with its whole history. `toBody` makes a body of the parts. */
export function toJoinedRequest(
  vendor: string,
  { all, certain, doubt, refusals }: KeptHistory,
  toBody: (parts: readonly Fields[]) => Fields,
): JoinedRequest {
  if (doubt === undefined) return { possible: [toBody(all)], refusals };
  return {
    possible: [toBody(all), toBody(certain)],
    doubt: `${vendor} keeps the conversation, and its documents do not say what it keeps of ${doubt}`,
    refusals,
  };
}

/** Why it is not known what the provider keeps of a reply, as far as its transfer shows. */
export function doubtInTransfer(events: readonly unknown[], ended: boolean): string | undefined {
  if (!ended) return "a reply that broke off";
  // A client may end the connection at an event that it cannot read.
  if (events.includes(undefined)) return "a reply that arrived damaged";
  return events.map(fieldsOf).some((event) => (event["type"] ?? event["event_type"]) === "error")
    ? "a reply with an error in it"
    : undefined;
}
