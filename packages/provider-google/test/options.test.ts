import { google } from "@fullstop/provider-google";
import { expect, test } from "vitest";

test.each<[object, string]>([
  [{ apikey: "k" }, "Unknown option `apikey` of `google`. Did you mean `apiKey`?"],
  [{ vertexai: true }, "Unknown option `vertexai` of `google`. The options are: baseURL,"],
  [
    { finishReason: "every" },
    '`finishReason` of `google` must be one of "last-chunk", "every-chunk"',
  ],
])("an option that cannot work is an error at once: %j", (options, sentence) => {
  expect(() => google("gemini", options as never)).toThrow(sentence);
});
