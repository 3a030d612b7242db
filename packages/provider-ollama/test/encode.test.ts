import { type Message, readObject, readTurn, type TurnRequest } from "@fullstop/core";
import type { OllamaOptions } from "@fullstop/provider-ollama";
import { describe, expect, test } from "vitest";
import { call, calls, last, text, thinking } from "./chunks.ts";
import { violations } from "./refusals.ts";
import { serveOllama } from "./server.ts";

const go: Message = { role: "user", content: "Go." };
const read = { name: "read", description: "Read a file.", inputSchema: { type: "object" } };
const list = { name: "list", description: "List.", inputSchema: { type: "object" } };

interface Asked {
  readonly options?: OllamaOptions;
  readonly model?: string;
}

/** The body that is sent for a request. */
async function sent(request: Partial<TurnRequest> = {}, { options, model }: Asked = {}) {
  const { requests, adapter } = serveOllama([text("Hi."), last("stop")]);
  await readTurn(adapter(options, model), { messages: [go], ...request });
  const body = requests[0]?.body;
  expect(violations(body)).toEqual([]);
  return body;
}
const namesOf = (body: { tools?: { function: { name: string } }[] }): readonly string[] =>
  (body.tools ?? []).map((tool) => tool.function.name);

describe("a request", () => {
  test("has what Ollama does not do by itself: nothing is dropped silently", async () => {
    expect(await sent()).toEqual({
      model: "qwen3",
      messages: [{ role: "user", content: "Go." }],
      stream: true,
      truncate: false,
      shift: false,
    });
  });

  test("may let the server drop the beginning of a conversation", async () => {
    const params = { truncate: true, shift: true };
    expect(await sent({}, { options: { params } })).toMatchObject(params);
  });

  test("has its cap as `num_predict`, beside the options of the model", async () => {
    const params = { options: { num_ctx: 8192 } };
    expect((await sent({ maxTokens: 50 }, { options: { params } })).options).toEqual({
      num_ctx: 8192,
      num_predict: 50,
    });
    expect((await sent({}, { options: { maxTokens: { default: 60 } } })).options).toEqual({
      num_predict: 60,
    });
  });

  test("in one piece", async () => {
    expect((await sent({}, { options: { stream: false } })).stream).toBe(false);
  });
});

describe("thinking", () => {
  const efforts = ["none", "low", "medium", "high"] as const;
  const thinkOf = async (model: string) =>
    Promise.all(efforts.map(async (effort) => (await sent({ effort }, { model })).think));

  test("is on or off for most models", async () => {
    expect(await thinkOf("qwen3:8b")).toEqual([false, true, true, true]);
  });
  test("has levels for gpt-oss, which cannot be kept from thinking", async () => {
    const levels = ["low", "low", "medium", "high"];
    expect(await thinkOf("gpt-oss:20b")).toEqual(levels);
    expect(await thinkOf("user/gpt-oss-custom")).toEqual(levels);
  });
  test("is what `params` say if the request has no effort", async () => {
    const options = { params: { think: "high" } } as const;
    expect((await sent({}, { options })).think).toBe("high");
    expect((await sent({ effort: "none" }, { options })).think).toBe(false);
    expect(await sent()).not.toHaveProperty("think");
  });
  test("goes back to the model that wrote it, and to no other", async () => {
    const { requests, adapter } = serveOllama(
      [thinking("I should "), thinking("read."), calls(call("read", {})), last("stop")],
      [text("Hi."), last("stop")],
      [text("Hi."), last("stop")],
    );
    const { message, calls: granted } = await readTurn(adapter(), {
      messages: [go],
      tools: [read],
    });
    const [granting] = granted;
    const messages = [
      go,
      message as Message,
      {
        role: "tool",
        content: [{ type: "tool-result", id: String(granting?.id), name: "read", content: "A." }],
      },
    ] satisfies readonly Message[];
    await readTurn(adapter(), { messages });
    await readTurn(adapter({}, "llama3.2"), { messages });
    const thoughts = requests.map(({ body }) => body.messages[1]?.thinking);
    expect(thoughts).toEqual([undefined, "I should read.", undefined]);
  });
});

describe("tools", () => {
  const tools = [read, list];
  test("are functions; `toolChoice` does not exist in the API", async () => {
    expect(namesOf(await sent({ tools }))).toEqual(["read", "list"]);
    expect(namesOf(await sent({ tools, toolChoice: "required" }))).toEqual(["read", "list"]);
    expect(namesOf(await sent({ tools, toolChoice: { name: "list" } }))).toEqual(["list"]);
    const none = await sent({ tools, toolChoice: "none" });
    expect(none).not.toHaveProperty("tools");
    for (const body of [await sent({ tools, toolChoice: "required" }), none])
      expect(JSON.stringify(body)).not.toMatch(/tool_?choice/i);
  });

  test("get schemas that the server can read", async () => {
    const inputSchema = {
      properties: {
        any: true,
        inner: { type: "object", properties: { never: false } },
        either: { anyOf: [true, { type: "string" }] },
      },
    };
    const body = await sent({ tools: [{ ...read, inputSchema }] });
    expect(body.tools[0].function.parameters).toEqual({
      type: "object",
      properties: {
        any: {},
        inner: { type: "object", properties: { never: {} } },
        either: { anyOf: [{}, { type: "string" }] },
      },
    });
  });

  test("with free-form text have one property", async () => {
    const body = await sent({ tools: [{ ...read, inputSchema: "text" }] });
    expect(body.tools[0].function.parameters.required).toEqual(["text"]);
  });

  test("of Ollama are sent as they are", async () => {
    const definition = {
      type: "function",
      function: { name: "x", parameters: { type: "object" } },
    };
    expect((await sent({ tools: [{ provider: "ollama", definition }] })).tools).toEqual([
      definition,
    ]);
  });
});

describe("a history", () => {
  const asked: readonly Message[] = [
    go,
    {
      role: "assistant",
      content: [
        { type: "text", text: "Reading." },
        { type: "tool-call", id: "a", name: "read", inputText: '{"path":"1","at":7}' },
        { type: "tool-call", id: "b", name: "read", inputText: "", kind: "text" },
        { type: "tool-call", id: "c", name: "list", inputText: "[1]" },
      ],
    },
    {
      role: "tool",
      content: [
        { type: "tool-result", id: "a", name: "read", content: "One." },
        { type: "tool-result", id: "b", name: "read", content: "", isError: true },
        { type: "tool-result", id: "c", name: "list", content: "Three." },
      ],
    },
  ];

  test("has inputs as objects, and results by order, name and id", async () => {
    const { messages } = await sent({ messages: asked, system: "Be brief." });
    expect(messages).toEqual([
      { role: "system", content: "Be brief." },
      { role: "user", content: "Go." },
      {
        role: "assistant",
        content: "Reading.",
        tool_calls: [
          { id: "a", function: { name: "read", arguments: { path: "1", at: 7 } } },
          { id: "b", function: { name: "read", arguments: { text: "" } } },
          { id: "c", function: { name: "list", arguments: { text: "[1]" } } },
        ],
      },
      { role: "tool", content: "One.", tool_name: "read", tool_call_id: "a" },
      {
        role: "tool",
        content: "(The tool failed and said nothing.)",
        tool_name: "read",
        tool_call_id: "b",
      },
      { role: "tool", content: "Three.", tool_name: "list", tool_call_id: "c" },
    ]);
  });

  test("keeps the digits of an input", async () => {
    const digits = '{"at":12345678901234567890}';
    const { requests, adapter } = serveOllama(() => new Response("{}", { status: 400 }));
    let sentText = "";
    const fetch: typeof globalThis.fetch = async (_, init) => {
      sentText = String(init?.body);
      return new Response("{}", { status: 400 });
    };
    await readTurn(adapter({ fetch }), {
      messages: [
        go,
        {
          role: "assistant",
          content: [{ type: "tool-call", id: "a", name: "read", inputText: digits }],
        },
        { role: "tool", content: [{ type: "tool-result", id: "a", name: "read", content: "" }] },
      ],
    });
    expect(requests).toEqual([]);
    expect(sentText).toContain(`"arguments":${digits}`);
  });

  test("begins and ends with a message that is not the model's", async () => {
    const said: Message = { role: "assistant", content: [{ type: "text", text: "Hello." }] };
    const { messages } = await sent({ messages: [said] });
    expect(messages.map(({ role }: { role: string }) => role)).toEqual([
      "user",
      "assistant",
      "user",
    ]);
  });

  test("has no empty message of the user", async () => {
    const { messages } = await sent({ messages: [{ role: "user", content: "" }] });
    expect(messages).toEqual([{ role: "user", content: "(An empty message.)" }]);
  });
});

describe("an object", () => {
  const schema = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };
  test("is asked for by `format`, but not beside tools: a format keeps the model from calling", async () => {
    expect((await sent({ output: { schema } })).format).toEqual(schema);
    expect(await sent({ output: { schema }, tools: [read] })).not.toHaveProperty("format");
    const options = { outputFormat: "always" } as const;
    const body = await sent({ output: { schema }, tools: [read] }, { options });
    expect(body.format).toEqual(schema);
  });

  test("replaces the format of `params`", async () => {
    const options = { params: { format: "json" } } as const;
    expect((await sent({}, { options })).format).toBe("json");
    expect((await sent({ output: { schema } }, { options })).format).toEqual(schema);
  });

  test("is read", async () => {
    const { adapter } = serveOllama([text('{"a":'), text('"b"}'), last("stop")]);
    const standard = {
      "~standard": {
        version: 1,
        vendor: "test",
        validate: (value: unknown) => ({ value: value as { a: string } }),
        jsonSchema: { input: () => schema },
      },
    } as const;
    const reply = await readObject(adapter(), { messages: [go] }, standard as never);
    expect(reply).toMatchObject({ value: { a: "b" } });
  });
});
