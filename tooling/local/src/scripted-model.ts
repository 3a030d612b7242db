import { ggufFile, type Tensor, type Value } from "./gguf.ts";

/** What a model writes. */
export interface Script {
  readonly text: string;
  /** Follows the text, and again each time it ends. Without it the reply ends by itself. */
  readonly loop?: string;
}

/** A prompt that ends with this token gets the reply of that name. */
export const startOf = (name: string): string => `<|reply:${name}|>`;

const end = 2;
const kinds = { normal: 1, unknown: 2, control: 3, verbatim: 4, byte: 6 } as const;

/** The tokens, and which one follows another. */
interface Vocabulary {
  readonly texts: string[];
  readonly kinds: number[];
  readonly followers: Map<number, number>;
}

/**
 * A model file (GGUF) that writes these replies. Its next token depends on the last one only. It is
 * made here, so that nothing is downloaded. The server loads it, samples, counts tokens and parses
 * as with any other model.
 */
export function scriptedModel(scripts: Readonly<Record<string, Script>>): Buffer {
  const vocabulary = byteVocabulary();
  for (const [name, script] of Object.entries(scripts)) addScript(vocabulary, name, script);
  return ggufFile(metadataOf(vocabulary), tensorsOf(vocabulary));
}

/** Every text can be a prompt: each byte is a token. */
function byteVocabulary(): Vocabulary {
  const bytes = Array.from({ length: 256 }, (_, byte) => byte);
  const printed = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index));
  const hex = (byte: number): string => byte.toString(16).toUpperCase().padStart(2, "0");
  return {
    texts: [
      "<unk>",
      "<s>",
      "</s>",
      ...bytes.map((byte) => `<0x${hex(byte)}>`),
      ...printed,
      "\u2581",
    ],
    kinds: [
      kinds.unknown,
      kinds.control,
      kinds.control,
      ...bytes.map(() => kinds.byte),
      ...printed.map(() => kinds.normal),
      kinds.normal,
    ],
    followers: new Map(),
  };
}

function addScript(vocabulary: Vocabulary, name: string, { text, loop }: Script): void {
  const start = addToken(vocabulary, startOf(name), kinds.control);
  const written = addPieces(vocabulary, text);
  const repeated = loop === undefined ? [end] : addPieces(vocabulary, loop);
  const order = [start, ...written, ...repeated, ...repeated.slice(0, 1)];
  for (const [index, token] of order.entries()) {
    const follower = order[index + 1];
    if (follower !== undefined) vocabulary.followers.set(token, follower);
  }
}

function addToken({ texts, kinds: all }: Vocabulary, text: string, kind: number): number {
  texts.push(text);
  all.push(kind);
  return texts.length - 1;
}

/** Adds a token for each piece of a text. */
function addPieces(vocabulary: Vocabulary, text: string): readonly number[] {
  const pieces = piecesOf(text.match(unit) ?? [], new Set(vocabulary.texts));
  if (pieces === undefined) throw new Error(`Other texts have all pieces of this one: ${text}`);
  return pieces.map((piece) =>
    addToken(vocabulary, tokenText(piece), isVerbatim(piece) ? kinds.verbatim : kinds.normal),
  );
}

/** A normal token writes `\u2581` as a space. */
const tokenText = (piece: string): string =>
  isVerbatim(piece) ? piece : piece.replaceAll(" ", "\u2581");
const isVerbatim = (piece: string): boolean => piece.includes("\u2581");

/** A tag that is one token of real models is never cut. */
const unit = /<[|｜][^>]*>|[\s\S]/g;
/** Short pieces first. A piece of two characters is nearly always in another text. */
const lengths: readonly number[] = Array.from({ length: 22 }, (_, index) => index + 3);

/** Short pieces that no other text has. */
function piecesOf(
  units: readonly string[],
  taken: ReadonlySet<string>,
): readonly string[] | undefined {
  if (units.length === 0) return [];
  for (const length of lengths.filter((one) => one <= units.length)) {
    const piece = units.slice(0, length).join("");
    const text = tokenText(piece);
    if (taken.has(text)) continue;
    const rest = piecesOf(units.slice(length), new Set(taken).add(text));
    if (rest !== undefined) return [piece, ...rest];
  }
  return undefined;
}

const headWidth = 64;
const feedForward = 32;
/** One number for each token that has a follower. Other tokens are in prompts only. */
const widthOf = ({ followers }: Vocabulary): number => Math.ceil(followers.size / 2) * 2;

const metadataOf = (vocabulary: Vocabulary): Readonly<Record<string, Value>> => ({
  "general.architecture": "llama",
  "general.file_type": { uint32: 0 },
  "llama.context_length": { uint32: 4096 },
  "llama.embedding_length": { uint32: widthOf(vocabulary) },
  "llama.block_count": { uint32: 1 },
  "llama.feed_forward_length": { uint32: feedForward },
  "llama.attention.head_count": { uint32: 1 },
  "llama.attention.head_count_kv": { uint32: 1 },
  "llama.attention.key_length": { uint32: headWidth },
  "llama.attention.value_length": { uint32: headWidth },
  "llama.attention.layer_norm_rms_epsilon": { float32: 1e-5 },
  "llama.rope.dimension_count": { uint32: headWidth },
  "llama.vocab_size": { uint32: vocabulary.texts.length },
  "tokenizer.ggml.model": "llama",
  "tokenizer.ggml.tokens": { strings: vocabulary.texts },
  "tokenizer.ggml.scores": { float32s: vocabulary.texts.map((_, index) => -index) },
  "tokenizer.ggml.token_type": { int32s: vocabulary.kinds },
  "tokenizer.ggml.bos_token_id": { uint32: 1 },
  "tokenizer.ggml.eos_token_id": { uint32: end },
  "tokenizer.ggml.unknown_token_id": { uint32: 0 },
  "tokenizer.ggml.add_bos_token": false,
  "tokenizer.ggml.add_space_prefix": false,
});

/** The layer adds nothing: only the last token reaches the output. */
function tensorsOf(vocabulary: Vocabulary): Readonly<Record<string, Tensor>> {
  const size = vocabulary.texts.length;
  const width = widthOf(vocabulary);
  const lastToken = matrix(size, width);
  const nextToken = matrix(size, width);
  for (const [column, [before, after]] of [...vocabulary.followers].entries()) {
    lastToken.data[before * width + column] = 1;
    nextToken.data[after * width + column] = 1;
  }
  return {
    "token_embd.weight": lastToken,
    "blk.0.attn_norm.weight": ones(width),
    "blk.0.attn_q.weight": matrix(headWidth, width),
    "blk.0.attn_k.weight": matrix(headWidth, width),
    "blk.0.attn_v.weight": matrix(headWidth, width),
    "blk.0.attn_output.weight": matrix(width, headWidth),
    "blk.0.ffn_norm.weight": ones(width),
    "blk.0.ffn_gate.weight": matrix(feedForward, width),
    "blk.0.ffn_up.weight": matrix(feedForward, width),
    "blk.0.ffn_down.weight": matrix(width, feedForward),
    "output_norm.weight": ones(width),
    "output.weight": nextToken,
  };
}

const matrix = (rows: number, columns: number): Tensor => ({
  rows,
  columns,
  data: new Float32Array(rows * columns),
});
const ones = (columns: number): Tensor => ({ columns, data: new Float32Array(columns).fill(1) });
