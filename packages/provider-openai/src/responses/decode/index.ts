import type { Emit } from "@fullstop/core/adapter";
import { type HostRules, openaiRules } from "../host-rules.ts";
import type { ErrorBody, ResponseBody, ResponsesEvent } from "./events.ts";
import { createItems } from "./items.ts";
import { createResponseReader, emitResponsesError, type ResponseReader } from "./response.ts";

/**
 * Decodes one reply: events, or a complete response.
 *
 * | question | answer |
 * |---|---|
 * | What identifies a reply? | The id of its response, if its final output also lacks a call of its events: gateways change the id of single events |
 * | What identifies a call? | Its `call_id`, in the events first. A `call_id` that only the final output has, or a second item at one index, is the same call if tool and input are the same |
 * | Which item does an event belong to? | The item at its `output_index`. Without one: the item whose `id` or `call_id` is its `item_id`; else the only open item of its type |
 * | Which item is an item of the final output? | The item with its `call_id`, else with its `id`, else the next one of its tool, else a call with the same input. Gateways send another id for an item in every event |
 * | What closes an input? | `output_item.done` with the status `completed` or none; the same in the final output; `…arguments.done` if the item is never done and the response is complete |
 * | What closes a call of a program? | The status `in_progress` too: the call waits for its result |
 * | What takes this back? | A later, different status |
 * | What ends the reply? | `response.completed`, `.incomplete`, `.failed`, `.done` with a status, or a body with `output` |
 * | What contradicts the reply? | Two inputs of one call (its deltas, its complete texts), two names, a status that takes a call back, a final output that lists calls and lacks one of the events. Checked once, at the end |
 *
 * The decoder throws if an event cannot be read, and if a reply that claims to be complete
 * contradicts itself.
 */
export function createResponsesDecoder(
  emit: Emit,
  rules: HostRules = openaiRules,
): (event: ResponsesEvent) => void {
  const items = createItems(emit, rules);
  const response = createResponseReader(emit, items, rules);
  const decodeUntyped = createUntypedDecoder(emit, response);

  return (event) => {
    if (!("type" in event)) return decodeUntyped(event);
    switch (event.type) {
      case "response.function_call_arguments.delta":
        return items.delta(event, "function_call", { text: textOf(event.delta, event) });
      case "response.refusal.done":
        return items.markRefused();
      case "response.output_text.delta":
      case "response.refusal.delta":
        if (event.type === "response.refusal.delta") items.markRefused();
        return items.delta(event, "message", {
          text: textOf(event.delta, event),
          part: event.content_index,
        });
      case "response.custom_tool_call_input.delta":
        return items.delta(event, "custom_tool_call", { text: textOf(event.delta, event) });
      case "response.reasoning_summary_text.delta":
        return items.delta(event, "reasoning", {
          text: textOf(event.delta, event),
          part: event.summary_index,
        });
      case "response.reasoning_text.delta":
        return items.delta(event, "reasoning", {
          text: textOf(event.delta, event),
          part: -1 - (event.content_index ?? 0),
        });
      case "response.function_call_arguments.done":
        return items.inputDone(event, "function_call", {
          text: textOf(event.arguments, event),
          name: nameIn(event),
        });
      case "response.custom_tool_call_input.done":
        return items.inputDone(event, "custom_tool_call", { text: textOf(event.input, event) });
      case "response.output_item.added":
        return items.added(event, event.item);
      case "response.output_item.done":
        return items.done(event, event.item);
      case "response.created":
        return response.start(event.response);
      case "response.completed":
        return response.finish(event.response, "completed");
      case "response.incomplete":
        return response.finish(event.response, "incomplete");
      case "response.failed":
        return response.finish(event.response, "failed");
      case "response.done":
        return response.finish(event.response);
      case "response.error":
      case "error":
        return emitResponsesError(emit, "error" in event && event.error ? event.error : event);
    }
    // All other events are new, or repeat parts of an item or of the response.
  };
}

function createUntypedDecoder(
  emit: Emit,
  { start, finish }: ResponseReader,
): (event: ResponseBody | ErrorBody) => void {
  return (event) => {
    if ("output" in event) {
      start(event);
      return finish(event);
    }
    if (event.error) return emitResponsesError(emit, event.error);
    if (typeof event.code === "string" && typeof event.message === "string")
      emitResponsesError(emit, event);
  };
}

/** The API sends a name that the SDK's type lacks. */
const nameIn = (event: object): string | undefined =>
  "name" in event && typeof event.name === "string" ? event.name : undefined;

function textOf(text: unknown, { type }: { readonly type: string }): string {
  if (typeof text !== "string") throw new Error(`The reply holds a ${type} without its text.`);
  return text;
}
