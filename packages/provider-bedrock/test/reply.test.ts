import { createGate } from "@fullstop/core";
import { bedrockReply, readSent } from "@fullstop/provider-bedrock/reply";
import { describe, expect, test, vi } from "vitest";
import { call, replyEvents } from "./events.ts";

vi.mock("@aws-sdk/client-bedrock-runtime", () => {
  throw new Error("The vendor's SDK was loaded.");
});

const model = "amazon.nova-pro-v1:0";
const read = { id: "tooluse_1", name: "read", input: { path: "a" } };

describe("the entry without the SDK", () => {
  test("gives a gate the calls of a complete reply", () => {
    const gate = createGate(bedrockReply(model), { maxTokens: 1000 });
    for (const event of replyEvents([call(read)], { stop: "tool_use", output: 20 }))
      gate.push(event);
    const turn = gate.end();
    expect(turn.calls).toMatchObject([{ name: "read", input: { path: "a" } }]);
    expect(turn.message?.from).toEqual({
      provider: "bedrock",
      protocol: "bedrock-converse",
      model,
    });
  });

  test("reads the cap, the tools and the object that a request body sent", () => {
    const schema = { type: "object", properties: {} };
    const jsonSchema = { name: "output", schema: JSON.stringify(schema) };
    const toolSpec = { name: "read", description: "Reads.", inputSchema: { json: schema } };
    const systemTool = { systemTool: { name: "nova_grounding" } };
    expect(
      readSent({
        inferenceConfig: { maxTokens: 20 },
        toolConfig: { tools: [{ toolSpec }, systemTool, { cachePoint: { type: "default" } }] },
        outputConfig: { textFormat: { type: "json_schema", structure: { jsonSchema } } },
      }),
    ).toEqual({
      maxTokens: 20,
      tools: [
        { name: "read", description: "Reads.", inputSchema: schema },
        { provider: "bedrock", definition: systemTool },
      ],
      output: { schema },
    });
    expect(readSent("none")).toEqual({});
  });

  test("is what the adapter reads its replies with", async () => {
    vi.doUnmock("@aws-sdk/client-bedrock-runtime");
    const { bedrock } = await import("@fullstop/provider-bedrock");
    const options = { mislabelsTruncation: true, stops: { busy: "error" } } as const;
    const { decoder: _, ...reader } = bedrockReply(model, options);
    expect(bedrock(model, options)).toMatchObject(reader);
  });
});
