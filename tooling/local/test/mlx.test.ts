import { write } from "@fullstop/conformance-cli/host";
import { type Adapter, readTurn, type TurnRequest } from "@fullstop/core";
import { openaiCompatible } from "@fullstop/provider-openai-compatible";
import { afterAll, beforeAll, describe, expect, type TestContext, test } from "vitest";
import { type MlxModel, type MlxServer, startMlx } from "../src/mlx.ts";
import { ask, askUncut, caps, change, chatBody, go, sweep } from "../src/sweep.ts";

/** A model, and how the server samples. With a seed it answers one request at a time. */
interface Case {
  readonly model: MlxModel;
  readonly params: { readonly temperature: number; readonly seed?: number };
}
const cases: readonly Case[] = [
  ...[1, 2, 3].map((seed): Case => ({ model: "one", params: { temperature: 1, seed } })),
  { model: "two", params: { temperature: 0 } },
  { model: "two", params: { temperature: 0, seed: 1 } },
  { model: "glm", params: { temperature: 0 } },
  { model: "thinking", params: { temperature: 1, seed: 1 } },
];
interface How {
  readonly stream?: boolean;
  readonly fetch?: typeof globalThis.fetch;
  readonly params?: Case["params"] & { readonly stop?: string[] };
}

describe("mlx_lm.server", () => {
  let started: MlxServer | undefined;
  let missing = "";
  beforeAll(async () => {
    try {
      started = await startMlx();
    } catch (thrown) {
      if (!(thrown instanceof Error && thrown.name === "MissingServerError")) throw thrown;
      missing = thrown.message;
    }
  });
  afterAll(() => started?.stop());

  const serverOf = ({ skip }: TestContext): MlxServer => started ?? skip(missing);
  const adapterOf = (server: MlxServer, model: MlxModel, how: How): Adapter =>
    openaiCompatible("mlx", server.pathOf(model), { baseURL: `${server.url}/v1`, ...how });
  const post = async (server: MlxServer, model: MlxModel, params: object): Promise<string> => {
    const body = JSON.stringify({ ...chatBody, model: server.pathOf(model), ...params });
    const response = await fetch(`${server.url}/v1/chat/completions`, { method: "POST", body });
    return response.text();
  };

  describe.each(cases)("caps from 1 to 60, model $model, $params", ({ model, params }) => {
    test.for([
      { stream: true, how: "as a stream" },
      { stream: false, how: "in one piece" },
    ])("$how", async ({ stream, how }, context) => {
      const server = serverOf(context);
      const uncut = await askUncut(server.url, { model: server.pathOf(model), ...params });
      expect(uncut.tokens).toBeGreaterThan(15);
      expect(uncut.tokens).toBeLessThan(caps.length);
      expect(uncut.inputs).toHaveLength(model === "two" ? 2 : 1);
      const adapter = adapterOf(server, model, { stream, params });
      const { refused, wrong, cut, whole } = await sweep(adapter, uncut);
      expect(refused).toEqual([]);
      expect(wrong).toEqual([]);
      console.info(
        `${model}, ${JSON.stringify(params)}, ${how}: 0 of ${cut} cut replies gave out calls, and ${whole} of ${whole} whole ones did. No request was refused.`,
      );
    });
  });

  test("the sweep notices a cut that is called a finished reply", async (context) => {
    const server = serverOf(context);
    const { fetch } = change((reply) =>
      reply
        .replace('"length"', '"tool_calls"')
        .replace(/"completion_tokens": \d+/, (found) => found.replace(/\d+/, "1")),
    );
    const uncut = await askUncut(server.url, { model: server.pathOf("glm"), temperature: 0 });
    const adapter = adapterOf(server, "glm", { stream: false, fetch });
    expect((await sweep(adapter, uncut)).wrong).not.toEqual([]);
  });

  describe("what docs/local-models.md says", () => {
    test("a cut is `length`, and JSON that was cut gives no call", async (context) => {
      const server = serverOf(context);
      for (const stream of [true, false]) {
        const reply = await post(server, "two", { max_tokens: 15, stream });
        expect(reply).toContain('"finish_reason": "length"');
        expect(reply).not.toContain("tool_calls");
      }
    });

    test("a whole call comes with the `length` of a later one", async (context) => {
      const server = serverOf(context);
      for (const stream of [true, false]) {
        const { fetch, last } = change((reply) => reply);
        const turn = await ask(adapterOf(server, "two", { stream, fetch }), [go], 33);
        expect(last()).toContain("On sea sky");
        expect(last()).not.toContain("On shore");
        expect(last()).not.toContain('"finish_reason": "tool_calls"');
        expect(turn).toMatchObject({ stopReason: "length", calls: [], withheld: [{}] });
      }
    });

    test("GLM's parser gives a call without the argument that was cut", async (context) => {
      const reply = await post(serverOf(context), "glm", { max_tokens: 15 });
      expect(reply).toContain(String.raw`"arguments": "{\"path\": \"notes.txt\"}"`);
      expect(reply).toContain('"finish_reason": "length"');
    });

    test("LongCat's parser closes the connection at a cut name", async (context) => {
      const server = serverOf(context);
      for (const stream of [true, false]) {
        const turn = await ask(adapterOf(server, "longcat", { stream }), [go], 2);
        expect(turn).toMatchObject({ stopReason: "interrupted", calls: [] });
        const whole = await ask(adapterOf(server, "longcat", { stream }), [go], 60);
        expect(whole.stopReason).toBe("tool-use");
      }
    });

    test("a stop sequence that cuts a call leaves `tool_calls`, and is refused", async (context) => {
      const server = serverOf(context);
      const reply = await post(server, "glm", { stop: ["!"] });
      expect(reply).toContain(String.raw`"arguments": "{\"path\": \"notes.txt\"}"`);
      expect(reply).toContain('"finish_reason": "tool_calls"');
      const removed = await post(server, "glm", { stop: [" sky"] });
      expect(removed).toContain(String.raw`\"text\": \"On! sea\"`);
      const params = { temperature: 0, stop: ["!"] };
      expect(() => adapterOf(server, "glm", { params })).toThrow("`params.stop`");
    });

    test("`tool_choice` is not read", async (context) => {
      const reply = await post(serverOf(context), "two", { tool_choice: "none" });
      expect(reply).toContain('"finish_reason": "tool_calls"');
    });

    test("a reply without a cap ends at 512 tokens", async (context) => {
      const reply = await post(serverOf(context), "one", { temperature: 0 });
      expect(reply).toContain('"finish_reason": "length"');
      expect(reply).toContain('"completion_tokens": 512');
    });

    test("a prompt beyond the window of 512 tokens is answered", async (context) => {
      const server = serverOf(context);
      const content = "Write the notes. ".repeat(100);
      const turn = await ask(adapterOf(server, "two", {}), [{ role: "user", content }], 60);
      expect(turn.stopReason).toBe("tool-use");
      expect(turn.usage.input).toBeGreaterThan(1500);
    });

    test("thoughts come as thinking, and an effort of `none` switches them off", async (context) => {
      const server = serverOf(context);
      for (const stream of [true, false]) {
        const adapter = adapterOf(server, "thinking", {
          stream,
          params: { temperature: 1, seed: 1 },
        });
        for (const [effort, expected] of [
          ["high", "I should write."],
          ["none", ""],
        ] as const) {
          let thoughts = "";
          const request: TurnRequest = { messages: [go], tools: [write], maxTokens: 500, effort };
          const turn = await readTurn(adapter, request, {
            onPreview: (preview) => {
              if (preview.type === "thinking") thoughts += preview.text;
            },
          });
          expect([turn.stopReason, thoughts]).toEqual(["tool-use", expected]);
        }
      }
    });

    test("errors are sentences of the server", async (context) => {
      const { url, pathOf } = serverOf(context);
      const baseURL = `${url}/v1`;
      const other = await ask(openaiCompatible("mlx", "any-name", { baseURL }), [go], 60);
      expect(other).toMatchObject({ stopReason: "error", error: { kind: "invalid-request" } });
      expect(JSON.stringify(other)).toContain("outgoing traffic has been disabled");
      const params = { temperature: -1 };
      const wrong = await ask(
        openaiCompatible("mlx", pathOf("two"), { baseURL, params }),
        [go],
        60,
      );
      expect(wrong).toMatchObject({ stopReason: "error", error: { kind: "invalid-request" } });
      expect(JSON.stringify(wrong)).toContain("temperature must be at least 0");
      const preset = await ask(openaiCompatible("mlx", "default_model", { baseURL }), [go], 3);
      expect(preset.stopReason).toBe("length");
    });
  });
});
