import { finishedCalls } from "@fullstop/langchain";
import { isFull } from "@tooling/test/full";
import { expect, test } from "vitest";
// @boundaries-ignore how the clauses are asked is the same for both libraries
import { askOverSocket } from "../../ai-sdk/test/broken-clauses.ts";
import { langchainLoop, speakers } from "./subjects.ts";

// The server stands for the vendors, which never leave the stop reason out.
test.each(
  Object.entries(speakers).flatMap(([name, speaker]) => [
    [name, "streamed", speaker] as const,
    // Whole replies go the same way through the middleware.
    ...(isFull ? [[name, "whole", speaker] as const] : []),
  ]),
)("LangChain's %s runs only calls of finished replies, %s", async (_, form, speaker) => {
  const middleware = [finishedCalls({ host: () => ({ doneEnds: false }) })];
  const subject = langchainLoop(speaker, form === "streamed", middleware);
  const { broken, asked } = await askOverSocket(subject);
  expect(broken).toEqual([]);
  expect(asked).toBeGreaterThan(5);
});
