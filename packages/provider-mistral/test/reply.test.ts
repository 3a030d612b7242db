import { createGate } from "@fullstop/core";
import { mistralReply, readSent } from "@fullstop/provider-mistral/reply";
import { expect, test, vi } from "vitest";
import { chunk } from "./chunks.ts";

vi.mock("openai", () => {
  throw new Error("The SDK was loaded.");
});

const model = "mistral-large-latest";
const call = { id: "D681PevKs", index: 0, function: { name: "read", arguments: "{}" } };

test("the reader gives a gate the calls of a complete reply, without the SDK", () => {
  const gate = createGate(mistralReply(model), { maxTokens: 1000 });
  gate.push(chunk({ content: "", tool_calls: [call] }, { stop: "tool_calls" }));
  gate.push("[DONE]");
  const turn = gate.end();
  expect(turn.calls).toMatchObject([{ name: "read", id: "D681PevKs" }]);
  expect(turn.message?.from?.provider).toBe("mistral");
});

test("the reader takes a gateway's own stop reasons", () => {
  const gate = createGate(mistralReply(model, { stops: { busy: "error" } }));
  gate.push(chunk({ content: "Hi." }, { stop: "busy" }));
  expect(gate.end().stopReason).toBe("error");
});

test("the cap is read from a request body", () => {
  expect(readSent({ max_tokens: 20 })).toEqual({ maxTokens: 20 });
});

test("the adapter reads its replies with the reader", async () => {
  vi.doUnmock("openai");
  const { mistral } = await import("@fullstop/provider-mistral");
  const options = { mislabelsTruncation: true, stops: { busy: "error" } } as const;
  const { decoder: _, ...reader } = mistralReply(model, options);
  const adapter = mistral(model, options);
  expect(adapter).toMatchObject(reader);
  expect(adapter.errors).toEqual(reader.errors);
});
