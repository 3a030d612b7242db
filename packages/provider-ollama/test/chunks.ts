import type { ReplyCall } from "@fullstop/conformance";

export type Fields = Readonly<Record<string, unknown>>;

const about: Fields = { model: "qwen3", created_at: "2026-02-27T02:14:29Z" };

/** A line before the last one. */
export const line = (message: Fields): Fields => ({
  ...about,
  message: { role: "assistant", content: "", ...message },
  done: false,
});
export const text = (content: string): Fields => line({ content });
export const thinking = (thought: string): Fields => line({ thinking: thought });
export const calls = (...list: readonly Fields[]): Fields => line({ tool_calls: list });

/** A call as the server writes it. Older servers, and some models, give no id. */
export const call = (name: string, input: unknown, more: Fields = {}): Fields => ({
  ...more,
  function: { name, arguments: input },
});
export const callOf = ({ id, name, input }: ReplyCall): Fields =>
  call(name, input, id === "" ? {} : { id });

/** The counts of the last line. The server leaves out a count of 0. */
export const countsOf = (output: number): Fields => ({
  total_duration: 174_560_334,
  prompt_eval_count: 26,
  ...(output > 0 && { eval_count: output }),
});

/** The last line. */
export const last = (reason: string | undefined, output = 12, message: Fields = {}): Fields => ({
  ...line(message),
  done: true,
  ...(reason !== undefined && { done_reason: reason }),
  ...countsOf(output),
});

/** The body of a stream. */
export const ndjsonOf = (lines: readonly Fields[]): string =>
  lines.map((one) => `${JSON.stringify(one)}\n`).join("");
