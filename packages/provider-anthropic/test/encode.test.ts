import {
  type AssistantMessage,
  type Message,
  readTurn,
  type ToolResultBlock,
  type TurnRequest,
} from "@fullstop/core";
import type { AnthropicOptions } from "@fullstop/provider-anthropic";
import { describe, expect, test } from "vitest";
import { reply, text } from "./events.ts";
import { type Sent, serve } from "./server.ts";

const model = "claude-sonnet-5-5";
const from = { provider: "anthropic", protocol: "anthropic-messages", model };
const user = (content: string): Message => ({ role: "user", content });
const assistant = (...content: AssistantMessage["content"]): AssistantMessage => ({
  role: "assistant",
  from,
  content,
});
const call = (id: string, name = "read", inputText = "{}") =>
  ({ type: "tool-call", id, name, inputText }) as const;
const results = (...content: Extract<Message, { role: "tool" }>["content"]): Message => ({
  role: "tool",
  content,
});
const result = (id: string, content: ToolResultBlock["content"] = "ok") =>
  ({ type: "tool-result", id, name: "read", content }) as const;
const image = { type: "image", mediaType: "image/png", data: "AAAA" } as const;
const read = {
  name: "read",
  description: "Reads.",
  inputSchema: { type: "object", properties: { path: { type: "string" } } },
};

async function sent(
  request: Partial<TurnRequest>,
  options?: AnthropicOptions,
  name = model,
): Promise<Sent["body"]> {
  const server = serve(reply("end_turn", text(0, "ok")));
  await readTurn(server.adapter(options, name), { messages: [user("Go.")], ...request });
  return server.requests[0]?.body;
}
const messagesOf = async (...messages: readonly Message[]): Promise<Sent["body"]> =>
  (await sent({ messages })).messages;

describe("what people and tools say", () => {
  test("text, images and files become blocks; what the API does not take is said in words", async () => {
    const file = (mediaType: string, data: string, name?: string) =>
      ({ type: "file", mediaType, data, ...(name && { name }) }) as const;
    const content = [
      { type: "text", text: "Look:" },
      { type: "text", text: " " },
      image,
      { type: "image", mediaType: "image/bmp", data: "AAAA" },
      file("application/pdf", "AAAA", "a.pdf"),
      file("text/csv", btoa("a,b"), "t.csv"),
      file("image/gif", "AAAA"),
      file("application/zip", "AAAA", "a.zip"),
      file("text/plain", "not base64!", "b.txt"),
    ] as const;
    expect(await messagesOf({ role: "user", content })).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "Look:" },
          { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
          {
            type: "text",
            text: "[An image of type image/bmp is left out here: it cannot be sent to this model.]",
          },
          {
            type: "document",
            source: { type: "base64", media_type: "application/pdf", data: "AAAA" },
            title: "a.pdf",
          },
          {
            type: "document",
            source: { type: "text", media_type: "text/plain", data: "a,b" },
            title: "t.csv",
          },
          { type: "image", source: { type: "base64", media_type: "image/gif", data: "AAAA" } },
          {
            type: "text",
            text: "[The file a.zip of type application/zip is left out here: it cannot be sent to this model.]",
          },
          {
            type: "text",
            text: "[The file b.txt of type text/plain is left out here: it cannot be sent to this model.]",
          },
        ],
      },
    ]);
  });

  test("results come first, together, in one user message with what is said after them", async () => {
    const [, , after] = await messagesOf(
      user("Go."),
      assistant(call("a"), call("b")),
      results(result("a", [{ type: "text", text: "ok" }, image]), result("b", "")),
      user("Faster."),
      user("Please."),
    );
    expect(after).toEqual({
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: "a",
          content: [
            { type: "text", text: "ok" },
            { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
          ],
        },
        { type: "tool_result", tool_use_id: "b" },
        { type: "text", text: "Faster." },
        { type: "text", text: "Please." },
      ],
    });
  });

  test("what is said beside the results of a deferred server call joins the last result, in words where that is an error", async () => {
    const deferred = {
      type: "native",
      data: { type: "server_tool_use", id: "srv_1", name: "code_execution", input: {} },
      opens: "srv_1",
    } as const;
    const failed = { ...result("a", "No."), isError: true } as const;
    const chain = [
      user("Go."),
      assistant(deferred, call("a")),
      results(failed),
      { role: "user", content: [image] },
    ] as const;
    const joined = [
      { type: "text", text: "No." },
      { type: "text", text: "[Not from the tool, but from the user:]" },
      { type: "text", text: "[An image is left out here: an error result holds text only.]" },
    ];
    expect((await messagesOf(...chain)).at(-1).content).toEqual([
      { type: "tool_result", tool_use_id: "a", is_error: true, content: joined },
    ]);
    const ended = [
      ...chain,
      assistant({ type: "text", text: "Done." }),
      user("Again."),
      assistant(call("b")),
      results(result("b")),
      user("Faster."),
    ];
    expect((await messagesOf(...ended)).at(-1).content[1]).toEqual({
      type: "text",
      text: "Faster.",
    });
  });

  test("an error result holds text only, and never nothing", async () => {
    const [, , after] = await messagesOf(
      user("Go."),
      assistant(call("a"), call("b")),
      results(
        { ...result("a", [{ type: "text", text: "No." }, image]), isError: true },
        { ...result("b", ""), isError: true },
      ),
    );
    expect(after.content).toEqual([
      {
        type: "tool_result",
        tool_use_id: "a",
        is_error: true,
        content: [
          { type: "text", text: "No." },
          { type: "text", text: "[An image is left out here: an error result holds text only.]" },
        ],
      },
      {
        type: "tool_result",
        tool_use_id: "b",
        is_error: true,
        content: [{ type: "text", text: "(The tool failed and said nothing.)" }],
      },
    ]);
  });
});

describe("what the model said", () => {
  test.each([
    ["", {}],
    ['{"a":[1]}', { a: [1] }],
    ['{"a":', { text: '{"a":' }],
    ["[1]", { text: "[1]" }],
  ])("an input of %j goes back as %j", async (inputText, input) => {
    const [, { content }] = await messagesOf(
      user("Go."),
      assistant(call("a", "read", inputText)),
      results(result("a")),
    );
    expect(content).toEqual([{ type: "tool_use", id: "a", name: "read", input }]);
  });

  test("a free-form input is wrapped, foreign ids and names are fitted", async () => {
    const foreign: AssistantMessage = {
      role: "assistant",
      content: [{ ...call("functions.x:0", "a.b", "{}"), kind: "text" }],
    };
    const [, { content }, answer] = await messagesOf(
      user("Go."),
      foreign,
      results(result("functions.x:0")),
    );
    expect(content[0]).toMatchObject({ name: "a_b", input: { text: "{}" } });
    expect(content[0].id).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(answer.content[0].tool_use_id).toBe(content[0].id);
  });

  test("thinking goes back with its signature, to its maker only, and is never last or alone", async () => {
    const signed = { type: "thinking", text: "hm", providerData: "sig" } as const;
    const unsigned = { type: "thinking", text: "hm" } as const;
    const said = { type: "text", text: "Hi." } as const;
    const thought = { type: "thinking", thinking: "hm", signature: "sig" };
    expect(
      (await messagesOf(user("Go."), assistant(signed, unsigned, said, signed), user("On.")))[1]
        .content,
    ).toEqual([thought, said]);
    expect(
      (
        await messagesOf(
          user("Go."),
          { ...assistant(signed, said), from: { ...from, model: "claude-opus-5" } },
          user("On."),
        )
      )[1].content,
    ).toEqual([said]);
    expect(
      await messagesOf(
        user("Go."),
        assistant(signed, { type: "native", data: { type: "redacted_thinking", data: "x" } }),
        user("On."),
      ),
    ).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "Go." },
          { type: "text", text: "On." },
        ],
      },
    ]);
  });

  test("empty text is left out, and a message of nothing else with it", async () => {
    const empty = assistant({ type: "text", text: "\n" });
    expect(await messagesOf(user("Go."), empty, user(""))).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "Go." },
          { type: "text", text: "(An empty message.)" },
        ],
      },
    ]);
  });

  test("a conversation begins and ends with a user message", async () => {
    const hello = assistant({ type: "text", text: "Hello." });
    expect(
      (await messagesOf(hello, hello)).map((message: Message) => [
        message.role,
        message.content.length,
      ]),
    ).toEqual([
      ["user", 1],
      ["assistant", 2],
      ["user", 1],
    ]);
  });

  test("the tool result of a toolset's member names the toolset", async () => {
    const member = { ...call("a", "navigate"), providerData: { toolset_name: "browser" } };
    const [, , { content }] = await messagesOf(
      user("Go."),
      assistant(member),
      results(result("a")),
    );
    expect(content[0].toolset_name).toBe("browser");
  });
});

describe("tools", () => {
  const native = {
    provider: "anthropic",
    definition: { type: "web_search_20260318", name: "web_search" },
  };
  const foreign = { provider: "openai", definition: { type: "web_search" } };

  test("are listed as the API takes them", async () => {
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

  test("calls one at a time where the parameters say so", async () => {
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

  test("a history with calls keeps its tools listed when none is offered, and none may be called", async () => {
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
  test("the cap is the request's, else the option's, else 32,000; the ceiling is the model's", async () => {
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

  test("caching is automatic or off, and its options are the parameters'", async () => {
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

  test("thinking is not asked for beside a forced tool, nor instead of the parameters'", async () => {
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

  test("parameters and headers go with every request", async () => {
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

  test("a container goes along within one chain of calls, and not into the next question", async () => {
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
