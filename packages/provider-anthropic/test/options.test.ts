import { anthropic } from "@fullstop/provider-anthropic";
import { expect, test } from "vitest";

test.each<[object, string]>([
  [{ apikey: "k" }, "Unknown option `apikey` of `anthropic`. Did you mean `apiKey`?"],
  [{ max_tokens: 5 }, "Did you mean `maxTokens`?"],
  [{ temperature: 0 }, "belong in `params`, under the provider's own names."],
  [{ messageStop: "never" }, '`messageStop` of `anthropic` must be one of "required", "optional"'],
])("an option that cannot work is an error at once: %j", (options, sentence) => {
  expect(() => anthropic("claude", options as never)).toThrow(sentence);
});
