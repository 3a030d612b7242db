import type { Frames, Reply, ReplyCall } from "@fullstop/conformance";

export type Fields = Readonly<Record<string, unknown>>;

/** The events of a block, without its index. */
export interface WireBlock {
  readonly start?: Fields;
  readonly deltas: readonly Fields[];
  /** No `contentBlockStop` comes. */
  readonly open?: true;
}

/** Splits a text into about four pieces. */
const pieces = (text: string): readonly string[] => {
  const chars = [...text];
  const step = Math.max(5, Math.ceil(chars.length / 4));
  return Array.from({ length: Math.ceil(chars.length / step) }, (_, index) =>
    chars.slice(index * step, (index + 1) * step).join(""),
  );
};

/** Text has no start. */
export const text = (said: string): WireBlock => ({
  deltas: pieces(said).map((piece) => ({ text: piece })),
});
export const call = ({ id, name, input, inputText }: ReplyCall): WireBlock => {
  const json = inputText ?? JSON.stringify(input);
  return {
    start: { toolUse: { toolUseId: id, name } },
    deltas: ["", ...pieces(json)].map((piece) => ({ toolUse: { input: piece } })),
  };
};

/** The events of a block at this index. */
export const blockEvents = (
  { start, deltas, open }: WireBlock,
  contentBlockIndex: number,
): readonly Fields[] => [
  ...(start ? [{ contentBlockStart: { start, contentBlockIndex } }] : []),
  ...deltas.map((delta) => ({ contentBlockDelta: { delta, contentBlockIndex } })),
  ...(open ? [] : [{ contentBlockStop: { contentBlockIndex } }]),
];

export const messageStart: Fields = { messageStart: { role: "assistant" } };
export const messageStop = (stopReason: string, more: Fields = {}): Fields => ({
  messageStop: { stopReason, ...more },
});
export const usageOf = (outputTokens: number): Fields => ({
  inputTokens: 25,
  outputTokens,
  totalTokens: 25 + outputTokens,
});
export const metadata = (outputTokens: number, more: Fields = {}): Fields => ({
  metadata: { usage: usageOf(outputTokens), metrics: { latencyMs: 420 }, ...more },
});

/** The data of these events, the last of which is the terminal. */
export const framesOf = (events: readonly Fields[]): Frames => ({
  upToTerminal: events.map((event) => JSON.stringify(event)),
});

/** The events of a reply with these blocks. */
export const replyEvents = (
  blocks: readonly WireBlock[],
  { stop, output }: Pick<Reply, "stop" | "output">,
): readonly Fields[] => [
  messageStart,
  ...blocks.flatMap(blockEvents),
  messageStop(stop),
  metadata(output),
];

export const blocksOf = ({ blocks }: Reply): readonly WireBlock[] =>
  blocks.map((block) => ("name" in block ? call(block) : text(block.text)));
