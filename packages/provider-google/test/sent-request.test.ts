import { createGate, readTurn, type Turn } from "@fullstop/core";
import { type GoogleOptions, google } from "@fullstop/provider-google";
import { describe, expect, test } from "vitest";
import { type Chunk, call, chunk, end, reply } from "./chunks.ts";
import { serve } from "./server.ts";

const request = { messages: [{ role: "user", content: "Go." }], maxTokens: 1000 } as const;
const settle = (body: unknown, chunks: readonly Chunk[]): Turn => {
  const gate = createGate(google("gemini-3.1-pro"), { body });
  for (const one of chunks) gate.push(one);
  return gate.end();
};
const schema = { type: "object", properties: { of: { type: "string" } }, required: ["of"] };

describe("a request body for the gate", () => {
  test.each<[string, object]>([
    ["a body of the API", { generationConfig: { maxOutputTokens: 20 } }],
    ["a body in snake case", { generation_config: { max_output_tokens: 20 } }],
    ["the SDK's parameters", { config: { maxOutputTokens: 20 } }],
  ])("its cap is read from %s", (_, body) => {
    expect(settle(body, reply("STOP", call("read", {})))).toMatchObject({
      stopReason: "length",
      withheld: [{ reason: "cap-reached" }],
    });
  });

  test.each<[string, object]>([
    [
      "a body of the API",
      {
        tools: [
          { googleSearch: {} },
          { functionDeclarations: [{ name: "list", parametersJsonSchema: schema }] },
        ],
      },
    ],
    [
      "a body in snake case",
      { tools: [{ function_declarations: [{ name: "list", parameters_json_schema: schema }] }] },
    ],
    [
      "the SDK's parameters",
      {
        config: {
          tools: [
            { functionDeclarations: [{ name: "list", parameters: { ...schema, type: "OBJECT" } }] },
          ],
        },
      },
    ],
  ])("its schemas are read from %s", (_, body) => {
    expect(settle(body, reply("STOP", call("list", {}))).withheld).toMatchObject([
      { reason: "input-missing" },
    ]);
    expect(settle(body, reply("STOP", call("list", { of: "a" }))).stopReason).toBe("tool-use");
  });

  test("any other body is ignored", () => {
    for (const body of [
      null,
      "x",
      [],
      {},
      { tools: [null], generationConfig: { maxOutputTokens: "20" } },
    ])
      expect(settle(body, reply("STOP", call("list", {}))).stopReason).toBe("tool-use");
  });

  test("a cap in `params` is refused when the adapter is created", () => {
    const params = { maxOutputTokens: 20 } as GoogleOptions["params"];
    expect(() => google("gemini-3.1-pro", { params })).toThrow("maxTokens");
  });

  test("with `mislabelsTruncation`, a call without a usage does not run", async () => {
    const uncounted = [chunk(call("read", {})), end("STOP", {}, {})];
    expect((await readTurn(serve(uncounted).adapter(), request)).stopReason).toBe("tool-use");
    const turn = await readTurn(serve(uncounted).adapter({ mislabelsTruncation: true }), request);
    expect([turn.stopReason, turn.withheld[0]?.reason]).toEqual(["length", "cap-unproven"]);
  });
});
