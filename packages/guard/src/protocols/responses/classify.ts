import { type Fields, fieldsOf } from "@fullstop/core/adapter";
import type { EventClass } from "../protocol.ts";
import { asksClient, holdsCalls } from "./items.ts";
import { isCallEvent, isItemEvent, type Places } from "./places.ts";

/** The class of each event that says what it is. All others wait. */
const eventClasses: ReadonlyMap<unknown, EventClass> = new Map<unknown, EventClass>([
  ["response.created", "opening"],
  ["response.queued", "opening"],
  ["response.in_progress", "opening"],
  ["response.content_part.done", "live"],
  ["response.output_text.delta", "live"],
  ["response.output_text.done", "live"],
  ["response.output_text.annotation.added", "live"],
  ["response.refusal.delta", "live"],
  ["response.refusal.done", "live"],
  ["response.reasoning_summary_part.done", "live"],
  ["response.reasoning_summary_text.delta", "live"],
  ["response.reasoning_summary_text.done", "live"],
  ["response.reasoning_text.delta", "live"],
  ["response.reasoning_text.done", "live"],
  ["response.audio.delta", "live"],
  ["response.audio.done", "live"],
  ["response.audio.transcript.delta", "live"],
  ["response.audio.transcript.done", "live"],
  ["response.mcp_list_tools.in_progress", "live"],
  ["response.mcp_list_tools.completed", "live"],
  ["response.mcp_list_tools.failed", "live"],
]);

export const isLive = ({ type }: Fields): boolean => eventClasses.get(type) === "live";

/** Complete reasoning waits for the item that follows: it leaves with a call that is withheld. */
const itemClasses: ReadonlyMap<string, EventClass> = new Map<string, EventClass>([
  ["response.output_item.added message", "pending"],
  ["response.output_item.added reasoning", "pending"],
  ["response.output_item.done reasoning", "pending"],
]);

export function classifyEvent(event: Fields, places: Places): EventClass {
  const { response, output, type } = event;
  const item = places.itemOf(event);
  if (item !== undefined && asksClient(item)) return "call";
  if (holdsCalls(fieldsOf(response)["output"]) || holdsCalls(output)) return "call";
  if (isItemEvent(event))
    return itemClasses.get(`${String(type)} ${String(item?.["type"])}`) ?? "live";
  return isCallEvent(event) ? "live" : (eventClasses.get(type) ?? "pending");
}
