import type { StopTable } from "@fullstop/core/adapter";
import type OpenAI from "openai";

type FinishReason = OpenAI.ChatCompletion.Choice["finish_reason"];

/**
 * `finish_reason`: why a completion ends.
 * https://developers.openai.com/api/reference/resources/chat
 */
export const chatStops: StopTable<FinishReason> = {
  /** With a named `toolChoice`, a reply with calls also ends with `stop`. */
  stop: "stop",
  /** Text in `refusal`: the model declined, and the API reports a finished answer. */
  "stop:refusal": "refusal",
  tool_calls: "tool-use",
  /** The model declined, although it had begun to call tools. */
  "tool_calls:refusal": "refusal",
  length: "length",
  content_filter: "content-filter",
  /** The single call of the API's first version. */
  function_call: "tool-use",
  "function_call:refusal": "refusal",
};
