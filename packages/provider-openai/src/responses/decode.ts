import type { Usage } from "@fullstop/core";
import type { Emit } from "@fullstop/core/adapter";
import type OpenAI from "openai";
import { errors, unsupportedItem } from "./errors.ts";
import { type HostRules, platform } from "./hosts.ts";
import { createItems, type Items } from "./items.ts";

type Response = OpenAI.Responses.Response;
/** An error as proxies send it: nested, or with its fields side by side. */
interface ErrorBody {
  readonly error?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
}
/** The SDK's events, the whole response of a request without `stream`, and errors without a type. */
export type ResponsesEvent = OpenAI.Responses.ResponseStreamEvent | Response | ErrorBody;

/**
 * What the protocol says, and where:
 *
 * | question | answer |
 * |---|---|
 * | which item an event is of | `output_index`; where there is none, `item_id`, which is the item's `id` or its `call_id`; else the one item of its type that is open |
 * | which item a final one is | its `call_id`, else its `id`, else its tool and its order; gateways give an item another id in every event |
 * | what closes an input | `output_item.done` with the status `completed` or none; the same in the final output; `…arguments.done` where the item is never done and the response is whole |
 * | of a program's call | `in_progress` too: it waits for its result |
 * | what takes that back | a later status that is another |
 * | what ends the reply | `response.completed`, `.incomplete`, `.failed`, or a body with `output` |
 * | what contradicts it | two inputs of one call: its pieces, its whole texts; another name; a status that takes back. Looked at once, at the end |
 *
 * Throws where an event cannot be read, and for a contradiction under an end that says all is well.
 */
export function createDecoder(
  emit: Emit,
  host: HostRules = platform,
): (event: ResponsesEvent) => void {
  const items = createItems(emit, host);
  const frame = createFrame(emit, items);
  const untyped = createUntyped(emit, frame);

  return (event) => {
    if (!("type" in event)) return untyped(event);
    switch (event.type) {
      case "response.function_call_arguments.delta":
        return items.piece(event, "function_call", { text: piece(event.delta, event) });
      case "response.refusal.done":
        return items.refuse();
      case "response.output_text.delta":
      case "response.refusal.delta":
        if (event.type === "response.refusal.delta") items.refuse();
        return items.piece(event, "message", {
          text: piece(event.delta, event),
          part: event.content_index,
        });
      case "response.custom_tool_call_input.delta":
        return items.piece(event, "custom_tool_call", { text: piece(event.delta, event) });
      case "response.reasoning_summary_text.delta":
        return items.piece(event, "reasoning", {
          text: piece(event.delta, event),
          part: event.summary_index,
        });
      case "response.reasoning_text.delta":
        return items.piece(event, "reasoning", {
          text: piece(event.delta, event),
          part: -1 - (event.content_index ?? 0),
        });
      case "response.function_call_arguments.done":
        return items.text(event, "function_call", {
          whole: piece(event.arguments, event),
          name: nameIn(event),
        });
      case "response.custom_tool_call_input.done":
        return items.text(event, "custom_tool_call", { whole: piece(event.input, event) });
      case "response.output_item.added":
        return items.added(event, event.item);
      case "response.output_item.done":
        return items.done(event, event.item);
      case "response.created":
        return frame.begin(event.response);
      case "response.completed":
        return frame.finish(event.response, "completed");
      case "response.incomplete":
        return frame.finish(event.response, "incomplete");
      case "response.failed":
        return frame.finish(event.response, "failed");
      case "error":
        return fail(emit, "error" in event && event.error ? event.error : event);
    }
    // Other events say in pieces what the item or the response says when it is whole, or are new.
  };
}

/** Said by the API, though the SDK does not type it. */
const nameIn = (event: object): string | undefined =>
  "name" in event && typeof event.name === "string" ? event.name : undefined;

function createUntyped(
  emit: Emit,
  { begin, finish }: Frame,
): (event: Response | ErrorBody) => void {
  return (event) => {
    if ("output" in event) {
      begin(event);
      return finish(event);
    }
    if (event.error) return fail(emit, event.error);
    if (typeof event.code === "string" && typeof event.message === "string") fail(emit, event);
  };
}

/** What a reply says around its content: who it is, what it used, why it ended. */
interface Frame {
  begin(response: Response): void;
  /** `named`: the status that the event's own name says. */
  finish(response: Response, named?: Response["status"]): void;
}

function createFrame(emit: Emit, items: Items): Frame {
  let started = false;
  return {
    begin({ id, model }) {
      if (started) throw new Error("The reply starts a second time.");
      started = true;
      emit({ type: "meta", id, model });
    },
    finish(response, named) {
      items.settle(response.output ?? []);
      emit({ type: "usage", usage: readUsage(response.usage) });
      if (response.error || named === "failed" || response.status === "failed")
        fail(emit, response.error ?? "The response failed.");
      const waiting = items.waiting();
      if (waiting !== undefined)
        fail(emit, { code: unsupportedItem, message: unsupported(waiting) });
      const said = words(response, named, items.refused());
      for (const word of said) emit({ type: "stop", ...word, provisional: false });
      if (!said.some(({ native }) => native === "incomplete")) consistent(items);
    },
  };
}

/** Nothing of an incomplete reply runs anyhow. */
function consistent(items: Items): void {
  const contradiction = items.contradiction();
  if (contradiction !== undefined)
    throw new Error(`The reply contradicts itself: ${contradiction}.`);
}

const unsupported = (type: string): string =>
  `The reply waits for an answer to its "${type}", and this adapter cannot answer one. Leave the tool behind it out of the request, or offer the model a function or a custom tool in its place.`;

interface Word {
  readonly native: string;
  readonly detail?: string;
}

/** Where the status, the event's name and `incomplete_details` disagree, each is told; the worst counts. */
function words(
  { status, incomplete_details, error }: Response,
  named: Response["status"],
  refused: boolean,
): readonly Word[] {
  const native = status ?? named;
  const reason = incomplete_details?.reason;
  const details: Readonly<Record<string, string | undefined>> = {
    completed: refused ? "refusal" : undefined,
    incomplete: reason,
    failed: error?.code,
  };
  const word = (said: string): Word => {
    const detail = Object.hasOwn(details, said) ? details[said] : undefined;
    return { native: said, ...(detail !== undefined && { detail }) };
  };
  const cut = native !== "incomplete" && (named === "incomplete" || reason !== undefined);
  return [...(native === undefined ? [] : [word(native)]), ...(cut ? [word("incomplete")] : [])];
}

/** `input_tokens` counts cached ones, `output_tokens` reasoning, as the cap does. */
function readUsage(usage: OpenAI.Responses.ResponseUsage | null | undefined): Partial<Usage> {
  if (!usage) return {};
  const { input_tokens: input, output_tokens: output, input_tokens_details: details } = usage;
  const counts = {
    input,
    output,
    cacheRead: details?.cached_tokens,
    cacheWrite: details?.cache_write_tokens,
  };
  return Object.fromEntries(
    Object.entries(counts).filter(([, count]) => typeof count === "number"),
  );
}

function fail(emit: Emit, error: unknown): void {
  const { code, type, message } = (
    typeof error === "object" && error !== null ? error : { message: error }
  ) as Record<string, unknown>;
  const names = [code, type === "error" ? undefined : type].map((name) =>
    typeof name === "number" ? String(name) : name,
  );
  const said = names.filter((name) => typeof name === "string" && name !== "") as string[];
  const native = said.find((name) => Object.hasOwn(errors, name)) ?? said[0] ?? "error";
  emit({
    type: "error",
    native,
    message: typeof message === "string" ? message : JSON.stringify(error),
  });
}

function piece(text: unknown, { type }: { readonly type: string }): string {
  if (typeof text !== "string") throw new Error(`The reply holds a ${type} without its text.`);
  return text;
}
