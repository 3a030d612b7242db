import { type Fields, isObject, members, nonBlank, numberOrNone, textOrNone } from "../json.ts";
import { Notes } from "../notes.ts";
import type { Reading } from "../reading.ts";
import { doneMarker, type Received } from "../received.ts";
import { decideReading } from "../settle.ts";
import {
  createItemRecords,
  type ItemAddress,
  type ItemRecord,
  type ItemRecords,
  type ResponsesState,
} from "./records.ts";
import { refuses, takeResponse } from "./response.ts";
import { itemCalls, itemText } from "./statements.ts";

/**
 * Follows https://platform.openai.com/docs/api-reference/responses-streaming, and doubts everything
 * that it does not allow.
 */
export function readResponses(received: Received): Reading {
  const state: ResponsesState = {
    notes: new Notes(),
    entries: createItemRecords(),
    begun: 0,
    ended: false,
  };
  const { notes } = state;
  for (const event of received.events) {
    if (event === doneMarker) continue;
    if (received.whole) takeResponse(state, members(event), undefined);
    else takeResponsesEvent(state, members(event));
  }
  notes.damage(received, state.ended);
  const calls = state.entries.all.flatMap((entry) => itemCalls(notes, entry));
  const texts = state.entries.all.map((entry) => itemText(notes, entry));
  return decideReading({
    ...notes.facts(),
    calls,
    text: texts.includes(undefined) ? undefined : texts.join(""),
    end: state.ended ? "came" : "missing",
    closesInputs: true,
  });
}

const pieceEvents =
  /^response\.(function_call_arguments|custom_tool_call_input|output_text|refusal|reasoning_summary_text)\.(delta|done)$/;
const endEvents: Readonly<Record<string, string>> = {
  "response.completed": "completed",
  "response.incomplete": "incomplete",
  "response.failed": "failed",
};

type Handler = (state: ResponsesState, event: Fields) => void;
const handlers: Readonly<Record<string, Handler>> = {
  "response.output_item.added": (state, event) => takeItem(state, event, false),
  "response.output_item.done": (state, event) => takeItem(state, event, true),
  "response.created": (state, event) => {
    state.begun++;
    state.notes.doubt(
      "a second beginning, or a beginning without a response",
      state.begun > 1 || !isObject(event["response"]),
    );
  },
  error: ({ notes }) => notes.flaw("an error report"),
};

function takeResponsesEvent(state: ResponsesState, event: Fields): void {
  const { notes } = state;
  const type = textOrNone(event["type"]);
  if (type === undefined)
    return notes[event["error"] ? "flaw" : "ambiguity"]("an event without a type");
  notes.ambiguity("an event after the end", state.ended && type.startsWith("response."));
  const [, what, how] = pieceEvents.exec(type) ?? [];
  if (what !== undefined) return takePiece(state, event, { what, isDelta: how === "delta" });
  if (Object.hasOwn(handlers, type)) return handlers[type]?.(state, event);
  if (!Object.hasOwn(endEvents, type))
    return notes.doubt("an event of an unknown type", event["delta"] !== undefined);
  notes.ambiguity("an end without a response", !isObject(event["response"]));
  return takeResponse(state, members(event["response"]), endEvents[type]);
}

/** The item type of each kind of text, and the member with the complete text. */
const pieceKinds: Readonly<Record<string, readonly [item: string, member: string]>> = {
  function_call_arguments: ["function_call", "arguments"],
  custom_tool_call_input: ["custom_tool_call", "input"],
  output_text: ["message", "text"],
  refusal: ["message", "refusal"],
  reasoning_summary_text: ["reasoning", "text"],
};

function takePiece(
  { notes, entries }: ResponsesState,
  event: Fields,
  { what, isDelta }: { what: string; isDelta: boolean },
): void {
  const [type = "", member = ""] = pieceKinds[what] ?? [];
  const where = { place: event["output_index"], id: event["item_id"] };
  if (hasOtherPlace(entries, where))
    return notes.ambiguity("a delta with another index than its item");
  const entry =
    entries.find(where) ??
    (numberOrNone(where.place) === undefined ? undefined : entries.open(where, type));
  const given = event[isDelta ? "delta" : member];
  if (given === null) return;
  const piece = textOrNone(given);
  if (piece === undefined) return notes.ambiguity("a delta without text");
  if (entry?.type !== type) return notes.ambiguity("a delta without an item");
  notePiece(notes, event, entry);
  if (what === "refusal") noteRefusal(notes, entry, isDelta);
  (isDelta ? entry.deltas : entry.texts).push(piece);
}

/** The item is known by its id, but at another index. */
const hasOtherPlace = (entries: ItemRecords, where: ItemAddress): boolean =>
  entries.find(where) === undefined && entries.find({ ...where, place: undefined }) !== undefined;

function notePiece(notes: Notes, event: Fields, { items, done: whole, texts }: ItemRecord): void {
  notes.doubt("a delta of an item that did not begin", items.length === 0);
  notes.ambiguity("a delta of an item that is done", whole !== undefined);
  notes.doubt("a delta after the complete text", texts.length > 0);
  notes.ambiguity(
    "a second part of an item",
    (event["content_index"] ?? event["summary_index"] ?? 0) !== 0,
  );
}

function noteRefusal(notes: Notes, entry: ItemRecord, isDelta: boolean): void {
  entry.refuses ||= isDelta;
  notes.doubt("a refusal without deltas", entry.deltas.length === 0 && !isDelta);
}

function takeItem({ notes, entries }: ResponsesState, event: Fields, isDone: boolean): void {
  const item = members(event["item"]);
  const type = textOrNone(item["type"]);
  if (type === undefined) return notes.ambiguity("an item without a type");
  const where = { place: event["output_index"], id: item["id"], call: item["call_id"] };
  if (hasOtherPlace(entries, where))
    return notes.ambiguity("an item with another index than before");
  const known = entries.find(where);
  noteItem(notes, { event, item, known, isDone });
  if (known !== undefined && known.type !== type) return notes.ambiguity("an item with two types");
  const entry = known ?? entries.open(where, type);
  entry.items.push(item);
  entry.refuses ||= refuses(item);
  if (isDone) entry.done = item;
}

interface ItemEvent {
  readonly event: Fields;
  readonly item: Fields;
  readonly known: ItemRecord | undefined;
  readonly isDone: boolean;
}
function noteItem(notes: Notes, { event, item, known, isDone }: ItemEvent): void {
  const place = event["output_index"];
  notes.ambiguity(
    "an index that is not a number",
    place !== undefined && numberOrNone(place) === undefined,
  );
  const isBlank = ["id", "call_id", "name"].some(
    (key) => item[key] !== undefined && nonBlank(item[key]) === undefined,
  );
  notes.ambiguity("a blank name or id", isBlank);
  notes.doubt("an item that did not begin", known === undefined && isDone);
  notes.doubt("a second beginning of an item", known !== undefined && !isDone);
  const isOver = known?.done !== undefined;
  notes[isDone ? "doubt" : "ambiguity"]("an item after its end", isOver);
}
