import { type Fields, isObject, members, nonBlank, numberOrNone, textOrNone } from "../json.ts";
import {
  createNotes,
  factsOf,
  type Notes,
  noteAmbiguity,
  noteDamage,
  noteDoubt,
  noteFlaw,
} from "../notes.ts";
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
    notes: createNotes(),
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
  noteDamage(notes, received, state.ended);
  const calls = state.entries.all.flatMap((entry) => itemCalls(notes, entry));
  const texts = state.entries.all.map((entry) => itemText(notes, entry));
  return decideReading({
    ...factsOf(notes),
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
    noteDoubt(
      state.notes,
      "a second beginning, or a beginning without a response",
      state.begun > 1 || !isObject(event["response"]),
    );
  },
  error: ({ notes }) => noteFlaw(notes, "an error report"),
};

function takeResponsesEvent(state: ResponsesState, event: Fields): void {
  const { notes } = state;
  const type = textOrNone(event["type"]);
  if (type === undefined)
    return (event["error"] ? noteFlaw : noteAmbiguity)(notes, "an event without a type");
  noteAmbiguity(notes, "an event after the end", state.ended && type.startsWith("response."));
  const [, what, how] = pieceEvents.exec(type) ?? [];
  if (what !== undefined) return takePiece(state, event, { what, isDelta: how === "delta" });
  if (Object.hasOwn(handlers, type)) return handlers[type]?.(state, event);
  if (!Object.hasOwn(endEvents, type)) return undefined;
  noteAmbiguity(notes, "an end without a response", !isObject(event["response"]));
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
    return noteAmbiguity(notes, "a delta with another index than its item");
  const entry =
    entries.find(where) ??
    (numberOrNone(where.place) === undefined ? undefined : entries.open(where, type));
  const piece = textOrNone(event[isDelta ? "delta" : member]);
  if (piece === undefined) return noteAmbiguity(notes, "a delta without text");
  if (entry?.type !== type) return noteAmbiguity(notes, "a delta without an item");
  notePiece(notes, event, entry);
  if (what === "refusal") noteRefusal(notes, entry, isDelta);
  (isDelta ? entry.deltas : entry.texts).push(piece);
}

/** The item is known by its id, but at another index. */
const hasOtherPlace = (entries: ItemRecords, where: ItemAddress): boolean =>
  entries.find(where) === undefined && entries.find({ ...where, place: undefined }) !== undefined;

function notePiece(notes: Notes, event: Fields, { items, done: whole, texts }: ItemRecord): void {
  noteDoubt(notes, "a delta of an item that did not begin", items.length === 0);
  noteAmbiguity(notes, "a delta of an item that is done", whole !== undefined);
  noteDoubt(notes, "a delta after the complete text", texts.length > 0);
  noteAmbiguity(
    notes,
    "a second part of an item",
    (event["content_index"] ?? event["summary_index"] ?? 0) !== 0,
  );
}

function noteRefusal(notes: Notes, entry: ItemRecord, isDelta: boolean): void {
  entry.refuses ||= isDelta;
  noteDoubt(notes, "a refusal without deltas", entry.deltas.length === 0 && !isDelta);
}

function takeItem({ notes, entries }: ResponsesState, event: Fields, isDone: boolean): void {
  const item = members(event["item"]);
  const type = textOrNone(item["type"]);
  if (type === undefined) return noteAmbiguity(notes, "an item without a type");
  const where = { place: event["output_index"], id: item["id"], call: item["call_id"] };
  if (hasOtherPlace(entries, where))
    return noteAmbiguity(notes, "an item with another index than before");
  const known = entries.find(where);
  noteItem(notes, { event, item, known, isDone });
  if (known !== undefined && known.type !== type)
    return noteAmbiguity(notes, "an item with two types");
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
  noteAmbiguity(
    notes,
    "an index that is not a number",
    place !== undefined && numberOrNone(place) === undefined,
  );
  const isBlank = ["id", "call_id", "name"].some(
    (key) => item[key] !== undefined && nonBlank(item[key]) === undefined,
  );
  noteAmbiguity(notes, "a blank name or id", isBlank);
  noteDoubt(notes, "an item that did not begin", known === undefined && isDone);
  noteDoubt(notes, "a second beginning of an item", known !== undefined && !isDone);
  const isOver = known?.done !== undefined;
  (isDone ? noteDoubt : noteAmbiguity)(notes, "an item after its end", isOver);
}
