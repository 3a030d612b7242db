import fc from "fast-check";
import type { Frame } from "../bytes.ts";
import { rarely } from "../chances.ts";
import {
  type Call,
  callsOf,
  cutUp,
  type Intent,
  intents,
  jsonWith,
  type Part,
  pieceSizes,
  textOf,
  tokenCounts,
} from "../intent.ts";
import { type Fields, isObject, jsonValue } from "../json.ts";
import type { Written } from "../protocol.ts";
import type { Said } from "../reading.ts";
import { settle } from "../settle.ts";
import { streamed } from "./partial.ts";
import { meaningOf, words } from "./words.ts";

/** What the service, and hosts of its protocol, do in their own way. */
interface Manner {
  readonly whole: boolean;
  readonly sizes: readonly number[];
  /** How many parts a chunk has, over and over. */
  readonly grouping: readonly number[];
  readonly ids: boolean;
  /** Where the word is: in a chunk of its own, with the last content, or both. */
  readonly word: "own" | "last" | "both";
  /** Chunks with content that carry the word before its time. */
  readonly stamps: "none" | "some" | "every";
  /** What stands for the content of a chunk that has none. */
  readonly nothing: "parts" | "empty" | "absent";
  readonly signatures: boolean;
  /** Vertex streams the arguments of a call. */
  readonly partial: boolean;
  readonly usageOften: boolean;
  readonly early: boolean;
  readonly doneBehind: boolean;
}
const manners: fc.Arbitrary<Manner> = fc.record({
  whole: rarely,
  sizes: pieceSizes,
  grouping: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 2 }),
  ids: fc.boolean(),
  word: fc.constantFrom("own", "last", "both"),
  stamps: fc.constantFrom("none", "none", "none", "some", "every"),
  nothing: fc.constantFrom("parts", "empty", "absent"),
  signatures: fc.boolean(),
  partial: rarely,
  usageOften: fc.boolean(),
  early: rarely,
  doneBehind: rarely,
});

export const replies: fc.Arbitrary<Written> = fc
  .tuple(intents, manners)
  .map(([intent, manner]) => write(asObjects(intent), manner));

/** Arguments are objects on this wire: what the model wrote otherwise never gets this far. */
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
  readonly word?: string | undefined;
}

function write(intent: Intent, manner: Manner): Written {
  const word = intent.honest ? "STOP" : (words[intent.word % words.length] ?? "STOP");
  const output = tokenCounts[intent.tokens];
  const holes = new Map<string, string>();
  const parts = intent.parts.flatMap((part, n) => partsOf(part, { n, manner, holes }));
  const chunks = manner.whole ? [{ parts, word }] : chunksOf(parts, word, manner);
  const frames = chunks.map((chunk, n): Frame => {
    const counts = output !== undefined && (manner.usageOften || n === chunks.length - 1);
    return {
      data: jsonWith(
        {
          ...candidateOf(chunk, manner),
          ...(counts && usageOf(output)),
          modelVersion: "gemini",
          responseId: "r1",
        },
        holes,
      ),
    };
  });
  return {
    frames: manner.doneBehind && !manner.whole ? [...frames, { data: "[DONE]" }] : frames,
    whole: manner.whole,
    host: "google",
    truth: truthOf(intent, { chunks, word, output, manner }),
    from: { intent, manner },
  };
}

const usageOf = (output: number): Fields => ({
  usageMetadata: {
    promptTokenCount: 9,
    candidatesTokenCount: output - Math.min(output, 5),
    thoughtsTokenCount: Math.min(output, 5),
  },
});

interface Made {
  readonly chunks: readonly Chunk[];
  readonly word: string;
  readonly output: number | undefined;
  readonly manner: Manner;
}
function truthOf(intent: Intent, { chunks, word, output, manner }: Made): Written["truth"] {
  const steps = intent.parts.filter((part) => part.kind === "step");
  const contents = chunks.filter(({ parts }) => parts.length > 0);
  const last = chunks.at(-1);
  const stampsAll =
    contents.length > 1 &&
    contents.every((chunk) => chunk.word !== undefined) &&
    last === contents.at(-1);
  const isOpen = steps.at(-1)?.answered === false;
  return settle({
    calls: intent.parts.flatMap((part, n): Said[] => {
      if (part.kind !== "call") return [];
      return [
        {
          name: part.tool,
          id: manner.ids ? `c${n}` : undefined,
          text: part.input,
          free: false,
          restated: false,
        },
      ];
    }),
    text: textOf(intent),
    end: "came",
    words: [meaningOf(word)],
    output,
    closes: true,
    ...(isOpen && { flaw: "a step of the service's is still at work" }),
    ...(steps.some(({ answered }) => !answered) && {
      doubt: "a step of the service's has no result",
    }),
    ...(stampsAll && {
      [callsOf(intent).length > 0 ? "flaw" : "doubt"]: "every chunk carries the word",
    }),
  });
}

interface Place {
  readonly n: number;
  readonly manner: Manner;
  readonly holes: Map<string, string>;
}
function partsOf(part: Part, { n, manner, holes }: Place): readonly Fields[] {
  switch (part.kind) {
    case "text":
      return cutUp(part.text, manner.sizes).map((text) => ({ text }));
    case "thinking":
      return cutUp(part.text, manner.sizes).map((text) => ({ text, thought: true }));
    case "free":
      return [];
    case "step": {
      const code = { executableCode: { language: "PYTHON", code: "1" } };
      return part.answered
        ? [code, { codeExecutionResult: { outcome: "OUTCOME_OK", output: "1" } }]
        : [code];
    }
    case "call":
      return callParts(part, { n, manner, holes });
  }
}

function callParts({ tool, input }: Call, { n, manner, holes }: Place): readonly Fields[] {
  const signature = manner.signatures ? { thoughtSignature: `sig${n}` } : {};
  const head = { name: tool, ...(manner.ids && { id: `c${n}` }) };
  const pieces = manner.partial && !manner.whole ? streamed(input, manner.sizes) : undefined;
  if (pieces !== undefined) {
    return pieces.map((piece, at) =>
      at === 0 ? { functionCall: { ...head, ...piece }, ...signature } : { functionCall: piece },
    );
  }
  if (input === "") return [{ functionCall: head, ...signature }];
  holes.set(`@${n}@`, input);
  return [{ functionCall: { ...head, args: `@${n}@` }, ...signature }];
}

function chunksOf(parts: readonly Fields[], word: string, manner: Manner): readonly Chunk[] {
  const groups = grouped(parts, manner.grouping);
  const chunks = groups.map(
    (group, n): Chunk => ({
      parts: group,
      word: n < groups.length - 1 ? stampOf(n, manner) : undefined,
    }),
  );
  const [own, beside] = [manner.word !== "last" || groups.length === 0, manner.word !== "own"];
  const last = chunks.slice(-1).map((chunk): Chunk => (beside ? { ...chunk, word } : chunk));
  return [
    ...(manner.early ? [{ parts: [], word: "STOP" }] : []),
    ...chunks.slice(0, -1),
    ...last,
    ...(own ? [{ parts: [], word }] : []),
  ];
}

const stampOf = (n: number, { stamps }: Manner): string | undefined =>
  stamps === "every" || (stamps === "some" && n % 2 === 0) ? "STOP" : undefined;

function grouped(
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

function candidateOf({ parts, word }: Chunk, { nothing }: Manner): Fields {
  const absent: Readonly<Record<Manner["nothing"], Fields>> = {
    parts: { content: { role: "model", parts: [] } },
    empty: { content: { role: "model", parts: [{ text: "" }] } },
    absent: {},
  };
  const content = parts.length > 0 ? { content: { role: "model", parts } } : absent[nothing];
  return {
    candidates: [{ index: 0, ...content, ...(word !== undefined && { finishReason: word }) }],
  };
}
