import type { Adapter } from "@fullstop/core";
import { about, createClient } from "../client.ts";
import { openaiOutputFormat } from "../shared/output-format.ts";
import { type ResponsesOptions, responsesAdapter } from "./adapter.ts";

/**
 * `baseURL` defaults to `https://api.openai.com/v1`; the environment does not change it. Without
 * `apiKey` the SDK reads `OPENAI_API_KEY`.
 */
export type OpenAIOptions = ResponsesOptions;

/**
 * OpenAI over Responses, through the vendor's SDK.
 * https://developers.openai.com/api/reference/resources/responses/create
 */
export const openai = (model: string, options: OpenAIOptions = {}): Adapter =>
  responsesAdapter(
    {
      provider: "openai",
      about,
      model,
      outputFormat: openaiOutputFormat(model),
      connect: () => createClient(options),
    },
    options,
  );
