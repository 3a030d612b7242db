import { type ParseEvent, parseErrorEvents, parseEvent } from "@fullstop/core/adapter";
import type OpenAI from "openai";

export type ResponseBody = OpenAI.Responses.Response;

/** An error as proxies send it: nested, or with its fields at the top level. */
export interface ErrorBody {
  readonly error?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
  /** FastAPI. */
  readonly detail?: unknown;
}

/**
 * Events that other hosts send. `response.done` ends a reply instead of `response.completed`
 * (can1357/oh-my-pi#4692, decolua/9router#2142; the example of
 * https://openrouter.ai/docs/api/reference/responses/basic-usage). `response.error`:
 * https://openrouter.ai/docs/api/reference/errors-and-debugging
 */
type HostEvent =
  | { readonly type: "response.done"; readonly response: ResponseBody }
  | { readonly type: "response.error"; readonly error: unknown };

/**
 * An event of the SDK's type or of another host, the complete response of a request without
 * `stream`, or an error without a type.
 */
export type ResponsesEvent =
  | OpenAI.Responses.ResponseStreamEvent
  | HostEvent
  | ResponseBody
  | ErrorBody;

const errorTypes: ReadonlySet<unknown> = new Set(["error", "response.error", "response.failed"]);

/** Parses the data of one event. The SDK stops at an event that is named `error`. */
export const parseResponses: ParseEvent<ResponsesEvent> =
  /* @__PURE__ */ parseErrorEvents<ResponsesEvent>(parseEvent, (event, data) =>
    event && (("type" in event && errorTypes.has(event.type)) || "error" in event)
      ? event
      : { error: event ?? { message: data } },
  );
