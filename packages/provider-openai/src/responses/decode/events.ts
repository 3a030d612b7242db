import type OpenAI from "openai";

export type ResponseBody = OpenAI.Responses.Response;

/** An error as proxies send it: nested, or with its fields at the top level. */
export interface ErrorBody {
  readonly error?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
}

/**
 * An event of the SDK's type, the complete response of a request without `stream`, or an error
 * without a type.
 */
export type ResponsesEvent = OpenAI.Responses.ResponseStreamEvent | ResponseBody | ErrorBody;
