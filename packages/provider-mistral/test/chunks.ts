import type { ReplyCall } from "@fullstop/conformance";

export type Fields = Readonly<Record<string, unknown>>;
const about = {
  id: "c3c77283055240cbbaf6f01d384cfccb",
  created: 1_762_355_135,
  model: "mistral-large-2512",
};

/** The usage of a reply. The last chunk always has it. */
export const usageOf = (output: number): Fields => ({
  prompt_tokens: 25,
  total_tokens: 25 + output,
  completion_tokens: output,
});

/** One chunk. `ending` adds the finish reason and the usage. */
export const chunk = (
  delta: Fields,
  ending?: { readonly stop: string; readonly output?: number },
): Fields => ({
  ...about,
  object: "chat.completion.chunk",
  choices: [{ index: 0, delta, finish_reason: ending?.stop ?? null }],
  ...(ending && { usage: usageOf(ending.output ?? 12) }),
});
export const role: Fields = chunk({ role: "assistant", content: "" });

/** An id of nine letters and digits. */
export const toHostId = (id: string): string =>
  id === ""
    ? ""
    : id
        .replaceAll(/[^a-zA-Z0-9]/g, "")
        .slice(-9)
        .padStart(9, "0");

/** A complete call. Some models omit `index`, and `arguments` may be an object. */
export const call = ({ id, name, input }: ReplyCall, more: Fields = {}): Fields => ({
  id: toHostId(id),
  type: "function",
  function: { name, arguments: JSON.stringify(input) },
  ...more,
});

/** A reply in one piece. */
export const completion = (message: Fields, stop: string, output: number): Fields => ({
  ...about,
  object: "chat.completion",
  choices: [
    { index: 0, message: { role: "assistant", tool_calls: null, ...message }, finish_reason: stop },
  ],
  usage: usageOf(output),
});

/** A stream ends with `[DONE]`. */
export const frames = (
  chunks: readonly Fields[],
): { readonly upToTerminal: readonly string[]; readonly after: readonly string[] } => ({
  upToTerminal: chunks.map((one) => JSON.stringify(one)),
  after: ["[DONE]"],
});
