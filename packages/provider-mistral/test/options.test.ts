import { mistral } from "@fullstop/provider-mistral";
import { expect, test } from "vitest";

test.each<[object, string]>([
  [{ apikey: "k" }, "Unknown option `apikey` of `mistral`. Did you mean `apiKey`?"],
  [{ randomSeed: 5 }, "Unknown option `randomSeed` of `mistral`. The options are: baseURL,"],
])("an option that cannot work is an error at once: %j", (options, sentence) => {
  expect(() => mistral("mistral", options as never)).toThrow(sentence);
});
