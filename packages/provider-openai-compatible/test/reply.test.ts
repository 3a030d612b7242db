import { createGate } from "@fullstop/core";
import { openaiCompatible } from "@fullstop/provider-openai-compatible";
import { dialects, openaiCompatibleReply } from "@fullstop/provider-openai-compatible/reply";
import { describe, expect, it } from "vitest";

describe("a reader of replies holds what the adapter of its dialect holds", () => {
  for (const name of Object.keys(dialects) as (keyof typeof dialects)[]) {
    it(name, () => {
      expect(openaiCompatible(name, "model")).toMatchObject({
        ...openaiCompatibleReply(name, "model", { stopSequences: "none" }),
        decoder: expect.any(Function),
      });
    });
  }
});

it("a reader takes a dialect of your own", () => {
  const dialect = { ...dialects.custom, name: "my-host", stops: { eos: "stop" } } as const;
  const gate = createGate(openaiCompatibleReply(dialect, "model"));
  gate.push({ choices: [{ index: 0, delta: { content: "Hello." }, finish_reason: "eos" }] });
  gate.push("[DONE]");
  expect(gate.end()).toMatchObject({ stopReason: "stop", text: "Hello." });
});

it("a reader of a dialect that is not listed is refused", () => {
  expect(() => openaiCompatibleReply("olama" as "ollama", "model")).toThrow(/"ollama"/);
});
