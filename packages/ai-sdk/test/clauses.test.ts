import { finishedCalls } from "@fullstop/ai-sdk";
import { isFull } from "@tooling/test/full";
import { wrapLanguageModel } from "ai";
import { expect, test } from "vitest";
import { askOverSocket } from "./broken-clauses.ts";
import { aiSdkLoop, type Model, speakers } from "./subjects.ts";

const wrap = (model: Model): Model => wrapLanguageModel({ model, middleware: finishedCalls() });

/**
 * A whole reply of a host that is not known is put together after generation: without a stop reason
 * it is finished if its usage is below the cap.
 */
const runsWithoutReason = (name: string, form: string): boolean =>
  name === "chat" && form === "whole";

test.each(
  Object.entries(speakers).flatMap(([name, speaker]) => [
    [name, "streamed", speaker] as const,
    // Whole replies of all providers become the same parts: the sample has those of two.
    ...(isFull || ["anthropic", "responses"].includes(name)
      ? [[name, "whole", speaker] as const]
      : []),
  ]),
)("AI SDK's provider %s runs only calls of finished replies, %s", async (name, form, speaker) => {
  const { broken, asked } = await askOverSocket(aiSdkLoop(speaker, form === "streamed", wrap));
  const isOther = (text: string): boolean =>
    !(runsWithoutReason(name, form) && text.startsWith("stop.no-word "));
  expect(broken.filter(isOther)).toEqual([]);
  expect(broken.length > 0).toBe(runsWithoutReason(name, form));
  expect(asked).toBeGreaterThan(5);
});
