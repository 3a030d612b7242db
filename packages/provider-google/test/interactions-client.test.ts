import { getEventListeners } from "node:events";
import { serve } from "@fullstop/conformance/server";
import { type ProviderError, readTurn, type Turn } from "@fullstop/core";
import { googleInteractions } from "@fullstop/provider-google";
import { GoogleGenAI } from "@google/genai";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  called,
  completed,
  created,
  json,
  reply,
  said,
  serveInteractions,
  stepEvents,
  thought,
  usage,
} from "./interactions-server.ts";

const user = { messages: [{ role: "user", content: "Go." }] } as const;
const whole = reply("requires_action", thought(), called("read", { path: "a" }));
const errorOf = (turn: Turn): ProviderError | undefined =>
  "error" in turn ? turn.error : undefined;
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

describe("over the SDK and a socket", () => {
  test("a request goes to /interactions without a history that the API keeps", async () => {
    vi.stubEnv("GOOGLE_GEMINI_BASE_URL", "https://elsewhere.example");
    vi.stubEnv("GOOGLE_GENAI_USE_VERTEXAI", "true");
    vi.stubEnv("GOOGLE_GENAI_API_VERSION", "v9");
    const server = await serveInteractions(whole);
    const turn = await server.ask({}, { headers: { "x-mine": "1" } });
    expect([turn.stopReason, turn.calls[0]?.input]).toEqual(["tool-use", { path: "a" }]);
    expect(server.paths()).toEqual(["/v1beta/interactions"]);
    expect(server.headers()).toMatchObject({ "x-goog-api-key": "key", "x-mine": "1" });
    expect(server.bodies()).toEqual([
      {
        model: "gemini-3.8-flash",
        input: [{ type: "user_input", content: [{ type: "text", text: "Go." }] }],
        store: false,
        stream: true,
        generation_config: { max_output_tokens: 32_000 },
      },
    ]);
  });

  test("nothing is retried, continued or written to the console", async () => {
    const noise = (["debug", "info", "warn", "error", "log"] as const).map((level) =>
      vi.spyOn(console, level).mockImplementation(() => undefined),
    );
    const failing = await serveInteractions(
      json({ error: { code: "service_unavailable", message: "Overloaded." } }, 503),
    );
    expect(errorOf(await failing.ask())).toMatchObject({ kind: "overloaded", status: 503 });
    const paused = [
      created,
      ...stepEvents([said("So far")]),
      completed("requires_continuation", { continuation_token: "dG9r" }),
    ];
    const long = await serveInteractions(paused);
    expect((await long.ask()).stopReason).toBe("pause");
    const inOnePiece = await serveInteractions(
      json({ id: "", status: "requires_continuation", continuation_token: "dG9r", steps: [] }),
    );
    expect((await inOnePiece.ask({}, { stream: false })).stopReason).toBe("pause");
    for (const { paths } of [failing, long, inOnePiece]) expect(paths()).toHaveLength(1);
    expect(noise.flatMap((spy) => spy.mock.calls)).toEqual([]);
  });

  test("a client of your own is used with its own fetch, and neither retries nor reads the reply", async () => {
    const server = await serveInteractions(
      json({ error: { code: "api_error", message: "Failed." } }, 500),
      reply("requires_action", thought(), called("read", '{"id":9007199254740993}')),
    );
    const fetched: string[] = [];
    const fetch: typeof globalThis.fetch = (input, init) => {
      fetched.push(input instanceof Request ? input.url : String(input));
      return globalThis.fetch(input, init);
    };
    const client = new GoogleGenAI({
      vertexai: false,
      apiKey: "key",
      httpOptions: { baseUrl: server.url, fetch },
    });
    const adapter = googleInteractions("gemini-3.8-flash", { client });
    expect(errorOf(await readTurn(adapter, user))?.kind).toBe("server");
    const { withheld } = await readTurn(adapter, user);
    expect(withheld).toMatchObject([{ reason: "number-too-large" }]);
    expect(fetched).toEqual(Array(2).fill(`${server.url}/v1/interactions`));
  });

  test("any object with `interactions.create` is a client, and its stream is read", async () => {
    async function* events() {
      yield* whole;
    }
    const client = { interactions: { create: async () => events() } };
    const turn = await readTurn(googleInteractions("g", { client }), user);
    expect([turn.stopReason, turn.calls.length]).toEqual(["tool-use", 1]);
  });

  test("an abort reaches the request, and no listener stays on the signal", async () => {
    const abort = new AbortController();
    const chunks = [new TextEncoder().encode(`data: ${JSON.stringify(created)}\n\n`)];
    const server = await serveInteractions({ chunks, fault: "stall" });
    const turn = await readTurn(server.adapter(), user, {
      signal: abort.signal,
      onFirstByte: () => abort.abort(),
    });
    expect(turn.stopReason).toBe("aborted");
    const { signal } = new AbortController();
    const other = await serveInteractions(whole);
    for (let n = 0; n < 12; n++) await readTurn(other.adapter(), user, { signal });
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("an error says the provider, the model and the address, and not the key", async () => {
    const server = await serveInteractions(
      json({ error: { code: "model_not_found", message: "The model was not found." } }, 404),
    );
    const error = errorOf(await server.ask());
    expect(error).toMatchObject({ kind: "invalid-request", code: "model_not_found", status: 404 });
    expect(error?.message).toContain("The model was not found.");
    const closed = await serve(() => ({ chunks: [] }));
    await closed.close();
    const adapter = googleInteractions("gemini-3.8-flash", {
      apiKey: "secret",
      baseURL: closed.url,
    });
    const unreachable = errorOf(await readTurn(adapter, user));
    expect(unreachable?.message).toContain(new URL(closed.url).host);
    expect(JSON.stringify(unreachable)).not.toContain("secret");
  });
});

describe("a reply in one piece", () => {
  const body = {
    id: "",
    status: "requires_action",
    steps: [
      { type: "thought", summary: [{ type: "text", text: "Hm." }], signature: "c2ln" },
      { type: "model_output", content: [{ type: "text", text: "Hi." }] },
      { type: "function_call", id: "call_1", name: "read", arguments: { path: "a" } },
    ],
    usage,
  };

  test("is requested and read", async () => {
    const server = await serveInteractions(json(body));
    const turn = await server.ask({}, { stream: false });
    expect([turn.text, turn.message?.content[0], turn.calls[0]?.input]).toEqual([
      "Hi.",
      { type: "thinking", text: "Hm.", providerData: "c2ln" },
      { path: "a" },
    ]);
    expect(turn.usage).toMatchObject({ input: 10, output: 20 });
    expect(server.bodies()[0].stream).toBe(false);
  });

  test("is interrupted if it was cut; a number that would be rounded is withheld", async () => {
    const text = JSON.stringify(body);
    const rounded = text.replace('{"path":"a"}', '{"id":9007199254740993}');
    const server = await serveInteractions(json(text.slice(0, -9)), json(rounded));
    expect((await server.ask({}, { stream: false })).stopReason).toBe("interrupted");
    expect((await server.ask({}, { stream: false })).withheld).toMatchObject([
      { reason: "number-too-large", inputText: '{"id":9007199254740993}' },
    ]);
  });
});
