import { readTurn, type TurnRequest } from "@fullstop/core";
import {
  type DialectName,
  dialects,
  type OpenAICompatibleOptions,
  openaiCompatible,
} from "@fullstop/provider-openai-compatible";
import { expect, test } from "vitest";
import { done, serve } from "./server.ts";

const output = { schema: { type: "object", properties: { a: {} } } };
const read = { name: "read", description: "Reads.", inputSchema: { type: "object" } };

async function formatOf(
  dialect: DialectName,
  request: Partial<TurnRequest> = {},
  options: OpenAICompatibleOptions = {},
): Promise<unknown> {
  const choices = [{ index: 0, delta: { content: "{}" }, finish_reason: "stop" }];
  const server = serve([{ choices }, done]);
  await readTurn(server.adapter(dialect, options), {
    messages: [{ role: "user", content: "Go." }],
    output,
    ...request,
  });
  return server.requests[0]?.body.response_format;
}
const format = {
  type: "json_schema",
  json_schema: { name: "output", schema: output.schema, strict: false },
};

/** The hosts whose own pages say that all of their models take a schema. */
const documented: Readonly<Partial<Record<DialectName, "always" | "without-tools">>> = {
  azure: "always",
  cerebras: "without-tools",
  fireworks: "without-tools",
  llamacpp: "without-tools",
  lmstudio: "without-tools",
  ollama: "without-tools",
  sglang: "without-tools",
  vllm: "without-tools",
  xai: "without-tools",
};

test.for(Object.keys(dialects) as DialectName[])(
  "%s gets a schema if its pages say that it takes one",
  async (dialect) => {
    const known = documented[dialect];
    expect(openaiCompatible(dialect, "m").outputFormat).toBe(known);
    expect(await formatOf(dialect)).toEqual(known && format);
    expect(await formatOf(dialect, { tools: [read] })).toEqual(
      known === "always" ? format : undefined,
    );
  },
);

test("the option says what a host takes", async () => {
  expect(await formatOf("custom", {}, { outputFormat: "without-tools" })).toEqual(format);
  expect(await formatOf("openrouter", { tools: [read] }, { outputFormat: "always" })).toEqual(
    format,
  );
  expect(await formatOf("ollama", {}, { outputFormat: "never" })).toBeUndefined();
});

test("a dialect of your own says what its host takes", () => {
  const mine = openaiCompatible({ name: "mine", outputFormat: "always" }, "m");
  expect(mine.outputFormat).toBe("always");
});
