import { count, isObject, list, members, said, text } from "../json.ts";
import { blur, createNotes, doubt, factsOf, flaw, noteDamage } from "../notes.ts";
import type { Reading } from "../reading.ts";
import { done, type Received } from "../received.ts";
import { settle } from "../settle.ts";
import { createEntries, type Entry, type Fields, type State } from "./entries.ts";
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

const pieces = /^response\.(function_call_arguments|custom_tool_call_input|output_text|refusal|reasoning_summary_text)\.(delta|done)$/;
const ends: Readonly<Record<string, string>> = {
  "response.completed": "completed",
  "response.incomplete": "incomplete",
  "response.failed": "failed",
};

function take(state: State, event: Fields): void {
  const { notes, entries } = state;
  const type = text(event["type"]);
  const [, what, how] = pieces.exec(type ?? "") ?? [];
  if (state.ended && type?.startsWith("response.")) blur(notes, "an event behind its end");
  if (what !== undefined && how !== undefined) return takePiece(state, event, { what, isDelta: how === "delta" });
  if (type === "response.output_item.added" || type === "response.output_item.done") return takeItem(state, event, type.endsWith("done"));
  if (type === "response.created" && (state.begun++ > 0 || !isObject(event["response"])))
    doubt(notes, "it begins twice, or without a response");
  if (type === "error" || (type === undefined && event["error"])) return flaw(notes, "it reports an error");
  if (type === undefined) return blur(notes, "an event has no type");
  if (!Object.hasOwn(ends, type)) return undefined;
  if (!isObject(event["response"])) blur(notes, "an end without its response");
  return finish({ ...state, notes, entries }, members(event["response"]), ends[type], (over) => {
    state.ended = over;
  });
}

/** The member that holds the whole text of each kind, and the items that it belongs to. */
const kinds: Readonly<Record<string, readonly [item: string, member: string]>> = {
  function_call_arguments: ["function_call", "arguments"],
  custom_tool_call_input: ["custom_tool_call", "input"],
  output_text: ["message", "text"],
  refusal: ["message", "refusal"],
  reasoning_summary_text: ["reasoning", "text"],
};

function takePiece({ notes, entries }: State, event: Fields, { what, isDelta }: { what: string; isDelta: boolean }): void {
  const [type = "", member = ""] = kinds[what] ?? [];
  const where = { place: event["output_index"], id: event["item_id"] };
  const entry = entries.find(where) ?? (count(where.place) === undefined ? undefined : entries.open(where, type));
  const piece = text(event[isDelta ? "delta" : member]);
  if (piece === undefined) return blur(notes, "a piece without its text");
  if (entry === undefined) return blur(notes, "a piece of an item that is not known");
  if (entry.items.length === 0) doubt(notes, "a piece of an item that never began");
  if (entry.type !== type) return blur(notes, "a piece that does not fit its item");
  if (entry.done !== undefined) blur(notes, "a piece of an item that is done");
  if (entry.texts.length > 0) doubt(notes, "a piece behind the whole text");
  if (what === "refusal" && isDelta) entry.refuses = true;
  else if (what === "refusal" && entry.deltas.length === 0) doubt(notes, "a refusal that only its end says");
  if (isDelta) entry.deltas.push(piece);
  else entry.texts.push(piece);
  const part = event["content_index"] ?? event["summary_index"];
  if (part !== undefined && part !== 0) blur(notes, "a second part of an item");
}

function takeItem({ notes, entries }: State, event: Fields, isDone: boolean): void {
  const item = members(event["item"]);
  const type = text(item["type"]);
  if (type === undefined) return blur(notes, "an item without a type");
  if (event["output_index"] !== undefined && count(event["output_index"]) === undefined) blur(notes, "a place that is no number");
  for (const key of ["id", "call_id", "name"])
    if (item[key] !== undefined && said(item[key]) === undefined) blur(notes, "a blank name or id");
  const where = { place: event["output_index"], id: item["id"], call: item["call_id"] };
  const known = entries.find(where);
  if (known === undefined && isDone) doubt(notes, "an item that never began");
  if (known !== undefined && known.type !== type) return blur(notes, "an item that changes its type");
  if (known !== undefined && !isDone) (known.done === undefined ? doubt : blur)(notes, "an item begins twice");
  if (known?.done !== undefined) doubt(notes, "an item is done twice");
  const entry = known ?? entries.open(where, type);
  entry.items.push(item);
  entry.refuses ||= refuses(item);
  if (isDone) entry.done = item;
}

/** `named`: the status that the event's own name says. */
function finish(state: State, response: Fields, named: string | undefined, over?: (is: boolean) => void): void {
  const { notes } = state;
  if (response["error"]) flaw(notes, "it reports an error");
  if (response["output"] === undefined && named === undefined) doubt(notes, "a whole response without its output");
  if (response["output"] !== undefined && !Array.isArray(response["output"])) blur(notes, "an output that is no list");
  list(response["output"]).forEach((item, at) => {
    settleItem(state, members(item), at);
  });
  const status = said(response["status"]) ?? named;
  if (response["status"] !== undefined && said(response["status"]) === undefined) doubt(notes, "a status that is none");
  const details = response["incomplete_details"];
  const reason = text(members(details)["reason"]);
  if (details !== undefined && details !== null && reason === undefined && status !== "incomplete") doubt(notes, "details of nothing");
  const isOpen = status === undefined || status === "in_progress" || status === "queued";
  if (!isOpen) notes.words.push(...wordsOf(state, { status, named, reason }));
  notes.output = count(members(response["usage"])["output_tokens"]);
  state.ended = !isOpen;
  over?.(state.ended);
}

function wordsOf(
  { entries, notes }: State,
  { status, named, reason }: { status: string; named: string | undefined; reason: string | undefined },
) {
  const refuses = entries.all.some((entry) => entry.refuses);
  if (named !== undefined && status !== named) doubt(notes, "its name and its status differ");
  const said = refuses && status === "completed" ? ("refusal" as const) : meaningOf(status, reason);
  const isCut = status !== "incomplete" && (reason !== undefined || named === "incomplete");
  return [said, ...(isCut ? [meaningOf("incomplete", reason)] : []), ...(named === "failed" ? ["error" as const] : [])];
}

/** An item of the whole output: the one that came before, or one that no event told of. */
function settleItem({ entries, notes }: State, item: Fields, at: number): void {
  const type = text(item["type"]);
  if (type === undefined) return blur(notes, "an item without a type");
  const call = said(item["call_id"]);
  const sameCall = call === undefined ? undefined : entries.all.find((entry) => entry.items.some((other) => other["call_id"] === call));
  const known: Entry | undefined = sameCall ?? entries.all[at];
  if (known === undefined) {
    if (entries.all.length > 0) doubt(notes, "an item that no event told of");
    const entry = entries.open({ place: at, id: item["id"] }, type);
    entry.refuses = refuses(item);
    entry.last = item;
    return undefined;
  }
  if (known.type !== type || known.last !== undefined || (call === undefined) !== (known.callId() === undefined)) {
    return blur(notes, "an output that differs from its events");
  }
  known.last = item;
  known.refuses ||= refuses(item);
}

const refuses = ({ content }: Fields): boolean => list(content).some((part) => members(part)["type"] === "refusal");
