import type { Fixture } from "@fullstop/conformance";

const about = { id: "gen-1", object: "chat.completion.chunk", created: 1_741_570_283, model: "m" };
type Fields = Readonly<Record<string, unknown>>;

export const chunk = (delta: Fields, choice: Fields = {}): Fields => ({
  ...about,
  choices: [{ index: 0, delta, finish_reason: null, ...choice }],
});
/** A complete call in one chunk. */
export const callChunk = (id: string, name: string, input: object): Fields =>
  chunk({
    tool_calls: [
      { index: 0, id, type: "function", function: { name, arguments: JSON.stringify(input) } },
    ],
  });
export const input = { path: "/srv/notes.txt" };
export const readCall: Fields = callChunk("call_1", "read", input);
export const finishChunk = (stop: string, usage?: Fields): Fields => ({
  ...chunk({}, { finish_reason: stop }),
  ...(usage && { usage }),
});

export const runsRead: Fixture["turn"] = {
  stopReason: "tool-use",
  calls: [{ name: "read", input }],
};
export const noCalls = (stopReason: Fixture["turn"]["stopReason"]): Fixture["turn"] => ({
  stopReason,
  calls: [],
});

/** A reply of these chunks, and then `[DONE]`. */
export const fixture = (
  name: string,
  chunks: readonly Fields[],
  rest: Pick<Fixture, "turn"> & Partial<Fixture>,
): Fixture => ({
  ...rest,
  name,
  frames: { upToTerminal: chunks.map((one) => JSON.stringify(one)), after: ["[DONE]"] },
});
