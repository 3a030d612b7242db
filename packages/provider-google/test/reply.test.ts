import { createGate, type ReplyReader, type Turn } from "@fullstop/core";
import { googleReply, readSent } from "@fullstop/provider-google/reply";
import { describe, expect, test, vi } from "vitest";
import { type Chunk, call, chunk, end, reply } from "./chunks.ts";

vi.mock("@google/genai", () => {
  throw new Error("The vendor's SDK was loaded.");
});

const model = "gemini-3.1-pro";
const settle = (reader: ReplyReader, chunks: readonly Chunk[]): Turn => {
  const gate = createGate(reader, { maxTokens: 1000 });
  for (const one of chunks) gate.push(one);
  return gate.end();
};

describe("the entry without the SDK", () => {
  test("gives a gate the calls of a complete reply", () => {
    const turn = settle(googleReply(model), reply("STOP", call("read", { path: "a" })));
    expect(turn.calls).toMatchObject([{ name: "read", input: { path: "a" } }]);
    expect(turn.message?.from).toEqual({
      provider: "google",
      protocol: "gemini-generate-content",
      model,
    });
    const vertex = settle(googleReply(model, { vertexai: true }), reply("STOP", call("read", {})));
    expect(vertex.message?.from?.protocol).toBe("vertex-generate-content");
  });

  test("takes the options that change how a reply is read", () => {
    const withReason = (name: string): Chunk =>
      end("DONE", { content: { parts: [call(name, {})] } });
    const chunks = [withReason("read"), withReason("list")];
    const stopReasonOf = (options: Parameters<typeof googleReply>[1]): string =>
      settle(googleReply(model, options), chunks).stopReason;
    const stops = { DONE: "stop" } as const;
    expect(stopReasonOf({ stops })).toBe("interrupted");
    expect(stopReasonOf({ stops, finishReason: "every-chunk" })).toBe("tool-use");
    expect(stopReasonOf({ finishReason: "every-chunk" })).toBe("unknown");
    const uncounted = [chunk(call("read", {})), end("STOP", {}, {})];
    const reader = googleReply(model, { mislabelsTruncation: true });
    expect(settle(reader, uncounted).stopReason).toBe("length");
  });

  test("reads the cap and the tools that a request body sent", () => {
    const tools = [{ functionDeclarations: [{ name: "read", parametersJsonSchema: {} }] }];
    expect(readSent({ generationConfig: { maxOutputTokens: 20 }, tools })).toEqual({
      maxTokens: 20,
      tools: [{ name: "read", description: "", inputSchema: {} }],
    });
  });

  test("is what the adapter reads its replies with", async () => {
    vi.doUnmock("@google/genai");
    const { google } = await import("@fullstop/provider-google");
    const options = { mislabelsTruncation: true, stops: { DONE: "stop" } } as const;
    const { decoder: _, ...reader } = googleReply(model, options);
    expect(google(model, options)).toMatchObject(reader);
  });
});
