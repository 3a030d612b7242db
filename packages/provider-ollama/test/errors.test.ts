import { serve } from "@fullstop/conformance/server";
import { type ProviderError, readTurn, type Turn } from "@fullstop/core";
import { ollama } from "@fullstop/provider-ollama";
import { describe, expect, test } from "vitest";
import { call, calls, text } from "./chunks.ts";
import { refusal, type Server, serveOllama } from "./server.ts";

const request = { messages: [{ role: "user", content: "Go." }] } as const;
const errorOf = (turn: Turn): ProviderError | undefined =>
  "error" in turn ? turn.error : undefined;
const ask = async (server: Server, model?: string): Promise<ProviderError | undefined> =>
  errorOf(await readTurn(server.adapter({}, model), request));

describe("what a person can do", () => {
  test.each([
    [404, "model 'qwen3' not found", "invalid-request", "Run `ollama pull qwen3`"],
    [
      404,
      'model "qwen3" not found, try pulling it first',
      "invalid-request",
      "Run `ollama pull qwen3`",
    ],
    [
      400,
      "registry.ollama.ai/library/gemma:latest does not support tools",
      "invalid-request",
      "Leave out `tools`",
    ],
    [400, '"qwen3" does not support thinking', "invalid-request", "Leave out `effort`"],
    [
      400,
      'think value "high" is not supported for this model',
      "invalid-request",
      "Set `params: { think: true }`",
    ],
    [401, "unauthorized", "auth", "Run `ollama signin`"],
    [
      500,
      "error parsing tool call: raw='{', err=unexpected end of JSON input",
      "malformed-tool-call",
      "raise `maxTokens`",
    ],
  ])("%i %s", async (status, sentence, kind, advice) => {
    const error = await ask(serveOllama(() => refusal(status, sentence)));
    expect([error?.kind, error?.status]).toEqual([kind, status]);
    expect(error?.message).toContain(sentence);
    expect(error?.message).toContain(advice);
  });

  test("other sentences stay as they are", async () => {
    const sentence = "model requires more system memory (8.4 GiB) than is available (6.1 GiB)";
    const error = await ask(serveOllama(() => refusal(500, sentence)));
    expect([error?.kind, error?.message]).toEqual([
      "server",
      `Ollama at 127.0.0.1:11434 failed (500): ${sentence}`,
    ]);
  });

  test("a server without the path: the base URL", async () => {
    const error = await ask(serveOllama(() => new Response("404 page not found", { status: 404 })));
    expect(error?.kind).toBe("invalid-request");
    expect(error?.message).toContain("`baseURL` is the address of the server, without `/api`");
  });

  test("no server, over a socket: start it", async () => {
    const server = await serve(() => ({ status: 200, chunks: [] }));
    await server.close();
    const turn = await readTurn(ollama("qwen3", { baseURL: server.url }), request);
    expect(turn.stopReason).toBe("interrupted");
    expect(errorOf(turn)).toMatchObject({ kind: "network", code: "ECONNREFUSED" });
    expect(errorOf(turn)?.message).toBe(
      `No connection to ${new URL(server.url).host}: it refused the connection (ECONNREFUSED). Start it with \`ollama serve\`, or correct \`baseURL\` or OLLAMA_HOST.`,
    );
  });

  test("a lost connection is not a server that does not run", async () => {
    const fetch = () =>
      Promise.reject(new TypeError("fetch failed", { cause: { code: "ECONNRESET" } }));
    const error = errorOf(await readTurn(ollama("qwen3", { fetch }), request));
    expect(error?.kind).toBe("network");
    expect(error?.message).not.toContain("ollama serve");
  });
});

describe("an error in the middle of a stream", () => {
  test("fails the reply, and no call of it runs", async () => {
    const server = serveOllama([
      text("Reading."),
      calls(call("read", {})),
      { error: "an error was encountered while running the model" },
    ]);
    const turn = await readTurn(server.adapter(), request);
    expect(turn).toMatchObject({ stopReason: "error", calls: [], error: { kind: "server" } });
  });

  test("about a call that the server could not read says what may help", async () => {
    const sentence = "failed to parse JSON: unexpected end of JSON input";
    const turn = await readTurn(serveOllama([text("So."), { error: sentence }]).adapter(), request);
    expect(turn.stopReason).toBe("malformed-tool-call");
    expect(errorOf(turn)?.message).toContain("If it was cut, raise `maxTokens`");
  });

  test("about the context window", async () => {
    const sentence = "the input length exceeds the context length";
    const turn = await readTurn(serveOllama([text("So."), { error: sentence }]).adapter(), request);
    expect(turn.stopReason).toBe("context-window");
  });
});

test("the key is in no error", async () => {
  const apiKey = "ollama-secret-key-0123456789";
  const server = serveOllama(() => refusal(401, `unauthorized: ${apiKey}`));
  const turn = await readTurn(server.adapter({ apiKey }), request);
  expect(JSON.stringify([turn, errorOf(turn)?.message])).not.toContain(apiKey);
});
