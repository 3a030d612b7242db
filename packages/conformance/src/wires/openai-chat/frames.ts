import { tokensFor } from "../../harness/tokens.ts";
import type { Frames, Reply, ReplyCall } from "../../wire.ts";
import { pieces } from "../pieces.ts";

/** https://developers.openai.com/api/reference/resources/chat/subresources/completions/streaming-events */
export type Chunk = Readonly<Record<string, unknown>>;
export type Delta = Readonly<Record<string, unknown>>;
export interface Ending {
  /** `null` is what the protocol itself sends where there is no reason yet. */
  readonly stop: string | null;
  readonly output?: number;
}

const about = {
  id: "chatcmpl-B9MHDbslfkBeAs8l4bebGdFOJ6PeG",
  created: 1_741_570_283,
  model: "gpt-5.2",
};

/** One choice in one chunk; `choice` is what stands beside its delta. */
export const chunk = (delta: Delta, choice: Readonly<Record<string, unknown>> = {}): Chunk => ({
  ...about,
  object: "chat.completion.chunk",
  choices: [{ index: 0, delta, logprobs: null, finish_reason: null, ...choice }],
  usage: null,
});
export const usageOf = (output: number): Chunk => ({
  prompt_tokens: 25,
  completion_tokens: output,
  total_tokens: 25 + output,
});
export const usageChunk = (output: number): Chunk => ({
  ...about,
  object: "chat.completion.chunk",
  choices: [],
  usage: usageOf(output),
});
export const finish = (stop: string | null): Chunk => chunk({}, { finish_reason: stop });

export const role: Chunk = chunk({ role: "assistant", content: "", refusal: null });
export const text = (said: string): readonly Chunk[] =>
  pieces(said).map((content) => chunk({ content }));
export const toolDelta = (...calls: readonly Delta[]): Chunk => chunk({ tool_calls: calls });
export const piece = (index: number, written: string): Chunk =>
  toolDelta({ index, function: { arguments: written } });
export const head = (index: number, { id, name }: Omit<ReplyCall, "input">): Chunk =>
  toolDelta({ index, id, type: "function", function: { name, arguments: "" } });
/** An empty input is an empty text. */
export const write = (input: object): string => {
  const written = JSON.stringify(input);
  return written === "{}" ? "" : written;
};
export const call = (index: number, { id, name, input }: ReplyCall): readonly Chunk[] => [
  head(index, { id, name }),
  ...pieces(write(input)).map((written) => piece(index, written)),
];

export const toFrames = (
  chunks: readonly (Chunk | string)[],
  after: readonly (Chunk | string)[] = [],
): Frames => {
  const written = (list: readonly (Chunk | string)[]): readonly string[] =>
    list.map((payload) => (typeof payload === "string" ? payload : JSON.stringify(payload)));
  return { upToTerminal: written(chunks), after: written(after) };
};

/** A reply with its end; the usage and `[DONE]` come behind it. */
export const completion = (
  chunks: readonly Chunk[],
  { stop, output = tokensFor(stop === "length") }: Ending,
): Frames => toFrames([role, ...chunks, finish(stop)], [usageChunk(output), "[DONE]"]);

export function frames({ blocks, stop, output }: Reply): Frames {
  let index = 0;
  const chunks = blocks.flatMap((block) =>
    "name" in block ? call(index++, block) : text(block.text),
  );
  return completion(chunks, { stop, output });
}

/** The reply to a request without `stream`. */
export function wholeBody({ blocks, stop, output }: Reply): string {
  const calls = blocks.filter((block) => "name" in block);
  const said = blocks.filter((block) => "text" in block).map((block) => block.text);
  const message = {
    role: "assistant",
    content: said.length > 0 ? said.join("") : null,
    refusal: null,
    annotations: [],
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ id, name, input }) => ({
        id,
        type: "function",
        function: { name, arguments: write(input) },
      })),
    }),
  };
  return JSON.stringify({
    ...about,
    object: "chat.completion",
    choices: [{ index: 0, message, logprobs: null, finish_reason: stop }],
    usage: usageOf(output),
  });
}
