import { type Fields, fieldsOf, isFields } from "@fullstop/core/adapter";
import { type Edit, eventText, listOf, type ReplyFrame } from "../protocol.ts";
import { editOutput, editResponse } from "./edit-response.ts";
import { asksClient, isKept, keepItems } from "./items.ts";
import { type NewItem, newItems } from "./new-items.ts";
import { createIndices, createSequence, type Indices, type Sequence } from "./numbers.ts";
import type { Places } from "./places.ts";

/** `response.done` is the end of a host such as OpenRouter. Its response has the status. */
const hostEnd = "response.done";
const endEvents = new Set<unknown>([
  hostEnd,
  "response.completed",
  "response.incomplete",
  "response.failed",
]);
const isEnd = ({ type, output }: Fields): boolean => endEvents.has(type) || Array.isArray(output);
const endNames: ReadonlyMap<unknown, string> = new Map([
  ["completed", "response.completed"],
  ["incomplete", "response.incomplete"],
]);

interface StreamEdit {
  readonly edit: Edit;
  readonly added: readonly NewItem[];
  readonly places: Places;
  readonly kept: ReadonlySet<Fields>;
  readonly indices: Indices;
  readonly sequence: Sequence;
}

/** Leaves calls out, with the reasoning that leads to them. Numbers items and events anew. */
export function editEvents(
  held: readonly ReplyFrame[],
  edit: Edit,
  { places, used }: { readonly places: Places; readonly used: number },
): string {
  const events = held.map(({ native }) => fieldsOf(native));
  const items = places.all.map(({ item }) => item);
  const context: StreamEdit = {
    edit,
    added: newItems(edit),
    places,
    kept: new Set(keepItems(items, edit)),
    indices: createIndices(places, events, used),
    sequence: createSequence(events),
  };
  let isAdded = false;
  const addItems = (): string => {
    if (isAdded) return "";
    isAdded = true;
    return context.added.map((item) => itemText(item, context)).join("");
  };
  return held
    .map(({ raw, native }) => {
      if (!isFields(native)) return raw;
      const fate = fateOf(native, context);
      const before = fate === "replaced" || isEnd(native) ? addItems() : "";
      return fate === "kept" ? before + editHeldEvent(raw, native, context) : before;
    })
    .join("");
}

/** What becomes of an event: a part of a call is replaced, reasoning before it is dropped. */
function fateOf(
  event: Fields,
  { edit, places, kept }: StreamEdit,
): "kept" | "replaced" | "dropped" {
  const item = places.itemOf(event);
  if (item !== undefined && asksClient(item)) return isKept(item, edit) ? "kept" : "replaced";
  const place = places.of(event);
  return item?.["type"] === "reasoning" && place !== undefined && !kept.has(place.item)
    ? "dropped"
    : "kept";
}

function editHeldEvent(raw: string, event: Fields, context: StreamEdit): string {
  const { places, indices, sequence } = context;
  const changes: Fields = {
    ...editResponseOf(event, context),
    ...indices.change(event, places.of(event)),
    ...sequence.change(event),
  };
  if (Object.keys(changes).length === 0) return raw;
  const edited: Fields = { ...event, ...changes };
  return eventText(edited, typeof edited["type"] === "string" ? edited["type"] : undefined);
}

function editResponseOf(event: Fields, { edit, added, places }: StreamEdit): Fields {
  if (Array.isArray(event["output"])) return editResponse(event, edit, added);
  const { response, type } = event;
  if (!isFields(response)) return {};
  if (!isEnd(event)) {
    const output = editOutput(listOf(response["output"]), edit, []);
    return output === undefined ? {} : { response: { ...response, output } };
  }
  const edited = editResponse(endOf(event, response, places), edit, added);
  const name = type === hostEnd ? type : (endNames.get(edited["status"]) ?? type);
  return {
    ...(edited !== response && { response: edited }),
    ...(name !== type && { type: name }),
  };
}

/**
 * The response as its events tell it: with the status in the name of the event, and with the items
 * that were done if the host leaves its output empty.
 */
function endOf({ type }: Fields, response: Fields, { all }: Places): Fields {
  const isCut = type === "response.incomplete" && response["status"] !== "incomplete";
  const hasOutput = listOf(response["output"]).length > 0;
  if (hasOutput && !isCut) return response;
  return {
    ...response,
    ...(isCut && { status: "incomplete" }),
    ...(!hasOutput && { output: all.flatMap(({ done }) => done ?? []) }),
  };
}

function itemText({ item, start, parts }: NewItem, { indices, sequence }: StreamEdit): string {
  const output_index = indices.next();
  return [
    { type: "response.output_item.added", item: start },
    ...parts,
    { type: "response.output_item.done", item },
  ]
    .map(({ type, ...fields }: Fields) =>
      eventText({ type, output_index, ...fields, ...sequence.next() }, String(type)),
    )
    .join("");
}
