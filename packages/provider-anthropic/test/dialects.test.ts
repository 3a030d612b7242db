import Anthropic from "@anthropic-ai/sdk";
import { createGate, type ProviderError, readTurn, type Turn } from "@fullstop/core";
import {
  type AnthropicDialectName,
  type AnthropicOptions,
  anthropic,
  dialects,
} from "@fullstop/provider-anthropic";
import { anthropicReply, dialectNamed } from "@fullstop/provider-anthropic/reply";
import { jsonResponse, replyServer } from "@tooling/test/fake-server";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  bytes,
  type Event,
  messageDelta,
  messageStart,
  messageStop,
  reply,
  thinking,
  tool,
} from "./events.ts";
import { modelOf } from "./host-wires.ts";

const request = { messages: [{ role: "user", content: "Go." }], maxTokens: 1000 } as const;
const called = reply("tool_use", tool(0, "read", '{"path":"a"}'));
const errorOf = (turn: Turn): ProviderError | undefined =>
  "error" in turn ? turn.error : undefined;
const refusal = () =>
  jsonResponse(
    { type: "error", error: { type: "authentication_error", message: "No." } },
    { status: 401 },
  );
const names = Object.keys(dialects) as readonly AnthropicDialectName[];
afterEach(() => vi.unstubAllEnvs());

describe("a dialect", () => {
  test.each(names)("%s knows its address and the variable of its key", async (dialect) => {
    const { baseURL, keyVariable } = dialects[dialect];
    vi.stubEnv("ANTHROPIC_API_KEY", "of-anthropic");
    vi.stubEnv("ANTHROPIC_AUTH_TOKEN", "of-anthropic");
    if (keyVariable !== undefined) vi.stubEnv(keyVariable, "of-the-host");
    const { fetch, requests } = replyServer([called], bytes);
    await readTurn(anthropic(modelOf(dialect), { dialect, fetch }), request);
    const [sent] = requests;
    expect(sent?.url).toBe(`${baseURL}/v1/messages`);
    const key = keyVariable === undefined ? "none" : "of-the-host";
    expect(sent?.headers.get("authorization")).toBe(`Bearer ${key}`);
    expect(sent?.headers.get("x-api-key")).toBeNull();
  });

  test("without a key says which variable holds it", async () => {
    vi.stubEnv("ZAI_API_KEY", undefined);
    const turn = await readTurn(anthropic("glm-5.3", { dialect: "glm" }), request);
    expect(errorOf(turn)?.message).toContain(
      "No API key for Z.ai: pass `apiKey`, or set the environment variable ZAI_API_KEY.",
    );
  });

  test("or an address without a key says which variable holds it, also if its name is not known", async () => {
    vi.stubEnv("ANTHROPIC_API_KEY", undefined);
    const turn = await readTurn(anthropic("m", { baseURL: "https://llm.example" }), request);
    expect(errorOf(turn)?.message).toContain(
      "No API key for the host: pass `apiKey`, or set the environment variable ANTHROPIC_API_KEY.",
    );
  });

  test("that does not exist is refused, and the nearest one is named", () => {
    const make = (dialect: string) => () => anthropic("m", { dialect: dialect as never });
    expect(make("olama")).toThrow('Did you mean "ollama"?');
    expect(make("my-company")).toThrow("leave `dialect` out, and pass `baseURL`");
    expect(make("constructor")).toThrow(TypeError);
  });

  test("fits the caps of local servers, and an option counts more", () => {
    const capsOf = (options: AnthropicOptions) => anthropic("m", options).maxTokens;
    expect(capsOf({ dialect: "vllm" })).toEqual({ default: 4096, ceiling: 32_768 });
    expect(capsOf({ dialect: "litellm" })).toEqual({ default: 4096, ceiling: 32_768, floor: 16 });
    expect(capsOf({ dialect: "ollama", maxTokens: { ceiling: 8192 } })).toEqual({
      default: 4096,
      ceiling: 8192,
    });
    expect(capsOf({ dialect: "glm" })).toEqual({ default: 32_000, ceiling: 64_000 });
  });

  test("gives way to what an option says about replies", async () => {
    const uncounted: readonly Event[] = [
      messageStart,
      ...tool(0, "read", "{}"),
      messageDelta("tool_use", { usage: { output_tokens: 0 } }),
      messageStop,
    ];
    const stopReasonWith = async (options: AnthropicOptions) => {
      const { fetch } = replyServer([uncounted], bytes);
      return (await readTurn(anthropic("m", { apiKey: "k", fetch, ...options }), request))
        .stopReason;
    };
    expect(await stopReasonWith({ dialect: "litellm" })).toBe("length");
    expect(await stopReasonWith({ dialect: "litellm", mislabelsTruncation: false })).toBe(
      "tool-use",
    );
    expect(await stopReasonWith({ dialect: "glm" })).toBe("tool-use");
    expect(await stopReasonWith({ dialect: "glm", mislabelsTruncation: true })).toBe("length");
  });
});

describe("an error", () => {
  const messageOf = async (options: AnthropicOptions): Promise<string | undefined> => {
    const { fetch } = replyServer([refusal], bytes);
    const adapter = anthropic("m", { apiKey: "key", fetch, ...options });
    return errorOf(await readTurn(adapter, request))?.message;
  };
  test.each<[string, AnthropicOptions]>([
    ["Z.ai at api.z.ai", { dialect: "glm" }],
    ["LiteLLM at llm.example", { dialect: "litellm", baseURL: "https://llm.example" }],
    ["Z.ai at api.z.ai", { baseURL: "https://api.z.ai/api/anthropic" }],
    ["The host at llm.example", { baseURL: "https://llm.example/anthropic" }],
    ["Anthropic at api.anthropic.com", {}],
  ])("names who answered: %s", async (who, options) => {
    expect(await messageOf(options)).toContain(`${who} refused the key (401): No.`);
  });

  test("of a client names the host of its address", async () => {
    const { fetch } = replyServer([refusal], bytes);
    const client = new Anthropic({ baseURL: "https://openrouter.ai/api", apiKey: "key", fetch });
    const turn = await readTurn(anthropic("m", { client }), request);
    expect(errorOf(turn)?.message).toContain("OpenRouter at openrouter.ai refused the key");
  });

  test("says which variable of the host to check, and not that of Anthropic", async () => {
    expect(await messageOf({ dialect: "minimax" })).toContain("MINIMAX_API_KEY");
    expect(await messageOf({ dialect: "ollama" })).not.toContain("ANTHROPIC_API_KEY");
  });
});

describe("what a host cannot do is refused at once", () => {
  test("over Messages of the Vercel AI Gateway, other vendors' replies count if they end", () => {
    expect(() => anthropic("xai/grok-4.5", { dialect: "vercel" })).not.toThrow();
    const read = (events: typeof called) => {
      const gate = createGate(anthropicReply("xai/grok-4.5", { dialect: dialectNamed("vercel") }), {
        maxTokens: 1000,
      });
      for (const event of events) gate.push(event);
      return gate.end();
    };
    expect(read(called)).toMatchObject({ stopReason: "tool-use", calls: [{}] });
    expect(read(called.slice(0, -2))).toMatchObject({
      stopReason: "interrupted",
      calls: [],
      error: { message: expect.stringContaining("Use its Responses") },
    });
  });

  test("stop sequences, where a call that one cut looks finished", () => {
    const make = (dialect: AnthropicDialectName, stop_sequences: string[]) => () =>
      anthropic("m", { dialect, params: { stop_sequences } });
    for (const dialect of ["ollama", "vllm"] as const) {
      expect(make(dialect, ["END"])).toThrow("leave out `params.stop_sequences`");
      expect(make(dialect, [])).not.toThrow();
    }
    expect(make("kimi", ["END"])).not.toThrow();
  });

  test("an image by its URL, where only bytes are taken", async () => {
    const { fetch, requests } = replyServer([called], bytes);
    const image = { type: "image", url: "https://files.example/a.png" } as const;
    const messages = [{ role: "user", content: [image] }] as const;
    const turn = await readTurn(anthropic("m", { dialect: "ollama", fetch }), { messages });
    expect(errorOf(turn)?.message).toContain("Ollama takes images only as bytes");
    expect(requests).toEqual([]);
  });
});

test("thinking without a signature goes back only to a host that takes it", async () => {
  const thoughts = [...thinking(0, "Hm."), ...tool(1, "read", "{}")];
  const cases: readonly (readonly [AnthropicOptions, number])[] = [
    [{ dialect: "kimi" }, 1],
    [{ dialect: "minimax" }, 0],
    [{ baseURL: "https://llm.example", unsignedThinking: true }, 1],
    [{ dialect: "kimi", unsignedThinking: false }, 0],
    [{}, 0],
  ];
  for (const [options, count] of cases) {
    const { fetch } = replyServer([reply("tool_use", thoughts)], bytes);
    const turn = await readTurn(anthropic("m", { apiKey: "k", fetch, ...options }), request);
    const kept = turn.message?.content.filter(({ type }) => type === "thinking");
    expect([options, kept?.length]).toEqual([options, count]);
  }
});
