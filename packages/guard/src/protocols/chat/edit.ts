import { type Fields, fieldsOf, isFields } from "@fullstop/core/adapter";
import { type Edit, eventText, type GrantedCall, type ReplyFrame } from "../protocol.ts";
import { callEntry, legacyCall, nativesOf, readChatReply } from "./calls.ts";
import {
  choicesOf,
  hasCalls,
  hasContent,
  hasEnding,
  holders,
  isSaid,
  type PlacedChoice,
  withoutCalls,
  withoutSigned,
} from "./choice.ts";
import { reasonOf, withoutCallReason, withReason } from "./ending.ts";

export interface SeenChunks {
  head: Fields | undefined;
  opening: unknown;
  /** How many chunks have each choice, by its index. */
  readonly chunks: Map<unknown, number>;
  /** The choices that repeat their deltas as a whole message. */
  readonly repeated: WeakSet<Fields>;
}

interface Plan {
  /** No call goes out, so no signed reasoning behind the first one may. */
  readonly isWithheld: boolean;
  readonly reason: string | undefined;
  /** The indices of further choices that lose their calls. */
  readonly losing: ReadonlySet<unknown>;
  /** The indices of those that are left out: they have only calls, and nothing of them went out. */
  readonly dropped: ReadonlySet<unknown>;
  /** The first chunk with a role. It stays, also without content. */
  readonly opening: unknown;
  readonly repeated: SeenChunks["repeated"];
}

/** All granted calls go into the first choice, where every client looks for them. */
export function editChatStream(held: readonly ReplyFrame[], edit: Edit, seen: SeenChunks): string {
  const natives = nativesOf(held);
  const isLegacy = edit.calls.length === 1 && readChatReply(natives, "stream").isLegacy;
  const reason = reasonOf(edit, isLegacy);
  const plan = { ...planOf(natives, reason, seen), isWithheld: edit.calls.length === 0 };
  const deltas = addedDeltas(edit, isLegacy);
  const added = deltas.map((delta) => chunkText(seen, delta)).join("");
  const textOf = (frames: readonly ReplyFrame[]): string =>
    frames.map((frame) => frameText(frame, plan)).join("");
  const at = natives.findIndex((native) => choicesOf(native).some(endsMain));
  const end = held[at];
  if (end !== undefined)
    return textOf(held.slice(0, at)) + endText(end, added, plan) + textOf(held.slice(at + 1));
  const last = natives.findLastIndex((native) => choicesOf(native).length > 0) + 1;
  const hasEnd = reason === undefined || natives.some(isError);
  const newEnd = hasEnd ? "" : chunkText(seen, {}, reason);
  return textOf(held.slice(0, last)) + added + newEnd + textOf(held.slice(last));
}

const endsMain = ({ choice, isMain }: PlacedChoice): boolean => isMain && hasEnding(choice);

const isError = (native: unknown): boolean => isSaid(fieldsOf(native)["error"]);

const chunkText = ({ head }: SeenChunks, delta: Fields, reason: string | null = null): string =>
  eventText({ ...head, choices: [{ index: 0, delta, finish_reason: reason }] });

function planOf(
  natives: readonly unknown[],
  reason: string | undefined,
  seen: SeenChunks,
): Omit<Plan, "isWithheld"> {
  const others = natives.flatMap(choicesOf).filter(({ isMain }) => !isMain);
  const losing = new Set(others.filter(({ choice }) => hasCalls(choice)).map(({ index }) => index));
  const speaking = new Set(
    others.filter(({ choice }) => hasContent(choice)).map(({ index }) => index),
  );
  const counts = new Map<unknown, number>();
  for (const { index } of others) counts.set(index, (counts.get(index) ?? 0) + 1);
  const isDropped = (index: unknown): boolean =>
    counts.get(index) === seen.chunks.get(index) && !speaking.has(index);
  return {
    reason,
    losing,
    dropped: new Set([...losing].filter(isDropped)),
    opening: seen.opening,
    repeated: seen.repeated,
  };
}

function frameText({ raw, native }: ReplyFrame, plan: Plan): string {
  const event = editEvent(native, plan);
  if (event === native) return raw;
  return event === undefined ? "" : eventText(event);
}

/** The chunk without calls. The same value if it has none; `undefined` if nothing is left. */
function editEvent(native: unknown, plan: Plan): unknown {
  const event = fieldsOf(native);
  const stays = native === plan.opening || hasUsage(event);
  const placed = choicesOf(native);
  const choices = placed
    .filter(({ index }) => !plan.dropped.has(index))
    .map((one) => ({ before: one.choice, choice: editChoice(one, plan) }))
    .filter(({ before, choice }) => choice === before || stays || saysSomething(choice));
  if (choices.length === placed.length && choices.every(({ before, choice }) => choice === before))
    return native;
  if (choices.length === 0 && !hasUsage(event)) return undefined;
  return { ...event, choices: choices.map(({ choice }) => choice) };
}

function editChoice(placed: PlacedChoice, plan: Plan): Fields {
  const { choice, index, isMain } = placed;
  const { reason, losing, repeated, isWithheld } = plan;
  const bare = repeated.has(choice) ? withoutMessage(choice) : withoutCalls(choice);
  const changed = isMain && isWithheld ? withoutSignedParts(bare) : bare;
  if (isMain && reason !== undefined) return withReason(changed, reason);
  return isMain || losing.has(index) ? withoutCallReason(changed) : changed;
}

function withoutSignedParts(choice: Fields): Fields {
  const changes = holders.flatMap((name) => {
    const message = choice[name];
    const changed = isFields(message) ? withoutSigned(message) : message;
    return changed === message ? [] : [[name, changed]];
  });
  return changes.length === 0 ? choice : { ...choice, ...Object.fromEntries(changes) };
}

/** Usage is at the top level, in `x_groq` (Groq), or in the choice (Kimi). */
const hasUsage = ({ usage, x_groq: groq }: Fields): boolean => isSaid(usage) || isSaid(groq);
const saysSomething = (choice: Fields): boolean =>
  hasContent(choice) || hasEnding(choice) || isSaid(choice["usage"]) || isSaid(choice["error"]);

/** The chunk that ends the first choice. What is added stands between its content and its end. */
function endText(frame: ReplyFrame, added: string, plan: Plan): string {
  const event = fieldsOf(editEvent(frame.native, plan));
  const placed = choicesOf(event);
  // What is added are deltas, and a whole message comes before its deltas.
  const isSplit = placed.some(
    ({ choice, isMain }) => isMain && (hasContent(choice) || isSaid(choice["message"])),
  );
  if (added === "" || !isSplit) return added + frameText(frame, plan);
  const { usage: _, x_groq: __, ...head } = event;
  const content = placed.map(({ choice, isMain }) => (isMain ? withoutEnding(choice) : choice));
  const end = placed.filter(({ isMain }) => isMain).map(({ choice }) => withoutMessage(choice));
  return eventText({ ...head, choices: content }) + added + eventText({ ...event, choices: end });
}

const withoutEnding = (choice: Fields): Fields => ({
  ...choice,
  finish_reason: null,
  ...("native_finish_reason" in choice && { native_finish_reason: null }),
});
const withoutMessage = ({ message: _, ...choice }: Fields): Fields => ({ ...choice, delta: {} });

const addedDeltas = ({ calls, note }: Edit, isLegacy: boolean): readonly Fields[] => [
  ...(note === undefined ? [] : [{ content: note }]),
  ...calls.flatMap((call, index) =>
    isLegacy ? [{ function_call: legacyCall(call) }] : callDeltas(call, index),
  ),
];

/** A call as the API sends it: first its id and its name, then its input. */
function callDeltas(call: GrantedCall, index: number): readonly Fields[] {
  const { function: whole, custom, ...entry } = callEntry(call);
  const kind = custom === undefined ? "function" : "custom";
  const input = custom === undefined ? "arguments" : "input";
  const members = fieldsOf(custom ?? whole);
  return [
    { ...entry, [kind]: { ...members, [input]: "" } },
    { [kind]: { [input]: members[input] } },
  ].map((part) => ({ tool_calls: [{ index, ...part }] }));
}
