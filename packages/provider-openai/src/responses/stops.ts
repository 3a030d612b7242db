import type { StopTable } from "@fullstop/core/adapter";
import type OpenAI from "openai";

type IncompleteReason = NonNullable<OpenAI.Responses.Response.IncompleteDetails["reason"]>;

/**
 * `status` of a response, with the reason in `incomplete_details`, or with `refusal` if the model
 * refused. https://platform.openai.com/docs/api-reference/responses/object
 */
export const responsesStops: StopTable<
  OpenAI.Responses.ResponseStatus | `incomplete:${IncompleteReason}`
> = {
  completed: "stop",
  "completed:refusal": "refusal",
  /** A full context window is reported in the same way, according to the documentation. */
  "incomplete:max_output_tokens": "length",
  "incomplete:max_messages": "length",
  "incomplete:content_filter": "content-filter",
  /** The next response continues a steered one. */
  "incomplete:steered": "pause",
  incomplete: "unknown",
  /** Not a reason: the code of the error that comes with it decides. */
  failed: null,
  cancelled: { stop: "error", error: "cancelled" },
  in_progress: null,
  queued: null,
  /**
   * LiteLLM writes the `finish_reason` of Chat Completions as the status (BerriAI/litellm#15714).
   * There both words say that the model finished.
   */
  stop: "stop",
  tool_calls: "tool-use",
  /** A gateway says so of a reply with calls (justlovemaki/AIClient2API#472). */
  requires_action: "tool-use",
};
