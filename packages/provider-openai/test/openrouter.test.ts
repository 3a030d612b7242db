import type { Answer } from "@fullstop/conformance/server";
import { type Message, readTurn, type Turn } from "@fullstop/core";
import { type OpenAIOptions, openai } from "@fullstop/provider-openai";
import {
  call,
  callEvents,
  completed,
  created,
  done,
  ended,
  type Item,
  message,
  messageEvents,
  reasoning,
  response,
  usage,
} from "@tooling/test/openai-responses";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Fields, fieldsOf, inputOf } from "./host-wire.ts";
import {
  errorOf,
  expectNoCallIfCut,
  framesOf,
  json,
  type LocalHost,
  localHost,
  streamed,
} from "./local-host.ts";
import { openrouterViolations } from "./openrouter-wire.ts";
import { outline } from "./outline.ts";

const baseURL = "https://openrouter.ai/api/v1";
const user: Message = { role: "user", content: "Go." };
const readCall = call("read", '{"path":"a"}');
const readA = ["tool-use", ["read", { path: "a" }]];
const comment = ": OPENROUTER PROCESSING";
const debug = { type: "response.debug", debug: { echo_upstream_body: { model: "claude" } } };
const end = "data: [DONE]";

let host: LocalHost;
beforeAll(async () => {
  host = await localHost("https://openrouter.ai");
});
afterAll(() => host.close());

const optionsOf = (): OpenAIOptions => ({ baseURL, apiKey: "sk-or-1", fetch: host.fetch });
async function ask(
  answer: Answer,
  options: OpenAIOptions = {},
  messages: readonly Message[] = [user],
): Promise<Turn> {
  host.answer(answer);
  const adapter = openai("anthropic/claude-opus-5", { ...optionsOf(), ...options });
  return readTurn(adapter, { messages, maxTokens: 1000 });
}
const lastBody = (): Fields => JSON.parse(host.requests.at(-1)?.body ?? "{}") as Fields;

describe("OpenRouter, Responses", () => {
  const stream = [
    comment,
    debug,
    created,
    ...messageEvents(0, "Reading."),
    comment,
    ...callEvents(1, readCall),
    ended("completed", {
      usage: { ...usage, cost: 0.0001, cost_details: {}, is_byok: false },
      openrouter_metadata: { requested: "anthropic/claude-opus-5", region: "iad" },
    }),
    end,
  ];

  test("the address, the key and the body", async () => {
    const headers = { "x-openrouter-metadata": "enabled" };
    expect(outline(await ask(streamed(...stream), { headers }))).toEqual(readA);
    expect(host.requests.at(-1)).toMatchObject({
      path: "/api/v1/responses",
      headers: { authorization: "Bearer sk-or-1", "x-openrouter-metadata": "enabled" },
    });
    expect(lastBody()).toMatchObject({ store: false, stream: true, max_output_tokens: 1000 });
    expect(openrouterViolations(lastBody())).toEqual([]);
  });

  test("comments, a debug event and costs change nothing", async () => {
    const turn = await ask(streamed(...stream));
    expect([turn.text, turn.usage.input, turn.usage.output]).toEqual(["Reading.", 10, 20]);
  });

  test("a reply that is cut gives out no call", async () => {
    await expectNoCallIfCut(framesOf(stream.slice(0, -1)), ask);
  });

  test("a reply without its last event is not finished (moeru-ai/airi#2593)", async () => {
    const turn = await ask(streamed(...stream.slice(0, -2), end));
    expect(outline(turn)).toEqual(["interrupted"]);
    expect(turn.withheld.map(({ name }) => name)).toEqual(["read"]);
  });

  test("`response.done` ends a reply, if it says how", async () => {
    const items = [created, ...callEvents(0, readCall)];
    const last = (rest: Fields) => ({ type: "response.done", response: { id: "resp_1", ...rest } });
    for (const [ending, expected] of [
      [[last({ status: "completed", usage })], readA],
      [[completed, last({ status: "completed", usage })], readA],
      [[last({ status: "in_progress" })], ["interrupted"]],
      [[last({})], ["interrupted"]],
      [
        [last({ status: "incomplete", incomplete_details: { reason: "max_output_tokens" } })],
        "cut",
      ],
      [[completed, last({ status: "failed", error: { code: "server_error" } })], ["error"]],
    ] as const) {
      const turn = await ask(streamed(...items, ...ending, end));
      const { stopReason } = turn;
      expect(expected === "cut" ? [stopReason, turn.calls.length] : outline(turn)).toEqual(
        expected === "cut" ? ["length", 0] : expected,
      );
    }
  });

  test("a reply whose output exceeds the cap because of reasoning is finished", async () => {
    const counted = (output: number, reasoned: number) =>
      streamed(
        created,
        ...callEvents(0, readCall),
        ended("completed", {
          usage: {
            ...usage,
            output_tokens: output,
            output_tokens_details: { reasoning_tokens: reasoned },
          },
        }),
      );
    expect(outline(await ask(counted(1900, 1850)))).toEqual(readA);
    for (const cut of [counted(1000, 900), counted(1900, 0), counted(1900, 900)])
      expect(outline(await ask(cut))).toEqual(["length"]);
  });
});

describe("errors of OpenRouter", () => {
  const failed = (code: string, error_type: string, output: readonly Item[] = []) =>
    response("failed", { error: { code, message: "Provider error" }, error_type, output });

  test("`error_type` says more than the code, streamed or not, and nothing is sent again", async () => {
    const before = host.requests.length;
    for (const [errorType, kind] of [
      ["authentication", "auth"],
      ["payment_required", "billing"],
      ["provider_overloaded", "overloaded"],
      ["content_policy_violation", "filtered"],
      ["context_length_exceeded", "context-window"],
    ] as const) {
      const body = failed("server_error", errorType, [readCall]);
      for (const [answer, stream] of [
        [json(body), false],
        [streamed(created, { type: "response.failed", response: body }), true],
      ] as const) {
        const turn = await ask(answer, { stream });
        expect([errorType, turn.calls.length]).toEqual([errorType, 0]);
        if (kind === "filtered") expect(turn.stopReason).toBe("content-filter");
        else expect([errorType, errorOf(turn)?.kind]).toEqual([errorType, kind]);
      }
    }
    expect(host.requests.length - before).toBe(10);
  });

  test("an error type that is not known leaves the code to decide", async () => {
    expect(
      errorOf(await ask(json(failed("rate_limit_exceeded", "x")), { stream: false })),
    ).toMatchObject({ kind: "rate-limit" });
  });

  test("`response.error` at status 200 is an error", async () => {
    const error = { code: "rate_limit_exceeded", message: "Rate limit exceeded" };
    const turn = await ask(
      streamed(created, ...callEvents(0, readCall), { type: "response.error", error }),
    );
    expect([turn.calls.length, errorOf(turn)]).toMatchObject([
      0,
      { kind: "rate-limit", message: "Rate limit exceeded" },
    ]);
  });
});

describe("the history of OpenRouter", () => {
  const cited = message("It is red.", {
    content: [
      {
        type: "output_text",
        text: "It is red.",
        annotations: [{ type: "url_citation", url: "u" }],
      },
    ],
  });
  const signed = reasoning("Hm.", {
    encrypted_content: null,
    signature: "sig",
    format: "anthropic",
  });
  const unsigned = reasoning("Hm.", { encrypted_content: null });

  /** What goes back after a reply with these items. */
  async function returned(
    items: readonly Item[],
    options: OpenAIOptions = {},
  ): Promise<readonly Fields[]> {
    const turn = await ask(
      streamed(created, ...items.map((item, at) => done(at, item)), completed),
      options,
    );
    const sent = turn.message === undefined ? [] : [turn.message];
    await ask(streamed(created, ...messageEvents(0, "ok"), completed), options, [
      user,
      ...sent,
      user,
    ]);
    return inputOf(lastBody()).slice(1, -1);
  }

  test("a text goes back as a string: parts need an id, which other models' texts lack", async () => {
    const text = { type: "message", role: "assistant", content: "It is red." };
    expect(await returned([cited])).toEqual([text]);
    expect(openrouterViolations(lastBody())).toEqual([]);
    const client = new OpenAI({ baseURL, apiKey: "sk-or-1", fetch: host.fetch });
    expect(await returned([cited], { client })).toEqual([text]);
  });

  test("the address decides: other hosts get parts, which OpenRouter refuses", async () => {
    for (const [origin, refused] of [
      ["https://openrouter.ai", []],
      ["https://eu.openrouter.ai", []],
      ["https://notopenrouter.ai", ["input: id and status: Required"]],
      ["https://openrouter.ai.example", ["input: id and status: Required"]],
    ] as const) {
      const other = await localHost(origin);
      other.answer(
        streamed(created, done(0, cited), completed),
        streamed(created, ...messageEvents(0, "ok"), completed),
      );
      const adapter = openai("m", {
        baseURL: `${origin}/api/v1`,
        apiKey: "k",
        fetch: other.fetch,
      });
      const turn = await readTurn(adapter, { messages: [user] });
      await readTurn(adapter, { messages: [user, turn.message as Message, user] });
      const body = JSON.parse(other.requests[1]?.body ?? "{}") as Fields;
      await other.close();
      const messages = openrouterViolations(body).map((one) => one.message);
      expect([origin, messages]).toEqual([origin, refused]);
    }
  });

  test("reasoning goes back if it is encrypted or signed", async () => {
    const encrypted = reasoning("Hm.");
    for (const [thought, kept] of [
      [encrypted, [encrypted]],
      [signed, [signed]],
      [unsigned, []],
    ] as const) {
      const items = await returned([thought, message("Red.")]);
      expect(items.filter(({ type }) => type === "reasoning")).toEqual(kept);
    }
  });

  test("steps of its server tools need no answer, and go back unchanged", async () => {
    const steps: readonly Item[] = [
      { type: "openrouter:web_search", id: "ws_1", status: "completed", action: { query: "red" } },
      { type: "openrouter:bash", id: "b_1", call_id: "call_b", status: "completed", stdout: "ok" },
    ];
    expect(await returned([...steps, message("Red.")])).toMatchObject([...steps, {}]);
    const turn = await ask(
      streamed(created, done(0, steps[1] as Item), ...callEvents(1, readCall), completed),
    );
    expect(outline(turn)).toEqual(readA);
  });

  test("a patch of its tool is a call", async () => {
    const patch = {
      type: "apply_patch_call",
      call_id: "call_p",
      status: "completed",
      operation: { type: "delete_file", path: "a" },
    };
    expect(outline(await ask(streamed(created, done(0, patch), completed)))).toEqual([
      "tool-use",
      ["apply_patch", patch.operation],
    ]);
    const tool = { type: "openrouter:apply_patch", call_id: "call_p", status: "completed" };
    expect(errorOf(await ask(streamed(created, done(0, tool), completed)))?.code).toBe(
      "unsupported_item",
    );
    expect(fieldsOf(lastBody())["store"]).toBe(false);
  });
});
