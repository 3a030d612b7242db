import { readTurn } from "@fullstop/core";
import type { AnthropicOptions } from "@fullstop/provider-anthropic";
import { call, read, result, results, user } from "@tooling/test/blocks";
import { describe, expect, test } from "vitest";
import { reply } from "./events.ts";
import { assistant, sent } from "./requests.ts";
import { serve } from "./server.ts";

describe("tools", () => {
  const native = {
    provider: "anthropic",
    definition: { type: "web_search_20260318", name: "web_search" },
  };
  const foreign = { provider: "openai", definition: { type: "web_search" } };

  test("are listed in the format of the API", async () => {
    const { tools } = await sent({
      tools: [
        read,
        { name: "note", description: "Notes.", inputSchema: "text" },
        { ...read, inputSchema: {} },
        native,
        foreign,
      ],
    });
    expect(tools).toEqual([
      { name: "read", description: "Reads.", input_schema: read.inputSchema },
      {
        name: "note",
        description: "Notes.",
        input_schema: {
          type: "object",
          properties: { text: { type: "string" } },
          required: ["text"],
          additionalProperties: false,
        },
      },
      { name: "read", description: "Reads.", input_schema: { type: "object" } },
      native.definition,
    ]);
  });

  test.each([
    ["auto", { type: "auto" }],
    ["none", { type: "none" }],
    ["required", { type: "any" }],
    [{ name: "read" }, { type: "tool", name: "read" }],
    [undefined, undefined],
  ] as const)("a choice of %j is %j", async (toolChoice, expected) => {
    expect((await sent({ tools: [read], toolChoice })).tool_choice).toEqual(expected);
  });

  test("calls come one at a time if the parameters say so", async () => {
    const options: AnthropicOptions = {
      params: { tool_choice: { type: "auto", disable_parallel_tool_use: true } },
    };
    expect((await sent({ tools: [read] }, options)).tool_choice).toEqual({
      type: "auto",
      disable_parallel_tool_use: true,
    });
    expect((await sent({ tools: [read], toolChoice: "required" }, options)).tool_choice).toEqual({
      type: "any",
      disable_parallel_tool_use: true,
    });
    expect(await sent({}, options)).not.toHaveProperty("tool_choice");
  });

  test("a history with calls lists its tools even if the request offers none, and forbids calls", async () => {
    const body = await sent({
      messages: [
        user("Go."),
        assistant(call("a"), call("b", "list")),
        results(result("a"), result("b")),
      ],
    });
    expect(body.tools.map((tool: { name: string }) => tool.name)).toEqual(["read", "list"]);
    expect(body.tool_choice).toEqual({ type: "none" });
    expect(await sent({})).not.toHaveProperty("tools");
  });
});

describe("parameters", () => {
  test("the cap is the request's, else the option's, else 32,000; the ceiling depends on the model", async () => {
    expect((await sent({})).max_tokens).toBe(32_000);
    expect((await sent({}, { maxTokens: { default: 9 } })).max_tokens).toBe(9);
    expect((await sent({ maxTokens: 7 })).max_tokens).toBe(7);
    const { adapter } = serve();
    expect(adapter().maxTokens).toEqual({ default: 32_000, ceiling: 128_000 });
    expect(adapter({}, "claude-haiku-4-5").maxTokens?.ceiling).toBe(64_000);
    expect(adapter({ maxTokens: { ceiling: 40_000 } }).maxTokens).toEqual({
      default: 32_000,
      ceiling: 40_000,
    });
  });

  test("caching is automatic or off; its options come from the parameters", async () => {
    expect((await sent({ cache: "auto" })).cache_control).toEqual({ type: "ephemeral" });
    const options: AnthropicOptions = {
      params: { cache_control: { type: "ephemeral", ttl: "1h" } },
    };
    expect((await sent({ cache: "auto" }, options)).cache_control).toEqual({
      type: "ephemeral",
      ttl: "1h",
    });
    expect(await sent({ cache: "off" }, options)).not.toHaveProperty("cache_control");
    expect(await sent({})).not.toHaveProperty("cache_control");
  });

  test.each([
    [
      "claude-sonnet-5",
      "high",
      { thinking: { type: "adaptive" }, output_config: { effort: "high" } },
    ],
    ["claude-sonnet-5", "none", { thinking: { type: "disabled" } }],
    ["claude-opus-5-5", "none", { output_config: { effort: "low" } }],
    ["eu.anthropic.claude-fable-5-1", "none", { output_config: { effort: "low" } }],
    ["claude-sonnet-5-5", "none", { thinking: { type: "between_tools" } }],
    ["claude-haiku-4-5", "low", { thinking: { type: "enabled", budget_tokens: 2048 } }],
    ["claude-opus-4-1-20250805", "high", { thinking: { type: "enabled", budget_tokens: 16_000 } }],
    ["claude-sonnet-4@20250514", "none", { thinking: { type: "disabled" } }],
    ["claude-sonnet-4.5", "low", { thinking: { type: "enabled", budget_tokens: 2048 } }],
    ["claude-sonnet-4", "none", { thinking: { type: "disabled" } }],
    ["claude-opus-5.5", "none", { output_config: { effort: "low" } }],
    [
      "claude-opus-4-6",
      "low",
      { thinking: { type: "adaptive" }, output_config: { effort: "low" } },
    ],
    ["claude-sonnet-5", undefined, {}],
  ] as const)("%s with effort %s", async (name, effort, expected) => {
    const { thinking, output_config } = await sent({ effort }, {}, name);
    expect({ ...(thinking && { thinking }), ...(output_config && { output_config }) }).toEqual(
      expected,
    );
  });

  test("thinking is not requested with a forced tool, nor over the parameters", async () => {
    expect(
      await sent({ tools: [read], toolChoice: "required", effort: "high" }),
    ).not.toHaveProperty("thinking");
    const options: AnthropicOptions = {
      params: {
        thinking: { type: "adaptive", display: "summarized" },
        output_config: { format: null },
      },
    };
    expect(await sent({ effort: "low" }, options)).toMatchObject({
      thinking: { display: "summarized" },
      output_config: { effort: "low", format: null },
    });
    expect((await sent({ effort: "none" }, options)).thinking).toEqual({ type: "between_tools" });
  });

  test("parameters and headers are sent with every request", async () => {
    const server = serve(reply("end_turn"));
    const options: AnthropicOptions = {
      params: { metadata: { user_id: "u" } },
      headers: { "anthropic-beta": "some-beta", "anthropic-version": "2023-06-01" },
    };
    await readTurn(server.adapter(options), { messages: [user("Go.")], system: "Be brief." });
    expect(server.requests[0]?.body).toMatchObject({
      system: "Be brief.",
      metadata: { user_id: "u" },
      stream: true,
    });
    expect(server.requests[0]?.headers.get("anthropic-beta")).toBe("some-beta");
    expect(server.requests[0]?.headers.get("anthropic-version")).toBe("2023-06-01");
  });

  test("a container is sent within one chain of calls, and not with the next question", async () => {
    const resumed = { ...assistant(call("a")), resume: "container_1" };
    const chain = [user("Go."), resumed, results(result("a"))];
    expect((await sent({ messages: chain })).container).toBe("container_1");
    expect(
      (await sent({ messages: [...chain, { role: "user", content: "Note.", by: "loop" }] }))
        .container,
    ).toBe("container_1");
    expect(await sent({ messages: [...chain, user("Next.")] })).not.toHaveProperty("container");
  });
});
