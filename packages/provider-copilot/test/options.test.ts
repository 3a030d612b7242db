import { copilot } from "@fullstop/provider-copilot";
import { expect, test } from "vitest";

test.each<[object, string]>([
  [{ apiKey: "k" }, "Unknown option `apiKey` of `copilot`. The options are: baseURL,"],
  [{ surface: "message" }, '`surface` of `copilot` must be one of "chat", "responses", "messages"'],
  [{ token: "t" }, "`token` of `copilot` must be a function, not a string."],
])("an option that cannot work is an error at once: %j", (options, sentence) => {
  expect(() =>
    copilot("gpt", { token: async () => ({ token: "t" }), ...options } as never),
  ).toThrow(sentence);
});
