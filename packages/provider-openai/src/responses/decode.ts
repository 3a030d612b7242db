import type { Emit, Usage } from "@fullstop/core";
import type OpenAI from "openai";
import { errors, unsupportedItem } from "./errors.ts";
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

/** Reads one reply. Throws where an event contradicts what came before. */
export function createDecoder(emit: Emit): (event: ResponsesEvent) => void {
  const items = createItems(emit);
  const frame = createFrame(emit, items);
  const untyped = createUntyped(emit, frame);

  return (event) => {
    if (!("type" in event)) return untyped(event);
    switch (event.type) {
      case "response.function_call_arguments.delta":
        return items.at(event.output_index, "function_call")?.delta(piece(event.delta, event), 0);
      case "response.output_text.delta":
      case "response.refusal.delta":
        if (event.type === "response.refusal.delta") items.refuse();
        return items.at(event.output_index, "message")?.delta(piece(event.delta, event), event.content_index);
      case "response.custom_tool_call_input.delta":
        return items.at(event.output_index, "custom_tool_call")?.delta(piece(event.delta, event), 0);
      case "response.reasoning_summary_text.delta":
        return items.at(event.output_index, "reasoning")?.delta(piece(event.delta, event), event.summary_index);
      case "response.reasoning_text.delta":
        return items.at(event.output_index, "reasoning")?.delta(piece(event.delta, event), -1 - event.content_index);
      case "response.function_call_arguments.done":
        return items.text(event.output_index, "function_call", piece(event.arguments, event));
      case "response.custom_tool_call_input.done":
        return items.text(event.output_index, "custom_tool_call", piece(event.input, event));
      case "response.output_item.added":
        return items.added(event.output_index, event.item);
      case "response.output_item.done":
        return items.done(event.output_index, event.item);
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

function createUntyped(emit: Emit, { begin, finish }: Frame): (event: Response | ErrorBody) => void {
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
      if (response.error || named === "failed" || response.status === "failed") fail(emit, response.error ?? "The response failed.");
      const waiting = items.waiting();
      if (waiting !== undefined) fail(emit, { code: unsupportedItem, message: unsupported(waiting) });
      for (const word of words(response, named, items.refused())) emit({ type: "stop", ...word, provisional: false });
    },
  };
}

const unsupported = (type: string): string =>
  `The reply asks the client for a "${type}", which this adapter does not give out as a call. Offer the model a function or a custom tool for it instead.`;

interface Word {
  readonly native: string;
  readonly detail?: string;
}

/** Where the status, the event's name and `incomplete_details` disagree, each is told; the worst counts. */
function words({ status, incomplete_details, error }: Response, named: Response["status"], refused: boolean): readonly Word[] {
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
  const counts = { input, output, cacheRead: details?.cached_tokens, cacheWrite: details?.cache_write_tokens };
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => typeof count === "number"));
}

function fail(emit: Emit, error: unknown): void {
  const { code, type, message } = (typeof error === "object" && error !== null ? error : { message: error }) as Record<string, unknown>;
  const names = [code, type === "error" ? undefined : type].map((name) => (typeof name === "number" ? String(name) : name));
  const said = names.filter((name) => typeof name === "string" && name !== "") as string[];
  const native = said.find((name) => Object.hasOwn(errors, name)) ?? said[0] ?? "error";
  emit({ type: "error", native, message: typeof message === "string" ? message : JSON.stringify(error) });
}

function piece(text: unknown, { type }: { readonly type: string }): string {
  if (typeof text !== "string") throw new Error(`The reply holds a ${type} without its text.`);
  return text;
}
