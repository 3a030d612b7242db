import {
  count,
  type Fields,
  isListOrNone,
  isNullish,
  isObject,
  list,
  members,
  said,
  text,
} from "../json.ts";
import { blur, createNotes, doubt, factsOf, flaw, type Notes, noteDamage } from "../notes.ts";
import type { Meaning, Reading } from "../reading.ts";
import { done, type Received } from "../received.ts";
import { settle } from "../settle.ts";
import { createEntries, type Entries, type Entry, type State, type Where } from "./entries.ts";
import { callOf, textOf } from "./statements.ts";
import { meaningOf } from "./words.ts";

/** Follows https://platform.openai.com/docs/api-reference/responses-streaming, and doubts what it does not allow. */
export function read(received: Received): Reading {
  const state: State = { notes: createNotes(), entries: createEntries(), begun: 0, ended: false };
  const { notes } = state;
  for (const event of received.events) {
    if (event === done) continue;
    if (received.whole) finish(state, members(event), undefined);
    else take(state, members(event));
  }
  noteDamage(notes, received, state.ended);
  const calls = state.entries.all.flatMap((entry) => callOf(notes, entry));
  const texts = state.entries.all.map((entry) => textOf(notes, entry));
  return settle({
    ...factsOf(notes),
    calls,
    text: texts.includes(undefined) ? undefined : texts.join(""),
    end: state.ended ? "came" : "missing",
    closes: true,
  });
}

const pieces =
  /^response\.(function_call_arguments|custom_tool_call_input|output_text|refusal|reasoning_summary_text)\.(delta|done)$/;
const ends: Readonly<Record<string, string>> = {
  "response.completed": "completed",
  "response.incomplete": "incomplete",
  "response.failed": "failed",
};

type Handler = (state: State, event: Fields) => void;
const handlers: Readonly<Record<string, Handler>> = {
  "response.output_item.added": (state, event) => takeItem(state, event, false),
  "response.output_item.done": (state, event) => takeItem(state, event, true),
  "response.created": (state, event) => {
    state.begun++;
    doubt(
      state.notes,
      "it begins twice, or without a response",
      state.begun > 1 || !isObject(event["response"]),
    );
  },
  error: ({ notes }) => flaw(notes, "it reports an error"),
};

function take(state: State, event: Fields): void {
  const { notes } = state;
  const type = text(event["type"]);
  if (type === undefined) return (event["error"] ? flaw : blur)(notes, "an event has no type");
  blur(notes, "an event behind its end", state.ended && type.startsWith("response."));
  const [, what, how] = pieces.exec(type) ?? [];
  if (what !== undefined) return takePiece(state, event, { what, isDelta: how === "delta" });
  if (Object.hasOwn(handlers, type)) return handlers[type]?.(state, event);
  if (!Object.hasOwn(ends, type)) return undefined;
  blur(notes, "an end without its response", !isObject(event["response"]));
  return finish(state, members(event["response"]), ends[type]);
}

/** The member that holds the whole text of each kind, and the items that it belongs to. */
const kinds: Readonly<Record<string, readonly [item: string, member: string]>> = {
  function_call_arguments: ["function_call", "arguments"],
  custom_tool_call_input: ["custom_tool_call", "input"],
  output_text: ["message", "text"],
  refusal: ["message", "refusal"],
  reasoning_summary_text: ["reasoning", "text"],
};

function takePiece(
  { notes, entries }: State,
  event: Fields,
  { what, isDelta }: { what: string; isDelta: boolean },
): void {
  const [type = "", member = ""] = kinds[what] ?? [];
  const where = { place: event["output_index"], id: event["item_id"] };
  if (isElsewhere(entries, where)) return blur(notes, "a piece at another place than its item");
  const entry =
    entries.find(where) ??
    (count(where.place) === undefined ? undefined : entries.open(where, type));
  const piece = text(event[isDelta ? "delta" : member]);
  if (piece === undefined) return blur(notes, "a piece without its text");
  if (entry?.type !== type) return blur(notes, "a piece that fits no item");
  notePiece(notes, event, entry);
  if (what === "refusal") noteRefusal(notes, entry, isDelta);
  (isDelta ? entry.deltas : entry.texts).push(piece);
}

/** Nothing is known at its place, but it is known by its id. */
const isElsewhere = (entries: Entries, where: Where): boolean =>
  entries.find(where) === undefined && entries.find({ ...where, place: undefined }) !== undefined;

function notePiece(notes: Notes, event: Fields, { items, done: whole, texts }: Entry): void {
  doubt(notes, "a piece of an item that never began", items.length === 0);
  blur(notes, "a piece of an item that is done", whole !== undefined);
  doubt(notes, "a piece behind the whole text", texts.length > 0);
  blur(
    notes,
    "a second part of an item",
    (event["content_index"] ?? event["summary_index"] ?? 0) !== 0,
  );
}

function noteRefusal(notes: Notes, entry: Entry, isDelta: boolean): void {
  entry.refuses ||= isDelta;
  doubt(notes, "a refusal that only its end says", entry.deltas.length === 0 && !isDelta);
}

function takeItem({ notes, entries }: State, event: Fields, isDone: boolean): void {
  const item = members(event["item"]);
  const type = text(item["type"]);
  if (type === undefined) return blur(notes, "an item without a type");
  const where = { place: event["output_index"], id: item["id"], call: item["call_id"] };
  if (isElsewhere(entries, where)) return blur(notes, "an item at another place than before");
  const known = entries.find(where);
  noteItem(notes, { event, item, known, isDone });
  if (known !== undefined && known.type !== type)
    return blur(notes, "an item that changes its type");
  const entry = known ?? entries.open(where, type);
  entry.items.push(item);
  entry.refuses ||= refuses(item);
  if (isDone) entry.done = item;
}

interface Told {
  readonly event: Fields;
  readonly item: Fields;
  readonly known: Entry | undefined;
  readonly isDone: boolean;
}
function noteItem(notes: Notes, { event, item, known, isDone }: Told): void {
  const place = event["output_index"];
  blur(notes, "a place that is no number", place !== undefined && count(place) === undefined);
  const isBlank = ["id", "call_id", "name"].some(
    (key) => item[key] !== undefined && said(item[key]) === undefined,
  );
  blur(notes, "a blank name or id", isBlank);
  doubt(notes, "an item that never began", known === undefined && isDone);
  doubt(notes, "an item begins twice", known !== undefined && !isDone);
  const isOver = known?.done !== undefined;
  (isDone ? doubt : blur)(notes, "an item behind its end", isOver);
}

/** `named`: the status that the event's own name says. */
function finish(state: State, response: Fields, named: string | undefined): void {
  const { notes } = state;
  const { output, incomplete_details: details } = response;
  flaw(notes, "it reports an error", Boolean(response["error"]));
  doubt(notes, "a whole response without its output", output === undefined && named === undefined);
  blur(notes, "an output that is no list", !isListOrNone(output));
  for (const [at, item] of list(output).entries()) settleItem(state, members(item), at);
  const status = said(response["status"]) ?? named;
  doubt(
    notes,
    "a status that is none",
    response["status"] !== undefined && said(response["status"]) === undefined,
  );
  const reason = text(members(details)["reason"]);
  doubt(
    notes,
    "details of nothing",
    !isNullish(details) && reason === undefined && status !== "incomplete",
  );
  state.ended = status !== undefined && !["in_progress", "queued"].includes(status);
  if (status !== undefined && state.ended)
    notes.words.push(...wordsOf(state, { status, named, reason }));
  notes.output = count(members(response["usage"])["output_tokens"]);
}

interface Ending {
  readonly status: string;
  readonly named: string | undefined;
  readonly reason: string | undefined;
}
function wordsOf({ entries, notes }: State, { status, named, reason }: Ending): readonly Meaning[] {
  const isRefused = status === "completed" && entries.all.some((entry) => entry.refuses);
  doubt(notes, "its name and its status differ", named !== undefined && status !== named);
  const isCut = status !== "incomplete" && (reason !== undefined || named === "incomplete");
  return [
    isRefused ? "refusal" : meaningOf(status, reason),
    ...(isCut ? [meaningOf("incomplete", reason)] : []),
    ...(named === "failed" ? ["error" as const] : []),
  ];
}

/** An item of the whole output: the one that came before, or one that no event told of. */
function settleItem({ entries, notes }: State, item: Fields, at: number): void {
  const type = text(item["type"]);
  if (type === undefined) return blur(notes, "an item without a type");
  const call = said(item["call_id"]);
  const sameCall =
    call === undefined
      ? undefined
      : entries.all.find((entry) => entry.items.some((other) => other["call_id"] === call));
  const known: Entry | undefined = sameCall ?? entries.all[at];
  if (known === undefined) {
    doubt(notes, "an item that no event told of", entries.all.length > 0);
    const entry = entries.open({ place: at, id: item["id"] }, type);
    entry.refuses = refuses(item);
    entry.last = item;
    return undefined;
  }
  if (
    known.type !== type ||
    known.last !== undefined ||
    (call === undefined) !== (known.callId() === undefined)
  ) {
    return blur(notes, "an output that differs from its events");
  }
  known.last = item;
  known.refuses ||= refuses(item);
}

const refuses = ({ content }: Fields): boolean =>
  list(content).some((part) => members(part)["type"] === "refusal");
