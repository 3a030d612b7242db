import { type Message, readTurn, type TurnRequest } from "@fullstop/core";
import { type MistralOptions, mistral } from "@fullstop/provider-mistral";
import { fakeServer } from "@tooling/test/fake-server";
import OpenAI from "openai";
import { afterEach, describe, expect, test, vi } from "vitest";
import { chunk, frames } from "./chunks.ts";

interface SentMessage {
  readonly role: string;
  readonly name?: string;
  readonly tool_calls?: readonly { readonly id: string }[];
  readonly tool_call_id?: string;
}
interface Sent {
  readonly url: string;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>> & { readonly messages: readonly SentMessage[] };
}
const bytes = (): string => {
  const { upToTerminal, after } = frames([chunk({ content: "Hello." }, { stop: "stop" })]);
  return [...upToTerminal, ...after].map((data) => `data: ${data}\n\n`).join("");
};
const go: Message = { role: "user", content: "Go." };
const read = { name: "read", description: "Read a file.", inputSchema: { type: "object" } };

/** What the SDK sends for a request. */
async function sent(
  request: Partial<TurnRequest> = {},
  options: MistralOptions = { apiKey: "key" },
): Promise<Sent> {
  const { fetch, requests } = fakeServer([
    () => new Response(bytes(), { headers: { "content-type": "text/event-stream" } }),
  ]);
  const turn = await readTurn(mistral("mistral-large-latest", { fetch, ...options }), {
    messages: [go],
    ...request,
  });
  const [first] = requests;
  if (first === undefined) throw "error" in turn ? turn.error : new Error("Nothing was sent.");
  return first;
}
const asked = (...ids: readonly string[]): readonly Message[] => [
  go,
  {
    role: "assistant",
    content: ids.map((id) => ({ type: "tool-call", id, name: "read", inputText: "{}" })),
  },
  {
    role: "tool",
    content: ids.map((id) => ({
      type: "tool-result",
      id,
      name: "read",
      content: `Read by ${id}.`,
    })),
  },
];
afterEach(() => vi.unstubAllEnvs());

test("an object is requested by response_format, but not beside tools", async () => {
  const schema = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };
  const format = {
    type: "json_schema",
    json_schema: {
      name: "output",
      schema: { ...schema, additionalProperties: false },
      strict: true,
    },
  };
  const output = { schema };
  expect((await sent({ output })).body["response_format"]).toEqual(format);
  expect((await sent({ output, tools: [read] })).body).not.toHaveProperty("response_format");
  const always = { apiKey: "key", outputFormat: "always" } as const;
  expect((await sent({ output, tools: [read] }, always)).body["response_format"]).toEqual(format);
});

describe("where requests go", () => {
  test("to Mistral, with Mistral's key; OpenAI's environment variables are ignored", async () => {
    vi.stubEnv("MISTRAL_API_KEY", "mistral-key");
    vi.stubEnv("OPENAI_API_KEY", "openai-key");
    vi.stubEnv("OPENAI_BASE_URL", "https://elsewhere.example/v1");
    vi.stubEnv("OPENAI_ORG_ID", "org");
    vi.stubEnv("OPENAI_CUSTOM_HEADERS", "x-secret: 1");
    const { url, headers } = await sent({}, {});
    expect(url).toBe("https://api.mistral.ai/v1/chat/completions");
    expect(headers.get("authorization")).toBe("Bearer mistral-key");
    expect([headers.get("openai-organization"), headers.get("x-secret")]).toEqual([null, null]);
  });
  test("nowhere without a key, and the error names the variable", async () => {
    vi.stubEnv("MISTRAL_API_KEY", undefined);
    await expect(sent({}, {})).rejects.toThrow(
      "No API key for Mistral: pass `apiKey`, or set the environment variable MISTRAL_API_KEY.",
    );
  });
  test("through a given client", async () => {
    let path = "";
    const fetch: typeof globalThis.fetch = async (url) => {
      path = String(url);
      return new Response(bytes(), { headers: { "content-type": "text/event-stream" } });
    };
    const client = new OpenAI({ apiKey: "own", baseURL: "https://mistral.example/v1", fetch });
    const turn = await readTurn(mistral("mistral-large-latest", { client }), { messages: [go] });
    expect([turn.text, path]).toEqual(["Hello.", "https://mistral.example/v1/chat/completions"]);
  });
});

describe("parameters of a request", () => {
  test("no parameter that the API refuses", async () => {
    const { body } = await sent({
      maxTokens: 100,
      tools: [read],
      toolChoice: "required",
      system: "Be brief.",
    });
    expect(Object.keys(body).sort()).toEqual([
      "max_tokens",
      "messages",
      "model",
      "stream",
      "tool_choice",
      "tools",
    ]);
    expect(body).toMatchObject({ max_tokens: 100, stream: true, tool_choice: "any" });
  });
  test("its own parameters, and those that it shares with OpenAI", async () => {
    const params = {
      random_seed: 7,
      safe_prompt: true,
      prompt_mode: "reasoning",
      temperature: 0.2,
      parallel_tool_calls: false,
    } as const;
    expect((await sent({ tools: [read] }, { apiKey: "key", params })).body).toMatchObject(params);
  });
  test("one of its two efforts, and none by default", async () => {
    const efforts = (["none", "low", "medium", "high"] as const).map(
      async (effort) => (await sent({ effort })).body["reasoning_effort"],
    );
    expect(await Promise.all(efforts)).toEqual(["none", "high", "high", "high"]);
    expect((await sent()).body).not.toHaveProperty("reasoning_effort");
  });
  test("call ids of nine letters and digits, stable and unique, the same for a call and its result", async () => {
    const ids = ["toolu_01A09q90qw90lq917835lq9", "toolu_01A09q90qw90lq917835lq8", "call_1", "a"];
    const sentMessages = async () => (await sent({ messages: asked(...ids) })).body.messages;
    const messages = await sentMessages();
    const calls = messages.flatMap(({ tool_calls: list = [] }) => list.map(({ id }) => id));
    for (const id of calls) expect(id).toMatch(/^[a-zA-Z0-9]{9}$/);
    expect(new Set(calls).size).toBe(ids.length);
    expect(messages.flatMap(({ tool_call_id: id }) => id ?? [])).toEqual(calls);
    expect(await sentMessages()).toEqual(messages);
  });
  test("an assistant message between results and the next user message", async () => {
    const { body } = await sent({
      messages: [...asked("a1b2c3d4e"), { role: "user", content: "And?" }],
    });
    expect(body.messages.map(({ role, name }) => [role, name])).toEqual([
      ["user", undefined],
      ["assistant", undefined],
      ["tool", "read"],
      ["assistant", undefined],
      ["user", undefined],
    ]);
  });
});

describe("the output cap", () => {
  test("in `params` is refused at once", () => {
    expect(() => mistral("mistral-large-latest", { params: { max_tokens: 20 } as object })).toThrow(
      /maxTokens/,
    );
  });

  test("needs a usage below it with `mislabelsTruncation`", async () => {
    const call = {
      id: "D681PevKs",
      type: "function",
      index: 0,
      function: { name: "read", arguments: "{}" },
    };
    const events = [
      chunk({ content: "", tool_calls: [call] }),
      { ...chunk({ content: "" }, { stop: "tool_calls" }), usage: null },
    ];
    const { upToTerminal, after } = frames(events);
    const body = [...upToTerminal, ...after].map((data) => `data: ${data}\n\n`).join("");
    const fetch: typeof globalThis.fetch = async () =>
      new Response(body, { headers: { "content-type": "text/event-stream" } });
    const read = (mislabelsTruncation: boolean) =>
      readTurn(mistral("mistral-large-latest", { apiKey: "key", fetch, mislabelsTruncation }), {
        messages: [go],
        maxTokens: 1024,
      });
    expect(await read(true)).toMatchObject({
      stopReason: "length",
      withheld: [{ reason: "cap-unproven" }],
    });
    expect((await read(false)).stopReason).toBe("tool-use");
  });
});
