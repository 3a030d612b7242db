import { ollama } from "@fullstop/provider-ollama";
import { expect, test } from "vitest";

test.each<[object, string]>([
  [{ apikey: "k" }, "Unknown option `apikey` of `ollama`. Did you mean `apiKey`?"],
  [{ num_ctx: 4096 }, "Unknown option `num_ctx` of `ollama`. The options are: baseURL,"],
  [{ client: {} }, "Unknown option `client` of `ollama`."],
  [
    { params: { options: { num_predict: 20 } } },
    "`params.options.num_predict` sets the output cap, which the gate must know.",
  ],
])("an option that cannot work is an error at once: %j", (options, sentence) => {
  expect(() => ollama("qwen3", options as never)).toThrow(sentence);
});
