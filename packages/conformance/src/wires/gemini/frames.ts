import type { Frames, Reply } from "../../wire.ts";
import { pieces } from "../shared.ts";

/** https://ai.google.dev/api/generate-content#v1beta.GenerateContentResponse */
type GeminiChunk = Readonly<Record<string, unknown>>;
type GeminiPart = Readonly<Record<string, unknown>>;

const promptTokens = 25;
const geminiMetadata = { modelVersion: "gemini-3.1-pro", responseId: "mAEQaZ7pH9OqqtsP4u2S6Q4" };

const candidate = (parts: readonly GeminiPart[], rest: object = {}): object => ({
  content: { parts, role: "model" },
  index: 0,
  ...rest,
});

/** A chunk before the last one. */
const partChunk = (part: GeminiPart): GeminiChunk => ({
  candidates: [candidate([part])],
  usageMetadata: { promptTokenCount: promptTokens, totalTokenCount: promptTokens },
  ...geminiMetadata,
});

/** The chunk that ends a reply. */
const lastChunk = (parts: readonly GeminiPart[], { stop, output }: Reply): GeminiChunk => ({
  candidates: [candidate(parts, { finishReason: stop })],
  usageMetadata: {
    promptTokenCount: promptTokens,
    candidatesTokenCount: output,
    totalTokenCount: promptTokens + output,
  },
  ...geminiMetadata,
});

/** Any bytes in base64. Gemini 3 signs the first call of a reply. */
const thoughtSignature = btoa("signature 0");

/** The parts of each block: a text in pieces, or a call with all its arguments. */
function partsOf({ blocks }: Reply): readonly (readonly GeminiPart[])[] {
  const firstCall = blocks.findIndex((block) => "name" in block);
  return blocks.map((block, index): readonly GeminiPart[] => {
    if ("text" in block) return pieces(block.text).map((text) => ({ text }));
    const functionCall = { ...(block.id && { id: block.id }), name: block.name, args: block.input };
    return [{ functionCall, ...(index === firstCall && { thoughtSignature }) }];
  });
}

/** The reply as a stream: a chunk for each part, and an empty text in the last one. */
export const geminiFrames = (reply: Reply): Frames => {
  const chunks = [...partsOf(reply).flat().map(partChunk), lastChunk([{ text: "" }], reply)];
  return { upToTerminal: chunks.map((chunk) => JSON.stringify(chunk)) };
};

/** The reply to a request without a stream. */
export const geminiBody = (reply: Reply): string => {
  const parts = partsOf(reply).flatMap((ofBlock, index): readonly GeminiPart[] => {
    const block = reply.blocks[index];
    return block !== undefined && "text" in block ? [{ text: block.text }] : ofBlock;
  });
  return JSON.stringify(lastChunk(parts, reply));
};
