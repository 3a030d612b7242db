import fc from "fast-check";
import type { Frame } from "../bytes.ts";
import { type Drawn, oneOf, rarely, secondWords, wordMember } from "../chances.ts";
import {
  type CallPart,
  callsOf,
  chooseStop,
  type Intent,
  intents,
  jsonWith,
  type Part,
  pieceSizes,
  splitText,
  tokenCounts,
} from "../intent.ts";
import { type Fields, isObject, jsonValue } from "../json.ts";
import type { GeneratedReply } from "../protocol.ts";
import { truthOf } from "../settle.ts";
import { streamArguments } from "./partial.ts";
import { geminiMeaning, geminiStops } from "./stops.ts";

/** Variations of the service and of other hosts. */
const geminiStyles = fc.record({
  whole: rarely,
  sizes: pieceSizes,
  /** The numbers of parts in a chunk; the list repeats. */
  grouping: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 2 }),
  ids: fc.boolean(),
  /** The place of the stop reason: a separate chunk, the chunk with the last content, or both. */
  stop: oneOf("own", "last", "both"),
  /** Earlier chunks with content that have a stop reason too. */
  earlyStops: oneOf("none", "none", "none", "some", "every"),
  /** How empty content is written. */
  emptyContent: oneOf("parts", "empty", "absent"),
  /** `same`: each call has the placeholder that Google documents. */
  signatures: oneOf("none", "own", "own", "same"),
  /** Vertex streams the arguments of a call. */
  partial: rarely,
  usageOften: fc.boolean(),
  stopFirst: rarely,
  doneAfterEnd: rarely,
  /** A second stop word in the last chunk. */
  word: secondWords,
});
type GeminiStyle = Drawn<typeof geminiStyles>;

export const geminiReplies: fc.Arbitrary<GeneratedReply> = fc
  .tuple(intents, geminiStyles)
  .map(([intent, style]) => generateGemini(asObjects(intent), style));

/** The protocol sends arguments as objects, so the generator replaces all other inputs. */
const asObjects = (intent: Intent): Intent => ({
  ...intent,
  parts: intent.parts.map((part) => {
    if (part.kind === "free")
      return { kind: "call", tool: "read", input: JSON.stringify({ path: part.input }) };
    return part.kind === "call" && part.input !== "" && !isObject(jsonValue(part.input))
      ? { ...part, input: "{}" }
      : part;
  }),
});

interface Chunk {
  readonly parts: readonly Fields[];
  readonly stop?: string | undefined;
}

function generateGemini(intent: Intent, style: GeminiStyle): GeneratedReply {
  const stop = chooseStop(intent, "STOP", geminiStops);
  const output = tokenCounts[intent.tokens];
  const holes = new Map<string, string>();
  const parts = intent.parts.flatMap((part, position) => partsOf(part, { position, style, holes }));
  const chunks = style.whole ? [{ parts, stop }] : chunksOf(parts, stop, style);
  const frames = chunks.map((chunk, position): Frame => {
    const counts = output !== undefined && (style.usageOften || position === chunks.length - 1);
    return {
      data: jsonWith(
        {
          ...candidateOf(chunk, style),
          ...(counts && geminiUsage(output)),
          modelVersion: "gemini",
          responseId: "r1",
          ...(position === chunks.length - 1 && wordMember(style.word)),
        },
        holes,
      ),
    };
  });
  return {
    frames: style.doneAfterEnd && !style.whole ? [...frames, { data: "[DONE]" }] : frames,
    whole: style.whole,
    host: "google",
    truth: geminiTruth(intent, { chunks, stop, output, style }),
    source: { intent, style },
  };
}

const geminiUsage = (output: number): Fields => ({
  usageMetadata: {
    promptTokenCount: 9,
    candidatesTokenCount: output - Math.min(output, 5),
    thoughtsTokenCount: Math.min(output, 5),
  },
});

interface GeneratedChunks {
  readonly chunks: readonly Chunk[];
  readonly stop: string;
  readonly output: number | undefined;
  readonly style: GeminiStyle;
}
function geminiTruth(
  intent: Intent,
  { chunks, stop, output, style }: GeneratedChunks,
): GeneratedReply["truth"] {
  const steps = intent.parts.filter((part) => part.kind === "step");
  const contents = chunks.filter(({ parts }) => parts.length > 0);
  const last = chunks.at(-1);
  const stampsAll =
    contents.length > 1 &&
    contents.every((chunk) => chunk.stop !== undefined) &&
    last === contents.at(-1);
  const isOpen = steps.at(-1)?.answered === false;
  return truthOf(intent, {
    call: ({ input: text }, position) => ({ id: style.ids ? `c${position}` : undefined, text }),
    stops: [geminiMeaning(stop), ...(style.word === "length" ? ["length" as const] : [])],
    output,
    ...(isOpen && { flaw: "an unfinished server step" }),
    ...(steps.some(({ answered }) => !answered) && { doubt: "a server step without a result" }),
    ...(stampsAll && {
      [callsOf(intent).length > 0 ? "flaw" : "doubt"]: "a stop reason in every chunk",
    }),
  });
}

interface PartContext {
  readonly position: number;
  readonly style: GeminiStyle;
  readonly holes: Map<string, string>;
}
function partsOf(part: Part, { position, style, holes }: PartContext): readonly Fields[] {
  switch (part.kind) {
    case "text":
      return splitText(part.text, style.sizes).map((text) => ({ text }));
    case "thinking":
      return splitText(part.text, style.sizes).map((text) => ({ text, thought: true }));
    case "free":
      return [];
    case "step": {
      const code = { executableCode: { language: "PYTHON", code: "1" } };
      return part.answered
        ? [code, { codeExecutionResult: { outcome: "OUTCOME_OK", output: "1" } }]
        : [code];
    }
    case "call":
      return callParts(part, { position, style, holes });
  }
}

function callParts(
  { tool, input }: CallPart,
  { position, style, holes }: PartContext,
): readonly Fields[] {
  const signatures: Readonly<Record<GeminiStyle["signatures"], Fields>> = {
    none: {},
    own: { thoughtSignature: `sig${position}` },
    same: { thoughtSignature: "skip_thought_signature_validator" },
  };
  const signature = signatures[style.signatures];
  const head = { name: tool, ...(style.ids && { id: `c${position}` }) };
  const pieces = style.partial && !style.whole ? streamArguments(input, style.sizes) : undefined;
  if (pieces !== undefined) {
    return pieces.map((piece, at) =>
      at === 0 ? { functionCall: { ...head, ...piece }, ...signature } : { functionCall: piece },
    );
  }
  if (input === "") return [{ functionCall: head, ...signature }];
  holes.set(`@${position}@`, input);
  return [{ functionCall: { ...head, args: `@${position}@` }, ...signature }];
}

function chunksOf(parts: readonly Fields[], stop: string, style: GeminiStyle): readonly Chunk[] {
  const groups = groupParts(parts, style.grouping);
  const chunks = groups.map(
    (group, position): Chunk => ({
      parts: group,
      stop: position < groups.length - 1 ? earlyStop(position, style) : undefined,
    }),
  );
  const [own, beside] = [style.stop !== "last" || groups.length === 0, style.stop !== "own"];
  const last = chunks.slice(-1).map((chunk): Chunk => (beside ? { ...chunk, stop } : chunk));
  return [
    ...(style.stopFirst ? [{ parts: [], stop: "STOP" }] : []),
    ...chunks.slice(0, -1),
    ...last,
    ...(own ? [{ parts: [], stop }] : []),
  ];
}

const earlyStop = (position: number, { earlyStops }: GeminiStyle): string | undefined =>
  earlyStops === "every" || (earlyStops === "some" && position % 2 === 0) ? "STOP" : undefined;

function groupParts(
  parts: readonly Fields[],
  sizes: readonly number[],
): readonly (readonly Fields[])[] {
  const groups: Fields[][] = [];
  for (let at = 0; at < parts.length; ) {
    const size = sizes[groups.length % sizes.length] ?? 1;
    groups.push(parts.slice(at, at + size));
    at += size;
  }
  return groups;
}

function candidateOf({ parts, stop }: Chunk, { emptyContent }: GeminiStyle): Fields {
  const absent: Readonly<Record<GeminiStyle["emptyContent"], Fields>> = {
    parts: { content: { role: "model", parts: [] } },
    empty: { content: { role: "model", parts: [{ text: "" }] } },
    absent: {},
  };
  const content = parts.length > 0 ? { content: { role: "model", parts } } : absent[emptyContent];
  return {
    candidates: [{ index: 0, ...content, ...(stop !== undefined && { finishReason: stop }) }],
  };
}
