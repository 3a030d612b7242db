import { conform } from "@fullstop/conformance/vitest";
import { openaiChatWire } from "@fullstop/conformance/wires/openai-chat";
import { type Endpoint, type Message, readTurn, type TurnRequest } from "@fullstop/core";
import {
  type Dialect,
  type DialectName,
  dialects,
  openaiCompatible,
} from "@fullstop/provider-openai-compatible";
import type { SentRequest as Sent } from "@tooling/test/fake-server";
import { places } from "@tooling/test/sample";
import { afterEach, describe, expect, test, vi } from "vitest";
import { restatedArguments, rotatingAll, sameIndex, withoutIndex } from "./quirks/calls.ts";
import type { Quirk } from "./quirks/chunks.ts";
import { terse, usageWithFinishReason } from "./quirks/endings.ts";
import { callChunk, chunk, finishChunk, readCall } from "./quirks/fixtures.ts";
import { done, type Event, serve } from "./server.ts";

const go: Message = { role: "user", content: "Go." };
const request: TurnRequest = { messages: [go], maxTokens: 1024 };
const usage = (completion_tokens: number) => ({
  prompt_tokens: 1,
  completion_tokens,
  total_tokens: 1 + completion_tokens,
});
const named = (row: Dialect) => ({ ...row, name: "mine" });
afterEach(() => vi.unstubAllEnvs());

describe("your own dialects, for hosts that identify calls in another way", () => {
  const same = "its second call with the same index and id cannot be distinguished from the first";
  const lastOnly =
    "the suite changes only the last delta, which the deltas before it then do not begin";
  const rewriting = Object.fromEntries(
    [
      "call.input-exact",
      "call.cut-input",
      "call.lossy-input",
      "call.not-object",
      "call.required",
    ].map((id) => [id, lastOnly]),
  );
  const unsettled = "the input of a reply that never ends is withheld as all its deltas, joined";
  const cases: readonly (readonly [
    name: string,
    quirk: Quirk,
    row: Dialect,
    notClaimed?: Readonly<Record<string, string>>,
  ])[] = [
    ["complete calls without an index", withoutIndex, {}],
    [
      "one index for all calls",
      sameIndex,
      {},
      { "call.said-twice": same, "call.ids-unique": same, "call.none-lost": same },
    ],
    ["another id, and the name, in each delta", rotatingAll, { rotatesIds: true }],
    [
      "cumulative arguments",
      restatedArguments,
      { restatesArguments: true },
      { ...rewriting, "call.none-lost": unsettled },
    ],
  ];
  for (const [name, quirk, row, notClaimed] of cases) {
    const { fixtures: _, ...wire } = usageWithFinishReason(quirk(terse(openaiChatWire)));
    const subject = {
      wire: { ...wire, name },
      ...(notClaimed && { notClaimed }),
      adapter: (endpoint: Endpoint) => openaiCompatible(named(row), "m", endpoint),
    };
    for (const only of ["call", "stop.whole", "stop.cut", "wire.doubled-terminal"])
      conform(subject, { only, sample: places(), sockets: false });
  }

  test("without the quirk, deltas that may continue are not read as cumulative arguments", async () => {
    const pieces = [
      chunk({
        tool_calls: [{ index: 0, id: "1", function: { name: "read", arguments: '{"path":' } }],
      }),
      callChunk("1", "read", { path: "a" }),
    ];
    const answer = [...pieces, finishChunk("stop", usage(9)), done];
    const server = serve(answer, answer);
    expect((await readTurn(server.adapter("custom"), request)).stopReason).toBe(
      "malformed-tool-call",
    );
    expect(
      (await readTurn(server.adapter(named({ restatesArguments: true })), request)).calls[0]?.input,
    ).toEqual({ path: "a" });
  });

  test("white space after a complete input, with its name again and without an index, is not another input", async () => {
    const piece = (text: string) =>
      chunk({ tool_calls: [{ id: "1", function: { name: "read", arguments: text } }] });
    const answer = [
      piece('{"path":'),
      piece('"a"}'),
      piece("\n"),
      finishChunk("stop", usage(9)),
      done,
    ];
    expect((await readTurn(serve(answer).adapter("custom"), request)).calls).toMatchObject([
      { name: "read", input: { path: "a" } },
    ]);
  });

  test("choices are merged if the dialect says so", async () => {
    const second = {
      ...readCall,
      choices: [
        {
          index: 1,
          delta: {
            tool_calls: [{ index: 0, id: "1", function: { name: "read", arguments: "{}" } }],
          },
          finish_reason: "tool_calls",
        },
      ],
    };
    const answer: readonly Event[] = [
      chunk({ content: "Reading." }),
      finishChunk("stop", usage(9)),
      second,
      done,
    ];
    const server = serve(answer, answer);
    expect(await readTurn(server.adapter(named({ mergesChoices: true })), request)).toMatchObject({
      stopReason: "tool-use",
      text: "Reading.",
    });
    expect(await readTurn(server.adapter("custom"), request)).toMatchObject({
      stopReason: "interrupted",
      calls: [],
      error: { message: expect.stringContaining("mergesChoices") },
    });
  });
});

describe("hosts that mislabel truncated replies", () => {
  test("calls run only after a usage below the cap", async () => {
    for (const dialect of ["vllm", "litellm"] as const) {
      const whole = [readCall, finishChunk("tool_calls"), { choices: [], usage: usage(9) }, done];
      expect((await readTurn(serve(whole).adapter(dialect), request)).stopReason).toBe("tool-use");
      for (const cut of [whole.slice(0, 2), [...whole.slice(0, 2), done]] as const) {
        expect(await readTurn(serve(cut).adapter(dialect), request)).toMatchObject({
          stopReason: "length",
          withheld: [{ reason: "cap-unproven" }],
        });
      }
    }
  });

  test("the cap is always sent", async () => {
    const server = serve([finishChunk("stop")], [finishChunk("stop")]);
    await readTurn(server.adapter("vllm"), { messages: [go] });
    await readTurn(server.adapter("vllm", { maxTokens: { default: 99 } }), { messages: [go] });
    expect(server.requests.map(({ body }) => body.max_tokens)).toEqual([4096, 99]);
  });

  test("the reasoning of xAI counts as output, although completion_tokens excludes it", async () => {
    const reasoned = { ...usage(300), completion_tokens_details: { reasoning_tokens: 724 } };
    const turn = await readTurn(
      serve([readCall, finishChunk("tool_calls", reasoned), done]).adapter("xai"),
      request,
    );
    expect([turn.stopReason, turn.usage.output]).toEqual(["length", 1024]);
  });

  test("a cap that excludes reasoning is compared with the other output", async () => {
    const reasoned = (all: number) => ({
      ...usage(all),
      completion_tokens_details: { reasoning_tokens: 6000 },
    });
    for (const dialect of ["qwen", "siliconflow"] as const) {
      const read = async (all: number) =>
        (
          await readTurn(
            serve([readCall, finishChunk("tool_calls", reasoned(all)), done]).adapter(dialect),
            request,
          )
        ).stopReason;
      expect([await read(6100), await read(7024)]).toEqual(["tool-use", "length"]);
    }
  });
});

async function sent(
  dialect: DialectName | (Dialect & { readonly name: string }),
  more: Partial<TurnRequest> = {},
): Promise<Sent["body"]> {
  const server = serve([finishChunk("stop"), done]);
  await readTurn(server.adapter(dialect), { ...request, ...more });
  return server.requests[0]?.body;
}
const asked = (id: string, from?: string): readonly Message[] => [
  go,
  {
    role: "assistant",
    content: [{ type: "tool-call", id, nativeId: id, name: "read", inputText: "{}" }],
    ...(from && { from: { provider: from, protocol: "openai-chat", model: "m" } }),
  },
  { role: "tool", content: [{ type: "tool-result", id, name: "read", content: "ok" }] },
  { role: "user", content: "And?" },
];

describe("requests", () => {
  test("ids are unchanged for Kimi, and have at most forty characters elsewhere", async () => {
    const idIn = async (dialect: DialectName, id: string, from?: string) =>
      (await sent(dialect, { messages: asked(id, from) })).messages[1].tool_calls[0].id;
    expect(await idIn("kimi", "functions.read:0", "kimi")).toBe("functions.read:0");
    expect(await idIn("kimi", "functions.read:0")).toBe("functions.read:0");
    expect(await idIn("custom", "functions.read:0")).toMatch(/^[\w-]{1,40}$/);
  });

  test("reasoning goes back only to hosts that require it", async () => {
    const answer = [chunk({ reasoning_content: "Hm." }), readCall, finishChunk("tool_calls"), done];
    for (const [dialect, back] of [
      ["deepseek", "Hm."],
      ["kimi", "Hm."],
      ["custom", undefined],
    ] as const) {
      const server = serve(answer, [finishChunk("stop"), done]);
      const turn = await readTurn(server.adapter(dialect), request);
      if (turn.message === undefined) throw new Error("a turn without a message");
      const result = { type: "tool-result", id: "call_1", name: "read", content: "ok" } as const;
      await readTurn(server.adapter(dialect), {
        ...request,
        messages: [go, turn.message, { role: "tool", content: [result] }],
      });
      expect([dialect, server.requests[1]?.body.messages[1].reasoning_content]).toEqual([
        dialect,
        back,
      ]);
    }
    expect((await sent("deepseek", { messages: asked("a") })).messages[1].reasoning_content).toBe(
      "",
    );
  });

  test("tools are listed while the history has calls", async () => {
    const body = await sent("litellm", { messages: asked("a") });
    expect([body.tools[0].function.name, body.tool_choice]).toEqual(["read", "none"]);
    expect(await sent("custom", { messages: asked("a") })).not.toHaveProperty("tools");
  });

  test("the quirks of your own dialect apply", async () => {
    const messages = asked("a");
    expect((await sent(named({ contentNeeded: true }), { messages })).messages[1].content).toBe("");
    expect((await sent(named({ namesResults: true }), { messages })).messages[2].name).toBe("read");
    const roles = (body: Sent["body"]) => body.messages.map(({ role }: { role: string }) => role);
    expect(roles(await sent(named({ answersResults: true }), { messages }))).toEqual([
      "user",
      "assistant",
      "tool",
      "assistant",
      "user",
    ]);
    expect(await sent(named({ noStreamOptions: true }))).not.toHaveProperty("stream_options");
    const tools = [{ name: "read", description: "", inputSchema: {} }];
    expect(
      (await sent(named({ required: "any" }), { tools, toolChoice: "required" })).tool_choice,
    ).toBe("any");
  });

  test("free-form tools are objects with one member; effort and streamed arguments use the parameters of the host", async () => {
    const tools = [{ name: "patch", description: "", inputSchema: "text" }] as const;
    expect((await sent("custom", { tools })).tools[0].function.parameters.required).toEqual([
      "text",
    ]);
    expect(await sent("custom", { effort: "low" })).toMatchObject({ reasoning_effort: "low" });
    expect(await sent("qwen", { effort: "none" })).toMatchObject({ enable_thinking: false });
    for (const [effort, enable_thinking] of [
      ["none", false],
      ["high", true],
    ] as const) {
      const body = await sent("mlx", { effort });
      expect(body).toMatchObject({ chat_template_kwargs: { enable_thinking } });
      expect(body).not.toHaveProperty("reasoning_effort");
    }
    expect(await sent("glm", { tools })).toMatchObject({ tool_stream: true });
    expect(await sent("glm")).not.toHaveProperty("tool_stream");
    expect(await sent("azure")).toMatchObject({ max_completion_tokens: 1024 });
    expect(await sent("groq")).toMatchObject({ max_tokens: 1024 });
  });
});

describe("endpoints and credentials", () => {
  test("requests go to the host of the dialect, with the key of its variable", async () => {
    for (const [name, { baseURL, keyVariable }] of Object.entries(dialects)) {
      if (baseURL === undefined) continue;
      if (keyVariable !== undefined) vi.stubEnv(keyVariable, `key of ${name}`);
      const server = serve([finishChunk("stop"), done]);
      await readTurn(
        server.adapter(name as DialectName, { baseURL: undefined, apiKey: undefined }),
        request,
      );
      expect(server.requests[0]?.url).toBe(`${baseURL}/chat/completions`);
      expect(server.requests[0]?.headers.get("authorization")).toBe(
        `Bearer ${keyVariable === undefined ? "none" : `key of ${name}`}`,
      );
    }
  });

  test("nothing that the environment holds for OpenAI is sent", async () => {
    vi.stubEnv("OPENAI_BASE_URL", "https://elsewhere.example/v1");
    vi.stubEnv("OPENAI_API_KEY", "sk-openai");
    vi.stubEnv("OPENAI_ORG_ID", "org-secret");
    vi.stubEnv("OPENAI_PROJECT_ID", "proj-secret");
    vi.stubEnv("OPENAI_CUSTOM_HEADERS", "Authorization: Bearer secret\nX-Tenant: secret");
    const server = serve([finishChunk("stop"), done]);
    await readTurn(server.adapter("ollama", { baseURL: undefined, apiKey: undefined }), request);
    expect(server.requests[0]?.url).toBe("http://localhost:11434/v1/chat/completions");
    expect(JSON.stringify([...(server.requests[0]?.headers ?? [])])).not.toMatch(
      /secret|sk-openai/,
    );
    expect(server.requests[0]?.headers.get("authorization")).toBe("Bearer none");
  });

  test("without a key or a URL, the error of the turn names what is missing", async () => {
    vi.stubEnv("GROQ_API_KEY", undefined);
    const keyless = await readTurn(serve().adapter("groq", { apiKey: undefined }), request);
    expect(keyless).toMatchObject({
      stopReason: "error",
      error: { kind: "auth", message: expect.stringContaining("GROQ_API_KEY") },
    });
    const nowhere = await readTurn(serve().adapter("azure", { baseURL: undefined }), request);
    expect(nowhere).toMatchObject({
      stopReason: "error",
      error: { message: expect.stringContaining("baseURL") },
    });
  });
});
