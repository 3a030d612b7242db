import type { Usage } from "@fullstop/core";
import {
  type Emit,
  type Fields,
  fieldsOf,
  isFields,
  otherStopWords,
  unfinishedWords,
} from "@fullstop/core/adapter";
import type OpenAI from "openai";
import { nativeCode, nonBlank } from "../values.ts";
import { responsesErrors, unsupportedError } from "./errors.ts";
import type { ResponseBody, ResponsesEvent } from "./events.ts";
import { type HostRules, openaiRules } from "./hosts.ts";
import type { EventPosition } from "./item-index.ts";
import { createItems, type Items } from "./items.ts";

/**
 * Decodes one reply: events, or a complete response.
 *
 * | question | answer |
 * |---|---|
 * | What identifies a reply? | Its `response.created`: a second one is of another reply if its id differs, or if an item came before it. Also the id of its response, if its final output lacks a call of its events: gateways change the id of single events |
 * | What identifies a call? | Its `call_id`, in the events first. A `call_id` that only the final output has, or a second item at one index, is the same call if tool and input are the same |
 * | Which item does an event belong to? | The item at its `output_index`. Without one: the item whose `id` or `call_id` is its `item_id`; else the only open item of its type |
 * | Which item is an item of the final output? | The item with its `call_id`, else with its `id`, else the next one of its tool, else a call with the same input. Gateways send another id for an item in every event |
 * | What closes an input? | `output_item.done` with the status `completed` or none; the same in the final output; `…arguments.done` if the item is never done and the response is complete |
 * | What closes a call of a program? | The status `in_progress` too: the call waits for its result |
 * | What takes this back? | A later, different status |
 * | What ends the reply? | `response.completed`, `.incomplete`, `.failed`, `.done` with a status, or a body with `output` |
 * | Which text is the input? | The complete one, of which the deltas may be only the beginning |
 * | What contradicts the reply? | Two inputs of one call (its deltas, its complete texts), two names, a status that takes a call back, a final output that lists calls and lacks one of the events. Two types of one call are one call if tool and input are the same. Checked once, at the end |
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
  const decodeOther = createOtherDecoder(emit, response, items);

  return (event) => {
    if (!("type" in event)) return decodeOther(event);
    switch (event.type) {
      case "response.function_call_arguments.delta":
        return items.delta(event, "function_call", { text: textIn(event.delta, event) });
      case "response.refusal.done":
        return items.markRefused();
      case "response.output_text.delta":
      case "response.refusal.delta":
        if (event.type === "response.refusal.delta") items.markRefused();
        return items.delta(event, "message", {
          text: textIn(event.delta, event),
          part: event.content_index,
        });
      case "response.custom_tool_call_input.delta":
        return items.delta(event, "custom_tool_call", { text: textIn(event.delta, event) });
      case "response.reasoning_summary_text.delta":
        return items.delta(event, "reasoning", {
          text: textIn(event.delta, event),
          part: event.summary_index,
        });
      case "response.reasoning_text.delta":
        return items.delta(event, "reasoning", {
          text: textIn(event.delta, event),
          part: -1 - (event.content_index ?? 0),
        });
      case "response.function_call_arguments.done":
        return items.inputDone(event, "function_call", {
          text: doneText(event.arguments, event),
          name: nameIn(event),
        });
      case "response.custom_tool_call_input.done":
        return items.inputDone(event, "custom_tool_call", { text: doneText(event.input, event) });
      case "response.output_item.added":
        return items.added(event, event.item);
      case "response.output_item.done":
        return items.done(event, event.item);
      case "response.created":
        return response.start(event.response);
      case "response.completed":
      case "response.incomplete":
      case "response.failed":
      case "response.done":
        return response.finish(event.response, event);
      case "response.error":
      case "error":
        return emitResponsesError(emit, "error" in event && event.error ? event.error : event);
    }
    // All other events are new, or repeat parts of an item or of the response.
    decodeOther(event);
  };
}

const eventStatuses: ReadonlyMap<unknown, ResponseBody["status"]> = new Map([
  ["response.completed", "completed"],
  ["response.incomplete", "incomplete"],
  ["response.failed", "failed"],
]);

/** Reads what is not an event. Of an event of another type only a piece of a text counts. */
function createOtherDecoder(
  emit: Emit,
  { start, finish }: ReturnType<typeof createResponseReader>,
  { unknownDelta }: Items,
): (event: ResponsesEvent) => void {
  return (event) => {
    if (typeof fieldsOf(event)["delta"] === "string") unknownDelta(event as EventPosition);
    if ("type" in event) return;
    if ("output" in event) {
      start(event);
      return finish(event);
    }
    if (event.error) return emitResponsesError(emit, event.error);
    const { code, message, detail } = event;
    if (typeof detail === "string" || (typeof code === "string" && typeof message === "string"))
      emitResponsesError(emit, event);
  };
}

/** The API sends a name that the SDK's type lacks. */
const nameIn = (event: object): string | undefined =>
  "name" in event && typeof event.name === "string" ? event.name : undefined;

/** Hosts send `null` for an empty text. */
function textIn(text: unknown, { type }: { readonly type: string }): string {
  if (text === null) return "";
  if (typeof text !== "string") throw new Error(`The reply holds a ${type} without its text.`);
  return text;
}

/** An item that is done repeats it, so it may be missing. */
const doneText = (text: unknown, event: { readonly type: string }): string =>
  textIn(text ?? "", event);

function createResponseReader(emit: Emit, items: Items, rules: HostRules) {
  let started = false;
  let own: unknown;
  return {
    start({ id, model }: ResponseBody): void {
      if (started && (items.hasItems() || !id || id !== own))
        throw new Error("The reply starts a second time.");
      started = true;
      own = id;
      emit({ type: "meta", id, model });
    },
    /** `event`: the event that holds the response. Its name is a status, too. */
    finish(response: ResponseBody, event: { readonly type?: unknown } = {}): void {
      const eventStatus = eventStatuses.get(event.type);
      items.settle(response.output ?? [], isOtherId(own, response.id));
      emit({ type: "meta", maxTokens: statedCap(response) });
      emit({ type: "usage", usage: readResponsesUsage(response.usage, rules.capsReasoning) });
      const error = reportedError(response);
      const others = [response, event].flatMap((holder) => unfinishedWords(holder, ownStops));
      if (error !== undefined || [eventStatus, response.status, ...others].includes("failed"))
        emitResponsesError(emit, error ?? "The response failed.", response);
      const unanswered = items.unansweredType();
      if (unanswered !== undefined) emitResponsesError(emit, unsupportedError(unanswered));
      const stops = [
        ...responseStops(response, eventStatus, items.isRefused()),
        ...others.map((native) => ({ native })),
      ];
      for (const stop of stops) emit({ type: "stop", ...stop, provisional: false });
      // No call of an incomplete reply runs, so a contradiction changes nothing.
      if (!stops.some(({ native }) => cutWords.has(native))) assertConsistentItems(items);
    },
  };
}

const statedCap = ({ max_output_tokens: cap }: ResponseBody): number | undefined =>
  typeof cap === "number" && cap > 0 ? cap : undefined;

/** Gateways that write the types of openai-go send an error with blank members if there is none. */
const reportedError = ({ error }: ResponseBody): unknown =>
  Object.values(error ?? {}).some((value) => (value ?? "") !== "") ? error : undefined;

/** Some gateways leave out the id, or change that of one event only. */
const isOtherId = (own: unknown, id: unknown): boolean => Boolean(own && id) && own !== id;

function assertConsistentItems(items: Items): void {
  const contradiction = items.contradiction();
  if (contradiction !== undefined)
    throw new Error(`The reply contradicts itself: ${contradiction}.`);
}

const ownStops = ["status", "incomplete_details"];
const cutWords: ReadonlySet<string> = new Set(["incomplete", "length", "max_tokens", "MAX_TOKENS"]);

interface ResponseStop {
  readonly native: string;
  readonly detail?: string;
}

/**
 * The status, the event's name and `incomplete_details` may disagree: the worst counts. If there is
 * no status, the word of another protocol stands for it (maximhq/bifrost#4679).
 */
function responseStops(
  response: ResponseBody,
  eventStatus: ResponseBody["status"],
  refused: boolean,
): readonly ResponseStop[] {
  const { status, incomplete_details, error } = response;
  const native = status ?? eventStatus ?? otherStopWords(response, ownStops).at(0);
  const reason = nonBlank(incomplete_details?.reason);
  const details: Readonly<Record<string, string | undefined>> = {
    completed: refused ? "refusal" : undefined,
    incomplete: reason,
    failed: routerTypeOf(response) ?? error?.code,
  };
  const stopOf = (name: string): ResponseStop => {
    const detail = Object.hasOwn(details, name) ? details[name] : undefined;
    return { native: name, ...(detail !== undefined && { detail }) };
  };
  const isCut = native !== "incomplete" && (eventStatus === "incomplete" || reason !== undefined);
  return [
    ...(native === undefined ? [] : [stopOf(native)]),
    ...(isCut ? [stopOf("incomplete")] : []),
    ...(refused && (native === "stop" || native === "tool_calls") ? [stopOf("completed")] : []),
  ];
}

/** OpenRouter's codes distinguish few errors; the response says more. */
function routerTypeOf(response: object): string | undefined {
  const { error_type: type } = fieldsOf(response);
  return typeof type === "string" ? type : undefined;
}

function emitResponsesError(emit: Emit, error: unknown, response: object = {}): void {
  const fields: Fields = isFields(error) ? error : { message: error };
  const { code, type, detail, message = detail } = fields;
  emit({
    type: "error",
    native: nativeCode([routerTypeOf(response), code, type], responsesErrors),
    message: typeof message === "string" ? message : JSON.stringify(error),
  });
}

/** `input_tokens` includes cached tokens; `output_tokens` and OpenAI's cap include reasoning. */
function readResponsesUsage(
  usage: OpenAI.Responses.ResponseUsage | null | undefined,
  capsReasoning: HostRules["capsReasoning"],
): Partial<Usage> {
  if (!usage) return {};
  const { input_tokens: input, output_tokens: output, input_tokens_details: details } = usage;
  const counts = {
    input,
    output,
    cacheRead: details?.cached_tokens,
    cacheWrite: details?.cache_write_tokens,
  };
  return {
    ...Object.fromEntries(Object.entries(counts).filter(([, count]) => typeof count === "number")),
    ...(capsReasoning === "unknown" && towardUnknownCap(usage)),
  };
}

/** The steps of the host's own tools add to the output, and each may use the whole cap. */
function towardUnknownCap(usage: OpenAI.Responses.ResponseUsage): Partial<Usage> {
  const reasoning = usage.output_tokens_details?.reasoning_tokens;
  const { num_server_side_tools_used: steps } = fieldsOf(usage);
  if (Number(steps) > 0) return { towardCap: null };
  return typeof reasoning === "number" && reasoning > 0 && reasoning <= usage.output_tokens
    ? { towardCap: null, reasoning }
    : {};
}
