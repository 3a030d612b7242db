import { openai, openaiChat } from "@fullstop/provider-openai";
import { expect, test } from "vitest";

test.each<[object, string]>([
  [{ apikey: "k" }, "Unknown option `apikey` of `openai`. Did you mean `apiKey`?"],
  [{ reasoning: {} }, "belong in `params`, under the provider's own names."],
  [
    { runsCustomTools: "yes" },
    "`runsCustomTools` of `openai` must be true or false, not a string.",
  ],
])("an option that cannot work is an error at once: %j", (options, sentence) => {
  expect(() => openai("gpt", options as never)).toThrow(sentence);
});

test("the same for Chat Completions", () => {
  expect(() => openaiChat("gpt", { baseUrl: "u" } as never)).toThrow(
    "Unknown option `baseUrl` of `openaiChat`. Did you mean `baseURL`?",
  );
});
