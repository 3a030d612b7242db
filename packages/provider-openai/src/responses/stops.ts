import type { StopTable } from "@fullstop/core";
import type OpenAI from "openai";

type IncompleteReason = NonNullable<OpenAI.Responses.Response.IncompleteDetails["reason"]>;

/**
 * `status` of a response, with the reason in `incomplete_details`, or `refusal` where the model said one.
 * https://platform.openai.com/docs/api-reference/responses/object
 */
export const stops: StopTable<OpenAI.Responses.ResponseStatus | `incomplete:${IncompleteReason}`> =
  {
    completed: "stop",
    "completed:refusal": "refusal",
    /** Docs: a full context window is reported so too. */
    "incomplete:max_output_tokens": "length",
    "incomplete:max_messages": "length",
    "incomplete:content_filter": "content-filter",
    /** A steered response is continued by its successor. */
    "incomplete:steered": "pause",
    incomplete: "unknown",
    /** No reason of its own: the error that comes with it has a code, and that decides. */
    failed: null,
    cancelled: { stop: "error", error: "cancelled" },
    in_progress: null,
    queued: null,
  };
