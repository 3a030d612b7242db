import { createGate, type ReplyReader, type Turn } from "@fullstop/core";
import { anthropicReply, readSent } from "@fullstop/provider-anthropic/reply";
import { describe, expect, test, vi } from "vitest";
import { type Event, messageDelta, messageStart, messageStop, reply, tool } from "./events.ts";

vi.mock("@anthropic-ai/sdk", () => {
  throw new Error("The vendor's SDK was loaded.");
});

const model = "claude-sonnet-5-5";
const settle = (reader: ReplyReader, events: readonly Event[]): Turn => {
  const gate = createGate(reader, { maxTokens: 1000 });
  for (const event of events) gate.push(event);
  return gate.end();
};

describe("the entry without the SDK", () => {
  test("gives a gate the calls of a complete reply", () => {
    const turn = settle(anthropicReply(model), reply("tool_use", tool(0, "read", '{"path":"a"}')));
    expect(turn.calls).toMatchObject([{ name: "read", input: { path: "a" } }]);
    expect(turn.message?.from).toEqual({
      provider: "anthropic",
      protocol: "anthropic-messages",
      model,
    });
  });

  test("takes the options that change how a reply is read", () => {
    const events = [messageStart, ...tool(1, "read", "{}"), messageDelta("done")];
    const stopReasonOf = (options: Parameters<typeof anthropicReply>[1], extra?: Event): string =>
      settle(anthropicReply(model, options), extra ? [...events, extra] : events).stopReason;
    const stops = { done: "tool-use" } as const;
    expect(stopReasonOf({ stops, blocks: "loose" })).toBe("interrupted");
    expect(stopReasonOf({ stops, blocks: "loose" }, messageStop)).toBe("tool-use");
    expect(stopReasonOf({ stops, messageStop: "optional" })).toBe("interrupted");
    expect(stopReasonOf({ stops, messageStop: "optional", blocks: "loose" })).toBe("tool-use");
  });

  test("reads the cap and the tools that a request body sent", () => {
    const inputSchema = { type: "object" };
    expect(
      readSent({ max_tokens: 20, tools: [{ name: "read", input_schema: inputSchema }] }),
    ).toEqual({ maxTokens: 20, tools: [{ name: "read", description: "", inputSchema }] });
  });

  test("is what the adapter reads its replies with", async () => {
    vi.doUnmock("@anthropic-ai/sdk");
    const { anthropic } = await import("@fullstop/provider-anthropic");
    const options = { messageStop: "optional", stops: { done: "stop" } } as const;
    const adapter = anthropic(model, options);
    const { decoder: _, ...reader } = anthropicReply(model, options);
    expect(adapter).toMatchObject(reader);
  });
});
