import { tokensFor } from "../../harness/tokens.ts";
import type { Frames, Reply, ReplyCall } from "../../wire.ts";
import { pieces } from "../pieces.ts";

/** https://ai.google.dev/api/generate-content#v1beta.GenerateContentResponse */
export type Chunk = Readonly<Record<string, unknown>>;
export type Part = Readonly<Record<string, unknown>>;
export interface Ending {
  readonly stop: string;
  /** Tokens of the answer. */
  readonly output?: number;
  /** Tokens of the thoughts before it. */
  readonly thoughts?: number;
  /** In the last chunk: an empty text unless told. */
  readonly parts?: readonly Part[];
  /** Beside `finishReason` in the candidate: `finishMessage`, `continuationToken`. */
  readonly candidate?: Readonly<Record<string, unknown>>;
}

const prompt = 25;
const about = { modelVersion: "gemini-3.1-pro", responseId: "mAEQaZ7pH9OqqtsP4u2S6Q4" };

const candidate = (parts: readonly Part[], rest: object = {}): object => ({
  content: { parts, role: "model" },
  index: 0,
  ...rest,
});

/** A chunk of a reply that goes on. */
export const chunk = (...parts: readonly Part[]): Chunk => ({
  candidates: [candidate(parts)],
  usageMetadata: { promptTokenCount: prompt, totalTokenCount: prompt },
  ...about,
});

const usage = ({ stop, output = tokensFor(stop === "MAX_TOKENS"), thoughts }: Ending): object => ({
  promptTokenCount: prompt,
  candidatesTokenCount: output,
  ...(thoughts !== undefined && { thoughtsTokenCount: thoughts }),
  totalTokenCount: prompt + output + (thoughts ?? 0),
});

/** The chunk that ends a reply. */
export const end = (ending: Ending): Chunk => ({
  candidates: [
    candidate(ending.parts ?? [{ text: "" }], { finishReason: ending.stop, ...ending.candidate }),
  ],
  usageMetadata: usage(ending),
  ...about,
});

export const toFrames = (chunks: readonly Chunk[]): Frames => ({
  upToTerminal: chunks.map((one) => JSON.stringify(one)),
});

/** A reply, a chunk for each part, with its end. */
export const message = (parts: readonly Part[], ending: Ending): Frames =>
  toFrames([...parts.map((part) => chunk(part)), end(ending)]);

export const text = (said: string): readonly Part[] =>
  pieces(said).map((piece) => ({ text: piece }));

/** Arguments come whole; an id does not come always. */
export const call = (
  { name, input, id }: Pick<ReplyCall, "name" | "input"> & { readonly id?: string },
  signature?: string,
): Part => ({
  functionCall: { ...(id && { id }), name, args: input },
  ...(signature !== undefined && { thoughtSignature: signature }),
});

/** Any bytes in base64. */
export const signature = (n: number): string => btoa(`signature ${n}`);

/** Gemini 3 signs the first call of a reply. */
const partsOf = ({ blocks }: Reply): readonly (readonly Part[])[] => {
  const first = blocks.findIndex((block) => "name" in block);
  return blocks.map((block, n) =>
    "name" in block ? [call(block, n === first ? signature(0) : undefined)] : text(block.text),
  );
};

export const frames = (reply: Reply): Frames => message(partsOf(reply).flat(), reply);

/** The reply to a request without a stream. */
export const wholeBody = (reply: Reply): string => {
  const joined = partsOf(reply).map((parts, n) => {
    const block = reply.blocks[n];
    return block !== undefined && "text" in block ? [{ text: block.text }] : parts;
  });
  return JSON.stringify(end({ ...reply, parts: joined.flat() }));
};
