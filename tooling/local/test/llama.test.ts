import type { Adapter } from "@fullstop/core";
import { anthropic } from "@fullstop/provider-anthropic";
import { openai } from "@fullstop/provider-openai";
import { openaiCompatible } from "@fullstop/provider-openai-compatible";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startLlama } from "../src/llama.ts";
import type { StartedServer } from "../src/python.ts";
import { ask, askUncut, change, go, sweep, type Uncut } from "../src/sweep.ts";

const apiKey = "none";
const params = { temperature: 1 };

/** The surfaces of the server, each with the options that docs/local-models.md names. */
type Surface = "Chat" | "Responses" | "Messages";
const surfaces: Readonly<Record<Surface, (url: string, how: How) => Adapter>> = {
  Chat: (url, how) =>
    openaiCompatible("llamacpp", "tiny", { baseURL: `${url}/v1`, apiKey, params, ...how }),
  Responses: (url, how) =>
    openai("tiny", {
      baseURL: `${url}/v1`,
      apiKey,
      params,
      mislabelsTruncation: true,
      ...how,
    }),
  Messages: (url, how) => anthropic("tiny", { baseURL: url, apiKey, params, ...how }),
};
interface How {
  readonly stream: boolean;
  readonly fetch?: typeof globalThis.fetch;
}
const cases = Object.entries(surfaces).flatMap(([surface, adapter]) => [
  { surface, adapter, stream: true, how: "as a stream" },
  { surface, adapter, stream: false, how: "in one piece" },
]);

/** What a surface calls a reply that the cap cut: read without an adapter. */
const words: Readonly<Record<Surface, string>> = {
  Chat: '"finish_reason":"length"',
  Responses: '"status":"completed"',
  Messages: '"stop_reason":"max_tokens"',
};

describe.each([1, 2, 3])("llama.cpp's server, caps from 1 to 60, seed %i", (seed) => {
  let server: StartedServer | undefined;
  let missing = "";
  let uncut: Uncut = { tokens: 0, inputs: [] };
  beforeAll(async () => {
    try {
      server = await startLlama(seed);
      uncut = await askUncut(server.url, { tool_choice: "required", ...params });
    } catch (thrown) {
      if (!(thrown instanceof Error && thrown.name === "MissingServerError")) throw thrown;
      missing = thrown.message;
    }
  });
  afterAll(() => server?.stop());

  test.for(cases)("$surface, $how", async ({ surface, adapter, stream, how }, { skip }) => {
    if (server === undefined) return skip(missing);
    expect(uncut.tokens).toBeGreaterThan(20);
    expect(uncut.tokens).toBeLessThan(60);
    const { refused, wrong, cut, whole } = await sweep(adapter(server.url, { stream }), uncut);
    expect(refused).toEqual([]);
    expect(wrong).toEqual([]);
    console.info(
      `${surface} ${how}: 0 of ${cut} cut calls were given out, and ${whole} of ${whole} whole ones. No request was refused.`,
    );
  });

  test.for(Object.entries(words) as [Surface, string][])(
    "%s calls a cut reply as the page says",
    async ([surface, word], { skip }) => {
      if (server === undefined) return skip(missing);
      const { fetch, last } = change((reply) => reply);
      const model = surfaces[surface](server.url, { stream: false, fetch });
      for (const cap of [20, uncut.tokens - 1]) {
        await ask(model, [go], cap);
        expect(last().replaceAll(" ", "")).toContain(word);
      }
    },
  );

  test("the sweep notices a usage that hides a cut", async ({ skip }) => {
    if (server === undefined) return skip(missing);
    const { fetch } = change((reply) => reply.replace(/"output_tokens":\d+/, '"output_tokens":1'));
    const { wrong } = await sweep(surfaces.Responses(server.url, { stream: false, fetch }), uncut);
    expect(wrong).not.toEqual([]);
  });
});
