import type { StopTable } from "@fullstop/core";
import type OpenAI from "openai";

type Word = OpenAI.ChatCompletion.Choice["finish_reason"];

/**
 * Why a completion ends. That no word came at all is nothing that a table could list.
 * https://developers.openai.com/api/reference/resources/chat
 */
export const stops: StopTable<Word> = {
  /** With a named `toolChoice` calls come under it too. */
  stop: "stop",
  /** Text in `refusal`: the model declined, under the word for a finished answer. */
  "stop:refusal": "refusal",
  tool_calls: "tool-use",
  length: "length",
  content_filter: "content-filter",
  /** The one call of the API's first version. */
  function_call: "tool-use",
};
