import type { Service } from "@tooling/services";
import { afterAll, beforeAll, describe, expect, type TestContext, test } from "vitest";
import { type OllamaReply, parserReplies, replies } from "../src/ollama-replies.ts";
import { askWithoutAdapter, startWithReplies } from "../src/ollama-server.ts";
import { surfaces, waysToAsk } from "../src/ollama-surfaces.ts";
import { startOf } from "../src/scripted-model.ts";
import { change, sweep, type Uncut } from "../src/sweep.ts";

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

/** These two are asked in a test of their own: see `ollama-page.test.ts`. */
const isSeparate = (surface: string, stream: boolean, model: string): boolean =>
  (surface === "Messages" && stream && model === "thinking") ||
  (surface !== "Ollama's own" && model === "harmony");

describe.each(servers)("Ollama, $reads, caps from 1 to 60", ({ reads, models, ways, env }) => {
  let started: Service | undefined;
  let missing = "";
  beforeAll(async () => {
    try {
      started = await startWithReplies(models, env);
    } catch (thrown) {
      if (!(thrown instanceof Error && thrown.name === "MissingServiceError")) throw thrown;
      missing = thrown.message;
    }
  });
  afterAll(() => started?.stop());
  const urlOf = ({ skip }: TestContext): string => started?.url ?? skip(missing);

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
