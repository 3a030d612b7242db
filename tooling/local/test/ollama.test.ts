import { write } from "@fullstop/conformance-cli/host";
import { type Adapter, createGate, type Preview, readTurn, type Turn } from "@fullstop/core";
import { ollama } from "@fullstop/provider-ollama";
import { ollamaReply } from "@fullstop/provider-ollama/reply";
import type { Service } from "@tooling/test/services";
import { afterAll, beforeAll, describe, expect, type TestContext, test } from "vitest";
import { endless, type OllamaReply, parserReplies, replies, stuck } from "../src/ollama-replies.ts";
import { askWithoutAdapter, startWithReplies } from "../src/ollama-server.ts";
import { type How, type Surface, surfaces, waysToAsk } from "../src/ollama-surfaces.ts";
import { startOf } from "../src/scripted-model.ts";
import { ask, change, go, sweep, type Uncut } from "../src/sweep.ts";

/** The two programs that run models. Which of them runs one depends on the model. */
const llamaEngine = {};
const ownEngine = { OLLAMA_NEW_ENGINE: "1" };
const streams = waysToAsk.filter(({ stream }) => stream);
/** Each surface gets the same from a parser. */
const [ownStream, , , chatInOnePiece] = waysToAsk;
const twoWays = [ownStream, chatInOnePiece].filter((way) => way !== undefined);
const servers: readonly {
  readonly reads: string;
  readonly models: Readonly<Record<string, OllamaReply>>;
  readonly ways: typeof waysToAsk;
  readonly env: Readonly<Record<string, string>>;
}[] = [
  { reads: "tags, llama.cpp's engine", models: replies, ways: waysToAsk, env: llamaEngine },
  { reads: "tags, Ollama's own engine", models: replies, ways: streams, env: ownEngine },
  { reads: "Ollama's parsers", models: parserReplies, ways: twoWays, env: llamaEngine },
];

/** These two are asked in a test of their own: see below. */
const isSeparate = (surface: string, stream: boolean, model: string): boolean =>
  (surface === "Messages" && stream && model === "thinking") ||
  (surface !== "Ollama's own" && model === "harmony");

/** On a machine with other work. */
const longestBuildMs = 30 * 60_000;

/** A server for the tests around it. They are skipped if it is missing. */
function serverWith(
  models: Readonly<Record<string, OllamaReply>>,
  env?: Readonly<Record<string, string>>,
): (context: TestContext) => string {
  let started: Service | undefined;
  let missing = "";
  beforeAll(async () => {
    try {
      started = await startWithReplies(models, env);
    } catch (thrown) {
      if (!(thrown instanceof Error && thrown.name === "MissingServiceError")) throw thrown;
      missing = thrown.message;
    }
  }, longestBuildMs);
  afterAll(() => started?.stop());
  return ({ skip }) => started?.url ?? skip(missing);
}

describe.each(servers)("Ollama, $reads, caps from 1 to 60", ({ reads, models, ways, env }) => {
  const urlOf = serverWith(models, env);

  /** Checks that the model writes its text, and counts its tokens. */
  const askUncut = async (url: string, model: string): Promise<Uncut> => {
    const body = { prompt: startOf(model), raw: true, think: false, stream: false };
    const [reply] = await askWithoutAdapter(`${url}/api/generate`, { model, ...body });
    expect(reply?.["response"]).toBe(models[model]?.text);
    return { tokens: Number(reply?.["eval_count"]), inputs: models[model]?.inputs ?? [] };
  };

  describe.each(Object.keys(models))("%s", (model) => {
    const asked = ways.filter(({ surface, stream }) => !isSeparate(surface, stream, model));
    test.for(asked)("$surface, $how", async ({ surface, adapter, stream, how }, context) => {
      const url = urlOf(context);
      const uncut = await askUncut(url, model);
      const { refused, wrong, cut, whole } = await sweep(adapter(url, model, { stream }), uncut);
      expect(refused).toEqual([]);
      expect(wrong).toEqual([]);
      console.info(
        `${reads}, ${model}, ${surface}, ${how}: 0 of ${cut} cut replies gave out calls, and ${whole} of ${whole} whole ones gave out all. No request was refused.`,
      );
    });
  });

  test.runIf(env === llamaEngine && models === replies)(
    "the sweep notices a usage that hides a cut",
    async (context) => {
      const url = urlOf(context);
      const { fetch } = change((reply) =>
        reply.replace(/"completion_tokens":\d+/, '"completion_tokens":1'),
      );
      const uncut = await askUncut(url, "two-calls");
      const model = surfaces.Chat(url, "two-calls", { stream: false, fetch });
      expect((await sweep(model, uncut)).wrong).not.toEqual([]);
    },
  );
});

const { harmony } = parserReplies;
const pageModels = { ...replies, stuck, endless, ...(harmony && { harmony }) };
const others: readonly Surface[] = ["Chat", "Messages"];
const all: readonly Surface[] = ["Ollama's own", ...others];
const both = [true, false];

describe("what docs/local-models.md says of Ollama", () => {
  const urlOf = serverWith(pageModels);

  /** A surface, and what it sent last. */
  function watched(context: TestContext, surface: Surface, model: string, stream: boolean) {
    const { fetch, last } = change((reply) => reply);
    return { adapter: surfaces[surface](urlOf(context), model, { stream, fetch }), last };
  }
  const adapterOf = (context: TestContext, surface: Surface, model: string, how: How): Adapter =>
    surfaces[surface](urlOf(context), model, how);

  /** What each surface calls a cut reply, without and with a whole call before the cut. */
  const words: Readonly<Record<Surface, readonly [string, string]>> = {
    "Ollama's own": ['"done_reason":"length"', '"done_reason":"length"'],
    Chat: ['"finish_reason":"length"', '"finish_reason":"tool_calls"'],
    Messages: ['"stop_reason":"max_tokens"', '"stop_reason":"tool_use"'],
  };

  test("a cut is `length`, except behind a whole call on two of the surfaces", async (context) => {
    for (const surface of all)
      for (const stream of both) {
        const { adapter, last } = watched(context, surface, "two-calls", stream);
        const [inFirst, inSecond] = words[surface];
        expect(await ask(adapter, [go], 12)).toMatchObject({ stopReason: "length", withheld: [] });
        expect(last()).toContain(inFirst);
        expect(last()).not.toContain('"tool_calls":[');
        expect(await ask(adapter, [go], 40)).toMatchObject({ stopReason: "length", calls: [] });
        expect(last()).toContain(inSecond);
        expect(last()).toContain("Done.");
        expect(last()).not.toContain("Nothing");
      }
  });

  test("a cut call without a tag is a text", async (context) => {
    for (const surface of all)
      for (const stream of both) {
        const turn = await ask(adapterOf(context, surface, "untagged", { stream }), [go], 12);
        expect(turn).toMatchObject({ stopReason: "length", calls: [], withheld: [] });
        expect(turn.text).toContain('{"name":"write"');
      }
  });

  test("streams report the usage", async (context) => {
    const body = { model: "text", messages: [go], stream: false };
    const [reply] = await askWithoutAdapter(`${urlOf(context)}/api/chat`, body);
    const output = reply?.["eval_count"];
    for (const surface of all) {
      const turn = await ask(adapterOf(context, surface, "text", { stream: true }), [go], 60);
      expect(turn).toMatchObject({ stopReason: "stop", usage: { output } });
      expect(turn.usage.input).toBeGreaterThan(100);
    }
  });

  test("a call that is required is not forced", async (context) => {
    for (const surface of all) {
      const adapter = adapterOf(context, surface, "text", { stream: false });
      const request = { messages: [go], tools: [write], maxTokens: 60 };
      const required = await readTurn(adapter, { ...request, toolChoice: "required" });
      const free = await readTurn(adapter, request);
      expect(required).toMatchObject({ stopReason: "stop", calls: [], text: free.text });
    }
  });

  test("a reply that repeats itself ends early, and no call of it runs", async (context) => {
    for (const surface of all)
      for (const stream of both) {
        const { adapter, last } = watched(context, surface, "stuck", stream);
        const turn = await ask(adapter, [go], 500);
        expect(last()).toContain("harbour"); // the whole call came
        expect(turn).toMatchObject({ calls: [], withheld: [{ name: "write" }] });
      }
  });

  test("a stop sequence inside a later call leaves a finished reply, and is refused", async (context) => {
    const url = urlOf(context);
    const { name, description, inputSchema: parameters } = write;
    const tools = [{ type: "function", function: { name, description, parameters } }];
    const options = { stop: ["left"] };
    const body = { model: "two-calls", messages: [go], tools, options, stream: false };
    const [reply] = await askWithoutAdapter(`${url}/api/chat`, body);
    expect(reply).toMatchObject({ done_reason: "stop", message: { tool_calls: [{}] } });
    const turn = await ask(ollama("two-calls", { baseURL: url, params: { options } }), [go], 100);
    expect(turn).toMatchObject({ stopReason: "error", error: { kind: "invalid-request" } });
  });

  const long = { role: "user", content: "Write the notes. ".repeat(400) } as const;

  test("only the own surface reports a prompt that does not fit", async (context) => {
    for (const stream of both) {
      const own = await ask(adapterOf(context, "Ollama's own", "one-call", { stream }), [long], 60);
      expect(own).toMatchObject({
        stopReason: "context-window",
        error: { kind: "context-window" },
      });
      for (const surface of others) {
        const turn = await ask(adapterOf(context, surface, "one-call", { stream }), [long], 60);
        expect(turn.stopReason).toBe("tool-use");
        expect(turn.usage.input).toBeLessThanOrEqual(2048);
      }
    }
  });

  test("only the own surface ends a reply that fills the window", async (context) => {
    const request = { messages: [go], maxTokens: 3000 };
    const own = await readTurn(
      adapterOf(context, "Ollama's own", "endless", { stream: true }),
      request,
    );
    expect(own).toMatchObject({ stopReason: "length", native: { stop: "length" } });
    expect(own.usage.output).toBeLessThan(2048);
    for (const surface of others) {
      const turn = await readTurn(
        adapterOf(context, surface, "endless", { stream: true }),
        request,
      );
      expect(turn).toMatchObject({ stopReason: "length", usage: { output: 3000 } });
    }
    const shifted = ollama("endless", { baseURL: urlOf(context), params: { shift: true } });
    expect(await readTurn(shifted, request)).toMatchObject({ usage: { output: 3000 } });
  });

  test("`num_ctx` of a request sets the window", async (context) => {
    const params = { options: { num_ctx: 256 } };
    const small = ollama("endless", { baseURL: urlOf(context), params });
    const turn = await readTurn(small, { messages: [go], maxTokens: 3000 });
    expect(turn.stopReason).toBe("context-window");
    expect(turn.usage.output).toBeLessThan(256);
  });

  test("thinking comes apart, and what a model does not have is refused", async (context) => {
    const request = { messages: [go], tools: [write], maxTokens: 60 };
    const thought = [{ type: "thinking", text: "I must write it down." }, { type: "tool-call" }];
    for (const stream of both) {
      const own = adapterOf(context, "Ollama's own", "thinking", { stream });
      const high = await readTurn(own, { ...request, effort: "high" });
      expect(high).toMatchObject({ stopReason: "tool-use", message: { content: thought } });
      let shown = "";
      const onPreview = (preview: Preview): void => {
        if (preview.type === "thinking") shown += preview.text;
      };
      const chat = adapterOf(context, "Chat", "thinking", { stream });
      expect((await readTurn(chat, request, { onPreview })).stopReason).toBe("tool-use");
      expect(shown).toBe("I must write it down.");
      const plain = adapterOf(context, "Ollama's own", "text", { stream });
      const refused = await readTurn(plain, { ...request, effort: "high" });
      expect(refused).toMatchObject({ stopReason: "error", error: { kind: "invalid-request" } });
      expect(refused).toHaveProperty(
        "error.message",
        expect.stringContaining("Leave out `effort`"),
      );
      const params = { think: "high" } as const;
      const level = await readTurn(
        ollama("thinking", { baseURL: urlOf(context), params, stream }),
        request,
      );
      expect(level).toHaveProperty("error.message", expect.stringContaining("think: true"));
    }
  });

  test("Messages, as a stream, starts a block twice for a call behind thinking", async (context) => {
    const { adapter, last } = watched(context, "Messages", "thinking", true);
    const turn = await ask(adapter, [go], 60);
    expect(last()).toContain('"index":0,"content_block":{"type":"thinking"');
    expect(last()).toContain('"index":0,"content_block":{"type":"tool_use"');
    expect(turn).toMatchObject({ stopReason: "interrupted", calls: [] });
  });

  test("the parser of gpt-oss fails on a cut call", async (context) => {
    const stops: Record<string, readonly string[]> = {};
    for (const surface of all)
      for (const stream of both) {
        const adapter = adapterOf(context, surface, "harmony", { stream });
        const turn = await ask(adapter, [go], 20);
        expect(turn.calls).toEqual([]);
        stops[surface] = [...(stops[surface] ?? []), turn.stopReason];
        expect(await ask(adapter, [go], 60)).toMatchObject({ stopReason: "tool-use" });
      }
    expect(stops).toEqual({
      "Ollama's own": ["malformed-tool-call", "malformed-tool-call"],
      Chat: ["error", "error"],
      Messages: ["error", "error"],
    });
  });

  test("`keep_alive` says how long the model stays", async (context) => {
    const url = urlOf(context);
    const model = ollama("text", { baseURL: url, params: { keep_alive: "10m" } });
    await readTurn(model, { messages: [go], maxTokens: 2 });
    const answer = (await (await fetch(`${url}/api/ps`)).json()) as {
      readonly models: readonly { readonly expires_at: string }[];
    };
    const left = Date.parse(answer.models[0]?.expires_at ?? "") - Date.now();
    expect(left).toBeGreaterThan(8 * 60_000);
    expect(left).toBeLessThanOrEqual(10 * 60_000);
  });

  test("a model that the server does not have is an error of the request", async (context) => {
    for (const surface of all)
      for (const stream of both) {
        const turn = await ask(adapterOf(context, surface, "nothing", { stream }), [go], 9);
        expect(turn).toMatchObject({ stopReason: "error", error: { kind: "invalid-request" } });
        expect(turn).toHaveProperty("error.message", expect.stringContaining("nothing"));
      }
  });

  test("a request without messages loads the model, or removes it", async (context) => {
    const url = `${urlOf(context)}/api/chat`;
    for (const [reason, body] of [
      ["load", {}],
      ["unload", { keep_alive: 0 }],
    ] as const) {
      const lines = await askWithoutAdapter(url, { model: "text", messages: [], ...body });
      const gate = createGate(ollamaReply("text"), { body: { model: "text", messages: [] } });
      for (const line of lines) gate.push(line as never);
      const turn: Turn = gate.end();
      expect(turn).toMatchObject({ stopReason: "error", native: { stop: reason }, calls: [] });
    }
  });

  /** Last, because an aborted stream may keep the model's only slot: ollama/ollama#17131. */
  test("an abort ends the turn", async (context) => {
    const stop = new AbortController();
    const turn = await readTurn(
      adapterOf(context, "Ollama's own", "endless", { stream: true }),
      { messages: [go], maxTokens: 3000 },
      { signal: stop.signal, onPreview: () => stop.abort() },
    );
    expect(turn).toMatchObject({ stopReason: "aborted", calls: [] });
  });
});
