import {
  type Adapter,
  type Message,
  type ProviderError,
  readTurn,
  type Turn,
  type TurnRequest,
} from "@fullstop/core";
import { type CopilotOptions, copilot } from "@fullstop/provider-copilot";
import { fakeServer, type SentRequest } from "@tooling/test/fake-server";
import { afterEach, describe, expect, test, vi } from "vitest";

const user: Message = { role: "user", content: "Go." };
const request = { messages: [user] } as const;
const errorOf = (turn: Turn): ProviderError | undefined =>
  "error" in turn ? turn.error : undefined;
afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

const sse = (...events: readonly object[]): string =>
  [...events.map((event) => JSON.stringify(event)), "[DONE]"]
    .map((data) => `data: ${data}\n\n`)
    .join("");
const chunk = (delta: object, finish_reason: string | null = null, index = 0): object => ({
  choices: [{ index, delta, finish_reason }],
});
const call = {
  index: 0,
  id: "call_1",
  type: "function",
  function: { name: "read", arguments: '{"path":"a"}' },
};
const chat = sse(chunk({ content: "Hi." }), chunk({}, "stop"));
const responses = sse({
  type: "response.completed",
  response: { id: "r", status: "completed", output: [], usage: null },
});
const messages = sse(
  {
    type: "message_start",
    message: { id: "m", content: [], usage: { input_tokens: 1, output_tokens: 1 } },
  },
  { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 1 } },
  { type: "message_stop" },
);

/** A server for the real SDKs. Gives the answers in order. */
function serve(...answers: readonly (string | Response)[]) {
  const { requests, fetch } = fakeServer(
    answers.map(
      (answer) => () =>
        answer instanceof Response
          ? answer
          : new Response(answer, { headers: { "content-type": "text/event-stream" } }),
    ),
  );
  const adapter = (model: string, options: Partial<CopilotOptions> = {}): Adapter =>
    copilot(model, { token: async () => ({ token: "short-lived" }), fetch, ...options });
  return { requests, fetch, adapter };
}

test("an object is requested in a protocol's format only if the option says so", async () => {
  const output = { schema: { type: "object", properties: {} } };
  const bodyOf = async (model: string, answer: string, options: Partial<CopilotOptions> = {}) => {
    const { requests, adapter } = serve(answer);
    await readTurn(adapter(model, options), { ...request, output });
    return requests[0]?.body;
  };
  const surfaces = [
    ["gpt-4.1", chat, "response_format"],
    ["gpt-5.5", responses, "text"],
    ["claude-sonnet-4.5", messages, "output_config"],
  ] as const;
  for (const [model, answer, field] of surfaces) {
    expect(await bodyOf(model, answer)).not.toHaveProperty(field);
    expect(await bodyOf(model, answer, { outputFormat: "always" })).toHaveProperty(field);
  }
});

describe("each model uses its own protocol", () => {
  test.for([
    ["gpt-4.1", "https://api.githubcopilot.com/chat/completions", chat],
    ["gemini-3-pro", "https://api.githubcopilot.com/chat/completions", chat],
    ["grok-code-fast-1", "https://api.githubcopilot.com/chat/completions", chat],
    ["gpt-5.5", "https://api.githubcopilot.com/responses", responses],
    ["gpt-5-mini", "https://api.githubcopilot.com/responses", responses],
    ["gpt-5.3-codex", "https://api.githubcopilot.com/responses", responses],
    ["claude-sonnet-4.5", "https://api.githubcopilot.com/v1/messages", messages],
  ] as const)("%s", async ([model, url, answer]) => {
    const { requests, adapter } = serve(answer);
    const turn = await readTurn(adapter(model), request);
    expect([turn.stopReason, requests[0]?.url, requests[0]?.body.model]).toEqual([
      "stop",
      url,
      model,
    ]);
    expect(adapter(model).provider).toBe("copilot");
  });

  test("unless `surface` is given", async () => {
    const { requests, adapter } = serve(chat);
    await readTurn(
      adapter("gpt-5.5", {
        surface: "chat",
        params: { chat: { temperature: 0 }, responses: { top_p: 1 } },
      }),
      request,
    );
    expect(requests[0]?.url).toMatch(/chat\/completions$/);
    expect(requests[0]?.body).toMatchObject({ temperature: 0 });
    expect(requests[0]?.body).not.toHaveProperty("top_p");
  });
});

describe("headers for Copilot", () => {
  const sent = async (
    asked: TurnRequest,
    model = "gpt-4.1",
    options: Partial<CopilotOptions> = {},
  ): Promise<Headers> => {
    const { requests, adapter } = serve("");
    await readTurn(adapter(model, options), asked);
    return requests[0]?.headers ?? new Headers();
  };
  const called: Message = {
    role: "assistant",
    content: [{ type: "tool-call", id: "a", name: "read", inputText: "{}" }],
  };
  const image = { type: "image", mediaType: "image/png", data: "AAAA" } as const;

  test.for(["gpt-4.1", "gpt-5.5", "claude-sonnet-5"])(
    "%s: the client's own, and none that were meant for another host",
    async (model) => {
      vi.stubEnv("OPENAI_ORG_ID", "org");
      vi.stubEnv("OPENAI_CUSTOM_HEADERS", "x-secret: 1");
      vi.stubEnv("ANTHROPIC_CUSTOM_HEADERS", "x-secret: 1");
      vi.stubEnv("ANTHROPIC_AUTH_TOKEN", "ambient");
      vi.stubEnv("OPENAI_BASE_URL", "https://elsewhere.example");
      vi.stubEnv("ANTHROPIC_BASE_URL", "https://elsewhere.example");
      const headers = await sent(request, model, { headers: { "editor-version": "mine/1.0" } });
      expect(Object.fromEntries(headers)).toMatchObject({
        authorization: "Bearer short-lived",
        "copilot-integration-id": "vscode-chat",
        "editor-version": "mine/1.0",
        "x-initiator": "user",
      });
      for (const name of ["x-secret", "x-api-key", "openai-organization"])
        expect(headers.has(name)).toBe(false);
    },
  );

  test.for<[string, readonly Message[], string]>([
    ["a person's question", [user], "user"],
    [
      "results",
      [
        user,
        called,
        { role: "tool", content: [{ type: "tool-result", id: "a", name: "read", content: "ok" }] },
      ],
      "agent",
    ],
    ["a note of the loop", [user, { role: "user", content: "Go on.", by: "loop" }], "agent"],
  ])("%s", async ([, history, initiator]) => {
    expect((await sent({ messages: history })).get("x-initiator")).toBe(initiator);
  });

  test("an image in a message or a result", async () => {
    expect((await sent(request)).has("copilot-vision-request")).toBe(false);
    expect(
      (await sent({ messages: [{ role: "user", content: [image] }] })).get(
        "copilot-vision-request",
      ),
    ).toBe("true");
    const shown: Message = {
      role: "tool",
      content: [{ type: "tool-result", id: "a", name: "read", content: [image] }],
    };
    expect((await sent({ messages: [user, called, shown] })).get("copilot-vision-request")).toBe(
      "true",
    );
  });

  test.for(["gpt-4.1", "gpt-5.5", "claude-sonnet-5"])(
    "%s: an image by its URL is an error at once, because Copilot takes bytes only",
    async (model) => {
      const { requests, adapter } = serve("");
      const shown = { type: "image", url: "https://files.example/a.png" } as const;
      const turn = await readTurn(adapter(model), {
        messages: [{ role: "user", content: [shown] }],
      });
      expect(errorOf(turn)).toMatchObject({
        kind: "invalid-request",
        message: expect.stringContaining("Copilot takes images and files only as bytes"),
      });
      expect(requests).toEqual([]);
    },
  );

  test("a conversation over chat ends with a user message", async () => {
    const { requests, adapter } = serve("");
    await readTurn(adapter("gpt-4.1"), {
      messages: [user, { role: "assistant", content: [{ type: "text", text: "So" }] }],
    });
    expect(requests[0]?.body.messages.at(-1).role).toBe("user");
  });
});

describe("the token", () => {
  const exchange = (expiresAt?: number) => {
    let count = 0;
    return {
      token: async () => ({
        token: `token-${++count}`,
        expiresAt,
        baseURL: "https://api.business.example",
      }),
    };
  };
  const spent = (requests: readonly SentRequest[]): readonly (string | null)[] =>
    requests.map(({ headers }) => headers.get("authorization"));

  test("is exchanged once, until a minute before it expires", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 1_000_000 });
    const { requests, adapter } = serve(chat, chat, chat);
    const one = adapter("gpt-4.1", exchange(1_000_000 + 600_000));
    await readTurn(one, request);
    vi.setSystemTime(1_000_000 + 539_000);
    await readTurn(one, request);
    vi.setSystemTime(1_000_000 + 540_000);
    await readTurn(one, request);
    expect(spent(requests)).toEqual(["Bearer token-1", "Bearer token-1", "Bearer token-2"]);
    expect(requests[0]?.url).toBe("https://api.business.example/chat/completions");
  });

  test("without an expiry is exchanged for each request; a given base URL wins", async () => {
    const { requests, adapter } = serve(chat, chat);
    const one = adapter("gpt-4.1", { ...exchange(), baseURL: "http://127.0.0.1:1" });
    await readTurn(one, request);
    await readTurn(one, request);
    expect(spent(requests)).toEqual(["Bearer token-1", "Bearer token-2"]);
    expect(requests[0]?.url).toBe("http://127.0.0.1:1/chat/completions");
  });

  test("is exchanged once for parallel requests, and again after a failure", async () => {
    let count = 0;
    const token = async () => {
      count++;
      if (count === 1) throw Object.assign(new Error("Bad credentials"), { status: 401 });
      return { token: "t", expiresAt: Date.now() + 600_000 };
    };
    const { adapter } = serve(chat, chat);
    const one = adapter("gpt-4.1", { token });
    const failed = await Promise.all([readTurn(one, request), readTurn(one, request)]);
    expect(failed.map((turn) => errorOf(turn)?.kind)).toEqual(["auth", "auth"]);
    const turns = await Promise.all([readTurn(one, request), readTurn(one, request)]);
    expect([count, ...turns.map(({ stopReason }) => stopReason)]).toEqual([2, "stop", "stop"]);
  });
});

describe("replies that differ from the protocol", () => {
  const ask = (...events: readonly object[]): Promise<Turn> =>
    readTurn(serve(sse(...events)).adapter("gpt-4.1"), request);
  const ran = { stopReason: "tool-use", calls: [{ name: "read", input: { path: "a" } }] };

  test("text in one choice and calls in another are one reply", async () => {
    const turn = await ask(
      chunk({ content: "Reading." }),
      chunk({ tool_calls: [call] }, null, 1),
      chunk({}, "stop"),
      chunk({}, "tool_calls", 1),
    );
    expect(turn).toMatchObject({ ...ran, text: "Reading." });
  });

  test("only `[DONE]` ends a reply with several choices, not the end of one choice", async () => {
    const second = { ...call, id: "call_2", function: { name: "list", arguments: "{}" } };
    const events = [
      chunk({ tool_calls: [call] }),
      chunk({}, "tool_calls"),
      chunk({ tool_calls: [second] }, null, 1),
      chunk({}, "tool_calls", 1),
    ];
    const lines = events.map((event) => `data: ${JSON.stringify(event)}\n\n`);
    for (const length of [2, 3, 4]) {
      const turn = await readTurn(
        serve(lines.slice(0, length).join("")).adapter("gpt-4.1"),
        request,
      );
      expect([length, turn.stopReason, turn.calls]).toEqual([length, "interrupted", []]);
    }
    expect((await ask(...events)).calls.map(({ name }) => name)).toEqual(["read", "list"]);
  });

  test("a choice without a finish reason leaves the reply interrupted", async () => {
    expect(
      (await ask(chunk({ tool_calls: [call] }), chunk({ content: "Hm." }, "stop", 1))).stopReason,
    ).toBe("interrupted");
  });

  test("with `mislabelsTruncation`, a call needs a usage below the cap", async () => {
    const events = sse(chunk({ tool_calls: [call] }), chunk({}, "tool_calls"));
    const adapter = serve(events).adapter("gpt-4.1", {
      mislabelsTruncation: true,
      maxTokens: { default: 1024 },
    });
    expect(await readTurn(adapter, request)).toMatchObject({
      stopReason: "length",
      withheld: [{ reason: "cap-unproven" }],
    });
  });

  test("an output cap in `params` is refused at once", () => {
    const chat = { max_tokens: 20 } as object;
    expect(() => serve().adapter("gpt-4.1", { params: { chat } })).toThrow(/maxTokens/);
  });

  test("a function_call that repeats a call is ignored, and its finish reason ends nothing", async () => {
    const echo = { function_call: { name: "read", arguments: '{"path":"a"}' } };
    expect(
      await ask(chunk({ tool_calls: [call], ...echo }), chunk({}, "tool_calls")),
    ).toMatchObject(ran);
    expect(
      await ask(
        chunk(echo, "function_call"),
        chunk({ tool_calls: [call] }),
        chunk({}, "tool_calls"),
      ),
    ).toMatchObject(ran);
    const cut = `data: ${JSON.stringify(chunk(echo, "function_call"))}\n\ndata: ${JSON.stringify(chunk({ tool_calls: [call] }))}\n\n`;
    expect(await readTurn(serve(cut).adapter("gpt-4.1"), request)).toMatchObject({
      stopReason: "interrupted",
      calls: [],
    });
  });

  test("calls with one index are distinguished by their ids", async () => {
    const other = { ...call, id: "call_2", function: { name: "list", arguments: "{}" } };
    const turn = await ask(
      chunk({ tool_calls: [call] }),
      chunk({ tool_calls: [other] }),
      chunk({}, "tool_calls"),
    );
    expect(turn.calls.map(({ name }) => name)).toEqual(["read", "list"]);
  });

  test("frames without choices are ignored, and `error` is an error", async () => {
    const turn = await ask(
      { choices: null, copilot_references: [] },
      { copilot_errors: [] },
      chunk({ content: "Hi." }),
      chunk({}, "stop"),
    );
    expect([turn.stopReason, turn.text]).toEqual(["stop", "Hi."]);
    expect((await ask(chunk({ tool_calls: [call] }), chunk({}, "error"))).stopReason).toBe("error");
  });

  test("a Claude reply over chat without a finish reason is interrupted, and the error names the option", async () => {
    const claude = serve(sse(chunk({ tool_calls: [call] }))).adapter("claude-sonnet-4", {
      surface: "chat",
    });
    const turn = await readTurn(claude, request);
    expect([turn.stopReason, turn.calls.length]).toEqual(["interrupted", 0]);
    expect(errorOf(turn)?.message).toContain("messages");
  });

  test.for([
    [
      400,
      {
        code: "model_max_prompt_tokens_exceeded",
        message: "prompt token count of 9 exceeds the limit of 5",
      },
      "context-window",
    ],
    [400, { message: "prompt token count of 9 exceeds the limit of 5" }, "context-window"],
    [402, { code: "quota_exceeded", message: "No quota." }, "billing"],
    [413, { message: "failed to parse request" }, "context-window"],
    [401, { message: "IDE token expired" }, "auth"],
  ] as const)("HTTP %i %j is %s on every surface", async ([status, error, kind]) => {
    for (const model of ["gpt-4.1", "gpt-5.5", "claude-sonnet-5"]) {
      const failing = new Response(JSON.stringify({ error }), {
        status,
        headers: { "content-type": "application/json" },
      });
      expect(errorOf(await readTurn(serve(failing).adapter(model), request))).toMatchObject({
        kind,
        status,
      });
    }
  });
});
