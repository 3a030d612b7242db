import type { Adapter } from "@fullstop/core";
import {
  checkAdapterOptions,
  commonKinds,
  type OptionKinds,
  trueOrFalse,
} from "@fullstop/core/adapter";
import { about, clientOptions } from "../client.ts";
import { openaiOutputFormat } from "../shared/output-format.ts";
import { type ResponsesOptions, responsesAdapter } from "./adapter.ts";

/**
 * `baseURL` defaults to `https://api.openai.com/v1`; the environment does not change it. Without
 * `apiKey` the SDK reads `OPENAI_API_KEY`.
 */
export type OpenAIOptions = ResponsesOptions;

const optionKinds: OptionKinds<Required<OpenAIOptions>> = {
  ...commonKinds,
  runsCustomTools: trueOrFalse,
};

/**
 * OpenAI over Responses, through the vendor's SDK.
 * https://developers.openai.com/api/reference/resources/responses/create
 * @throws TypeError or RangeError for options that cannot work. The message names the option.
 */
export function openai(model: string, options: OpenAIOptions = {}): Adapter {
  checkAdapterOptions(options, optionKinds, "openai");
  return responsesAdapter(
    {
      provider: "openai",
      about,
      model,
      outputFormat: openaiOutputFormat(model),
      clientOptions: () => clientOptions(options),
    },
    options,
  );
}
