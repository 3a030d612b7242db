import { createGate } from "@fullstop/core";
import { ollama } from "@fullstop/provider-ollama";
import { ollamaReply, readSent } from "@fullstop/provider-ollama/reply";
import { expect, test } from "vitest";
import { call, calls, last } from "./chunks.ts";

test("the reader gives a gate the calls of a complete reply", () => {
  const gate = createGate(ollamaReply("qwen3"), { body: { options: { num_predict: 1000 } } });
  gate.push(calls(call("read", { path: "a" })));
  gate.push(last("stop"));
  const turn = gate.end();
  expect(turn.calls).toMatchObject([{ name: "read", input: { path: "a" } }]);
  expect(turn.message?.from).toEqual({
    provider: "ollama",
    protocol: "ollama-chat",
    model: "qwen3",
  });
});

test("the cap that a body sent counts", () => {
  const gate = createGate(ollamaReply("qwen3"), { body: { options: { num_predict: 12 } } });
  gate.push(calls(call("read", {})));
  gate.push(last("stop", 12));
  expect(gate.end()).toMatchObject({ stopReason: "length", calls: [] });
});

test("the cap, the tools and the object are read from a request body", () => {
  const parameters = { type: "object", properties: {} };
  const tools = [{ type: "function", function: { name: "read", parameters } }];
  expect(readSent({ options: { num_predict: 20 }, tools, format: parameters })).toEqual({
    maxTokens: 20,
    tools: [{ name: "read", description: "", inputSchema: parameters }],
    output: { schema: parameters },
  });
  expect(readSent({ options: { num_predict: -1 }, format: "json" })).toEqual({});
});

test("the adapter reads its replies with the reader", () => {
  const options = { mislabelsTruncation: true, stops: { busy: "error" } } as const;
  const { decoder: _, ...reader } = ollamaReply("qwen3", options);
  expect(ollama("qwen3", options)).toMatchObject(reader);
});
