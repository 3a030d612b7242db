import { googleInteractions } from "@fullstop/provider-google";
import { expect, test } from "vitest";

test.each<[object, string]>([
  [
    { finishReason: "every-chunk" },
    "Unknown option `finishReason` of `googleInteractions`. The options are:",
  ],
  [
    { params: { thinkingConfig: {} } },
    "Unknown option `params.thinkingConfig`. Did you mean `params.generation_config`?",
  ],
  [
    { params: { temperature: 0 } },
    "Unknown option `params.temperature`. Did you mean `params.generation_config`?",
  ],
  [{ params: { safetySettings: [] } }, "Did you mean `params.safety_settings`?"],
  [{ params: { responseJsonSchema: {} } }, "Did you mean `params.response_format`?"],
  [
    { params: { previous_interaction_id: "v1" } },
    "Unknown option `params.previous_interaction_id`. The adapter keeps the history itself",
  ],
  [{ params: { store: true } }, "with `store: false`."],
  [
    { params: { generation_config: { top_k: 40 } } },
    "Unknown option `params.generation_config.top_k`. ",
  ],
  [
    { params: { generation_config: { max_output_tokens: 5 } } },
    "`params.generation_config.max_output_tokens` sets the output cap, which the gate must know.",
  ],
])("an option that Interactions do not know is refused by its name: %j", (options, sentence) => {
  expect(() => googleInteractions("g", options as never)).toThrow(sentence);
});
