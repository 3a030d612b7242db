import { readTurn, type TurnRequest } from "@fullstop/core";
import { type DialectName, dialects } from "@fullstop/provider-openai-compatible";
import { describe, expect, test } from "vitest";
import { readCall, word } from "./quirks/samples.ts";
import { done, serve } from "./server.ts";

const request: TurnRequest = { messages: [{ role: "user", content: "Go." }], maxTokens: 1024 };
const usage = { prompt_tokens: 1, completion_tokens: 5, total_tokens: 6 };

/** Every word of a host that the protocol itself does not have. */
const words: readonly (readonly [dialect: DialectName, word: string, withCall: string])[] = [
  ["vllm", "abort", "error"],
  ["vllm", "error", "error"],
  ["vllm", "repetition", "error"],
  ["ollama", "end", "tool-use"],
  ["ollama", "load", "stop"],
  ["ollama", "unload", "stop"],
  ["lmstudio", "end", "tool-use"],
  ["openrouter", "error", "error"],
  ["deepseek", "insufficient_system_resource", "error"],
  ["together", "eos", "tool-use"],
  ["glm", "sensitive", "content-filter"],
  ["glm", "network_error", "error"],
  ["glm", "model_context_window_exceeded", "context-window"],
];

describe("words of hosts", () => {
  test.each(words)("%s: %s reads with a whole call as %s, and elsewhere as unknown", async (dialect, native, withCall) => {
    const answer = [readCall, word(native, usage), done];
    const server = serve(answer, answer);
    expect((await readTurn(server.adapter(dialect), request)).stopReason).toBe(withCall);
    expect((await readTurn(server.adapter("custom"), request)).stopReason).toBe("unknown");
  });

  test("are all of the table's", () => {
    const listed = Object.entries(dialects).flatMap(([name, { stops = {} }]) => Object.keys(stops).map((native) => `${name} ${native}`));
    expect(words.map(([name, native]) => `${name} ${native}`).sort()).toEqual(listed.sort());
  });

  test("of every host, those of the protocol too", async () => {
    for (const dialect of Object.keys(dialects) as DialectName[]) {
      for (const [native, reads] of Object.entries({
        stop: "tool-use",
        tool_calls: "tool-use",
        length: "length",
        content_filter: "content-filter",
      })) {
        const turn = await readTurn(serve([readCall, word(native, usage), done]).adapter(dialect), request);
        expect([dialect, native, turn.stopReason]).toEqual([dialect, native, reads]);
      }
    }
  });
});

describe("no word at all", () => {
  const silent = word("", usage);
  test("is an end where the row says so, once `[DONE]` came", async () => {
    expect((await readTurn(serve([readCall, silent, done]).adapter("nim"), request)).calls.map(({ name }) => name)).toEqual(["read"]);
    expect((await readTurn(serve([readCall, silent]).adapter("nim"), request)).stopReason).toBe("interrupted");
    expect((await readTurn(serve([done]).adapter("nim"), request)).stopReason).toBe("interrupted");
  });

  test("is not what a word is that is no text: nobody knows how such a reply ended", async () => {
    for (const unreadable of [true, 1, ["stop"], { reason: "stop" }]) {
      const strange = { choices: [{ index: 0, delta: {}, finish_reason: unreadable }] };
      const turn = await readTurn(serve([readCall, strange, done]).adapter("nim"), request);
      expect(turn).toMatchObject({ stopReason: "interrupted", error: { kind: "malformed-reply" } });
    }
  });

  test("is none elsewhere, and the error says what would change that", async () => {
    const turn = await readTurn(serve([readCall, silent, done]).adapter("custom"), request);
    expect(turn).toMatchObject({ stopReason: "interrupted", error: { message: expect.stringContaining("`doneEnds`") } });
  });
});
