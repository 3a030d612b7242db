import { finishedCalls } from "@fullstop/ai-sdk";
import { isFull } from "@tooling/test/full";
import { wrapLanguageModel } from "ai";
import { expect, test } from "vitest";
import { askOverSocket } from "./broken-clauses.ts";
import { aiSdkLoop, type Model, speakers } from "./subjects.ts";

const wrap = (model: Model): Model => wrapLanguageModel({ model, middleware: finishedCalls() });

test.each(
  Object.entries(speakers).flatMap(([name, speaker]) => [
    [name, "streamed", speaker] as const,
    // Whole replies of all providers become the same parts: the sample has those of two.
    ...(isFull || ["anthropic", "responses"].includes(name)
      ? [[name, "whole", speaker] as const]
      : []),
  ]),
)("AI SDK's provider %s runs only calls of finished replies, %s", async (_, form, speaker) => {
  const { broken, asked } = await askOverSocket(aiSdkLoop(speaker, form === "streamed", wrap));
  expect(broken).toEqual([]);
  expect(asked).toBeGreaterThan(5);
});
