import type { HeldConversations, JoinedRequest, KeptReply, KeptTurn } from "../held.ts";
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

const noHistory: KeptHistory = { all: [], certain: [], refusals: [] };
export const refuse = (refusal: string): KeptHistory => ({ ...noHistory, refusals: [refusal] });

/** Parts that the provider keeps; with a doubt, parts that it may keep. */
export const keepParts = (parts: readonly Fields[], doubt?: string): KeptHistory => ({
  all: parts,
  certain: doubt === undefined ? parts : [],
  doubt,
  refusals: [],
});

/** Histories, one after the other. */
export const joinHistories = (histories: readonly KeptHistory[]): KeptHistory => ({
  all: histories.flatMap(({ all }) => all),
  certain: histories.flatMap(({ certain }) => certain),
  doubt: histories.find(({ doubt }) => doubt !== undefined)?.doubt,
  refusals: histories.flatMap(({ refusals }) => refusals),
});

export const withoutKeys = (fields: Fields, keys: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => !keys.includes(key)));

/** What a stream or a body says about a reply that the provider may keep. */
interface EndedReply {
  readonly id: unknown;
  readonly parts: readonly Fields[];
  /** Its end came. */
  readonly ended: boolean;
  /** What the provider calls its end, and the value. */
  readonly stop: readonly [name: string, value: unknown];
}

/** Why it is not known what the provider keeps of a reply, as far as its transfer shows. */
function doubtInTransfer(events: readonly unknown[], ended: boolean): string | undefined {
  if (!ended) return "a reply that broke off";
  // A client may end the connection at an event that it cannot read.
  if (events.includes(undefined)) return "a reply that arrived damaged";
  return events.map(fieldsOf).some((event) => (event["type"] ?? event["event_type"]) === "error")
    ? "a reply with an error in it"
    : undefined;
}

/** How a provider refers to earlier replies, and what it adds of them. */
interface HistoryRules {
  readonly vendor: string;
  /** What a reply says about itself. */
  readReply(events: readonly Fields[]): EndedReply;
  /** Replies that end so belong to the conversation, as the vendor documents. */
  readonly storedStops: ReadonlySet<unknown>;
  /** The id of the reply from which a request goes on. */
  previous(body: Fields): string | undefined;
  /** Why the provider does not go on from a reply. `turn`: absent if no reply of the run has the id. */
  refusal(id: string, turn: KeptTurn | undefined, earlier: EarlierTurns): string | undefined;
  /** The history of a request that refers to it in another way. */
  otherHistory?(body: Fields, earlier: EarlierTurns): KeptHistory | undefined;
  /** The parts of a request itself. */
  own(body: Fields, earlier: EarlierTurns): KeptHistory;
  /** What a part becomes in the history of a later request. */
  later?(part: Fields): readonly Fields[];
  /** The request with these parts, and without the reference. */
  toBody(body: Fields, parts: readonly Fields[], earlier: EarlierTurns): Fields;
}

function keepReply(
  { readReply, storedStops }: HistoryRules,
  events: readonly unknown[],
): KeptReply | undefined {
  const { id, parts, ended, stop } = readReply(events.map(fieldsOf));
  if (typeof id !== "string" || id === "") return undefined;
  const [name, value] = stop;
  const doubt =
    doubtInTransfer(events, ended) ??
    (storedStops.has(value) ? undefined : `a reply with the ${name} "${String(value)}"`);
  return { id, parts, ...(doubt !== undefined && { doubt }) };
}

/** The history to which a request adds. `undefined` if it holds its whole history. */
function historyBefore(
  rules: HistoryRules,
  body: Fields,
  earlier: EarlierTurns,
): KeptHistory | undefined {
  const other = rules.otherHistory?.(body, earlier);
  const id = rules.previous(body);
  if (other !== undefined || id === undefined) return other;
  const turn = earlier.find(({ reply }) => reply.id === id);
  const refusal = rules.refusal(id, turn, earlier);
  if (turn === undefined || refusal !== undefined) return refuse(refusal ?? "");
  const before = earlier.slice(0, earlier.indexOf(turn));
  const asked = fieldsOf(turn.body);
  const { parts, doubt } = turn.reply;
  const whole = joinHistories([
    historyBefore(rules, asked, before) ?? noHistory,
    rules.own(asked, before),
    keepParts(parts, doubt),
  ]);
  return { ...whole, refusals: [] };
}

function joinRequest(rules: HistoryRules, request: unknown, earlier: EarlierTurns): JoinedRequest {
  const body = fieldsOf(request);
  const history = historyBefore(rules, body, earlier);
  if (history === undefined) return { possible: [request], refusals: [] };
  const later = rules.later ?? ((part) => [part]);
  const { all, certain, doubt, refusals } = joinHistories([
    { ...history, all: history.all.flatMap(later), certain: history.certain.flatMap(later) },
    rules.own(body, earlier),
  ]);
  const possible = (doubt === undefined ? [all] : [all, certain]).map((parts) =>
    rules.toBody(body, parts, earlier),
  );
  return {
    possible,
    ...(doubt !== undefined && {
      doubt: `${rules.vendor} keeps the conversation, and its documents do not say what it keeps of ${doubt}`,
    }),
    refusals,
  };
}

/** How a provider keeps the histories of conversations. */
export const heldBy = (rules: HistoryRules): HeldConversations => ({
  keep: (events) => keepReply(rules, events),
  previousReply: (body) => rules.previous(fieldsOf(body)),
  join: (request, earlier) => joinRequest(rules, request, earlier),
});
