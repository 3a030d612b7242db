import fc from "fast-check";
import type { Frame } from "../bytes.ts";
import {
  callsOf,
  cutUp,
  type Intent,
  intents,
  jsonWith,
  type Part,
  textOf,
  tokenCounts,
} from "../intent.ts";
import type { Fields } from "../json.ts";
import type { Written } from "../protocol.ts";
import { type Holes, inTurns, type Meant, piecesOf } from "./calls.ts";
import { words } from "./hosts.ts";
import { consistent, type Manner, manners } from "./manner.ts";
import { truthOf } from "./truth.ts";

export const replies: fc.Arbitrary<Written> = fc
  .tuple(intents, manners)
  .map(([intent, manner]) =>
    write(
      withoutSteps(intent),
      manner.whole ? wholeManner(manner, intent) : consistent(manner, intent),
    ),
  );

/** The protocol has no tools of the provider's own, and its first form no free texts. */
const withoutSteps = (intent: Intent): Intent => ({
  ...intent,
  parts: intent.parts.filter(({ kind }) => kind !== "step"),
});

/** A whole message says each call once. */
function wholeManner(manner: Manner, intent: Intent): Manner {
  const plain = {
    index: "own",
    inputs: "whole",
    again: false,
    mixed: false,
    legacy: manner.legacy === "instead" ? "instead" : "none",
  } as const;
  const settled = consistent({ ...manner, ...plain }, intent);
  return { ...settled, inputs: "whole", word: manner.word === "none" ? "none" : "own" };
}

function write(intent: Intent, manner: Manner): Written {
  const asks = callsOf(intent).length > 0;
  const right = asks ? "tool_calls" : "stop";
  const word = intent.honest ? right : (words[intent.word % words.length] ?? right);
  const making: Making = { manner, holes: new Map(), word, usage: usageOf(intent, manner) };
  const meant = callsOf(intent).map((part, n): Meant => {
    const free = part.kind === "free";
    return { n, name: free ? "patch" : part.tool, input: part.input, free };
  });
  return {
    frames: manner.whole ? [wholeOf(intent, meant, making)] : streamOf(intent, meant, making),
    whole: manner.whole,
    host: manner.host,
    truth: truthOf(intent, { manner, word, meant, text: textOf(intent) }),
    from: { intent, manner },
  };
}

interface Making {
  readonly manner: Manner;
  readonly holes: Holes;
  readonly word: string;
  readonly usage: Fields | undefined;
}

function usageOf({ tokens }: Intent, { reasoning }: Manner): Fields | undefined {
  const output = tokenCounts[tokens];
  if (output === undefined) return undefined;
  const details: Readonly<Record<Manner["reasoning"], Fields>> = {
    absent: {},
    none: { completion_tokens_details: { reasoning_tokens: 0 } },
    some: { completion_tokens_details: { reasoning_tokens: 400 } },
  };
  return {
    prompt_tokens: 9,
    completion_tokens: output,
    total_tokens: 9 + output,
    ...details[reasoning],
  };
}

const frame = (body: Fields, { holes }: Making): Frame => ({
  data: jsonWith({ id: "chatcmpl-1", model: "model", ...body }, holes),
});

function streamOf(intent: Intent, meant: readonly Meant[], making: Making): readonly Frame[] {
  const { manner, usage } = making;
  const deltas = [{ role: "assistant" }, ...contentOf(intent, meant, making)];
  const noWord: Readonly<Record<Manner["noWord"], Fields>> = {
    null: { finish_reason: null },
    empty: { finish_reason: "" },
    absent: {},
  };
  const chunks = deltas.map(
    (delta): Fields => ({ choices: [{ index: 0, delta, ...noWord[manner.noWord] }] }),
  );
  const strangers = manner.strangers
    ? [
        { choices: [], prompt_filter_results: [] },
        { choices: null, copilot_references: [] },
      ]
    : [];
  const own =
    usage !== undefined && (manner.usage === "own" || manner.word === "none")
      ? [{ choices: [], usage }]
      : [];
  const frames = [...strangers, ...withWord(chunks, making), ...own].map((chunk) =>
    frame(chunk, making),
  );
  return manner.done ? [...frames, { data: "[DONE]" }] : frames;
}

/** Puts the word where the host says it. */
function withWord(chunks: readonly Fields[], { manner, word, usage }: Making): readonly Fields[] {
  const beside: Readonly<Record<Manner["usage"], Fields>> = {
    own: {},
    word: { usage },
    choice: {},
    groq: { x_groq: { usage } },
  };
  const choice = {
    index: 0,
    finish_reason: word,
    ...(manner.usage === "choice" && usage !== undefined && { usage }),
  };
  const stub = manner.legacy === "stub" ? { function_call: { name: "", arguments: "" } } : {};
  const end = {
    choices: [{ ...choice, delta: stub }],
    ...(usage !== undefined && beside[manner.usage]),
  };
  const places: Readonly<Record<Manner["word"], () => readonly Fields[]>> = {
    own: () => [...chunks, end],
    last: () => [...chunks.slice(0, -1), ...chunks.slice(-1).map((last) => joined(last, end))],
    twice: () => [...chunks, end, { ...end, choices: [{ ...choice, delta: {} }] }],
    late: () => [...chunks.slice(0, -1), end, ...chunks.slice(-1)],
    none: () => chunks,
  };
  return places[manner.word]();
}

function joined(chunk: Fields, end: Fields): Fields {
  const [content] = chunk["choices"] as readonly Fields[];
  const [word] = end["choices"] as readonly Fields[];
  const delta = { ...(word?.["delta"] as object), ...(content?.["delta"] as object) };
  return { ...end, choices: [{ ...content, ...word, delta }] };
}

/** The content of a stream, delta by delta. */
function contentOf(intent: Intent, meant: readonly Meant[], making: Making): readonly Fields[] {
  const { manner } = making;
  const prose = intent.parts.flatMap((part) => proseOf(part, manner));
  const [first] = meant;
  if (manner.legacy === "instead" && first !== undefined) {
    const { name, input } = first;
    return [
      ...prose,
      ...[input === "" ? [""] : cutUp(input, manner.sizes)].flat().map((text, n) => ({
        function_call: n === 0 ? { name, arguments: text } : { arguments: text },
      })),
    ];
  }
  const calls = meant.map((call, at) => piecesOf(call, at, making));
  const again = manner.again && first !== undefined ? [piecesOf(first, meant.length, making)] : [];
  const echo =
    manner.legacy === "echo" && first !== undefined
      ? [{ function_call: { name: first.name, arguments: first.input } }]
      : [];
  return [
    ...prose,
    ...inTurns([...calls, ...again], manner.mixed).map((pieces) => ({ tool_calls: pieces })),
    ...echo,
  ];
}

function proseOf(part: Part, { sizes, refuses }: Manner): readonly Fields[] {
  if (part.kind === "thinking")
    return cutUp(part.text, sizes).map((text) => ({ reasoning_content: text }));
  if (part.kind !== "text") return [];
  return cutUp(part.text, sizes).map((text) => ({ [refuses ? "refusal" : "content"]: text }));
}

function wholeOf(intent: Intent, meant: readonly Meant[], making: Making): Frame {
  const { manner, word, usage } = making;
  const text = textOf(intent);
  const thoughts = intent.parts.map((part) => (part.kind === "thinking" ? part.text : "")).join("");
  const [first] = meant;
  const calls: Fields =
    manner.legacy === "instead" && first !== undefined
      ? { function_call: { name: first.name, arguments: first.input } }
      : { tool_calls: meant.flatMap((call, at) => piecesOf(call, at, making)) };
  const message = {
    role: "assistant",
    content: manner.refuses || text === "" ? null : text,
    ...(manner.refuses && { refusal: text }),
    ...(thoughts !== "" && { reasoning_content: thoughts }),
    ...(meant.length > 0 && calls),
  };
  const choice = { index: 0, message, finish_reason: manner.word === "none" ? null : word };
  return frame(
    { object: "chat.completion", choices: [choice], ...(usage !== undefined && { usage }) },
    making,
  );
}
