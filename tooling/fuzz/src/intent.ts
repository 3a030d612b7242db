import fc from "fast-check";
import { isObject, jsonValue } from "./json.ts";

/** A tool call with the text of its input, which may be invalid. */
export interface CallPart {
  readonly kind: "call";
  readonly tool: "read" | "write" | "now";
  readonly input: string;
}
export type Part =
  | CallPart
  | { readonly kind: "free"; readonly input: string }
  | { readonly kind: "text" | "thinking"; readonly text: string }
  /** A tool that the provider runs itself. Without a result it is still running. */
  | { readonly kind: "step"; readonly answered: boolean };

/** The reported output tokens, compared with the cap of the request. */
export type Tokens = "absent" | "zero" | "few" | "below" | "at";

/** The content of a reply, before it is written in a protocol. */
export interface Intent {
  readonly parts: readonly Part[];
  /** Selects the native stop reason if `truthful` is false. */
  readonly stop: number;
  readonly truthful: boolean;
  readonly tokens: Tokens;
}

const fragments = [
  "a",
  "Hello. ",
  "\n",
  '"',
  "\\",
  "é",
  "😀",
  "\u2028",
  "{",
  "}",
  "[1]",
  "data: ",
  "[DONE]",
  "\u0000",
  "<tool_call>",
  "/",
  "\ud83d",
];
const phrases = fc
  .array(fc.constantFrom(...fragments), { minLength: 1, maxLength: 5 })
  .map((some) => some.join(""));
const keys = fc.constantFrom(...'path,content,a,,é,1,__proto,x y,",\\,\n,\\a'.split(","));
const leaves = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -0,
    1.5,
    -1e-7,
    1e21,
    9007199254740991,
    9007199254740992,
    "",
    "{}",
    '{"a":1}',
  ),
  fc.integer(),
  phrases,
);
const { value: values } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    leaves,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(keys, tie("value"), { maxKeys: 3, noNullPrototype: true }),
  ),
}));
const objects = fc.dictionary(keys, values, { maxKeys: 3, noNullPrototype: true });

const escapeNonAscii = (json: string): string =>
  json.replaceAll(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
/** The first letter of each string is escaped: `{"a":"b"}` becomes `{"\\u0061":"\\u0062"}`. */
const escapeFirst = (json: string): string =>
  json.replaceAll(/"(?:[^"\\]|\\.)*"/g, (text) =>
    text.replace(/^"([a-z])/, (_, letter: string) => `"\\u00${letter.charCodeAt(0).toString(16)}`),
  );
const jsonStyles: readonly ((value: object) => string)[] = [
  (value) => JSON.stringify(value),
  (value) => JSON.stringify(value),
  (value) => JSON.stringify(value, null, 1),
  (value) => JSON.stringify(value, null, " \t\n"),
  (value) => escapeNonAscii(JSON.stringify(value)).replaceAll("/", "\\/"),
  (value) => escapeFirst(JSON.stringify(value)),
  (value) => ` \n${JSON.stringify(value)} `,
];
const jsonInputs = fc
  .tuple(objects, fc.constantFrom(...jsonStyles))
  .map(([value, write]) => write(value));
const brokenInputs = [
  '{"path":',
  '{"path":"a',
  '{"path":"a"',
  '{"path":tru',
  "{",
  '{"path":"a"}}',
  '{"path":"a"}{"path":"b"}',
  "{path:1}",
  '{"path":1,}',
  '{"path":01}',
  "[1]",
  '"{}"',
  "5",
  "null",
  " ",
  '{"path":12345678901234567890}',
  '{"path":1e400}',
  '{"__proto__":{"a":1}}',
  "[object Object]",
] as const;
const inputs = fc.oneof(
  { weight: 24, arbitrary: jsonInputs },
  { weight: 2, arbitrary: fc.constant("{}") },
  { weight: 2, arbitrary: fc.constant("") },
  { weight: 2, arbitrary: fc.constantFrom(...brokenInputs) },
);

const parts: fc.Arbitrary<Part> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("call" as const),
      tool: fc.constantFrom("read" as const, "write" as const, "now" as const),
      input: inputs,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("free" as const), input: phrases }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("text" as const), text: phrases }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("thinking" as const), text: phrases }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("step" as const), answered: fc.boolean() }),
  },
);

export const intents: fc.Arbitrary<Intent> = fc.record({
  parts: fc.array(parts, { maxLength: 5 }),
  stop: fc.nat(1000),
  truthful: fc.integer({ min: 0, max: 5 }).map((draw) => draw < 5),
  tokens: fc.constantFrom<Tokens>(
    "below",
    "below",
    "below",
    "below",
    "few",
    "few",
    "absent",
    "absent",
    "zero",
    "at",
  ),
});

/** The reported output tokens, for a cap of 1,000. */
export const tokenCounts: Readonly<Record<Tokens, number | undefined>> = {
  absent: undefined,
  zero: 0,
  few: 10,
  below: 700,
  at: 1000,
};

export const callsOf = ({
  parts: all,
}: Intent): readonly Extract<Part, { readonly kind: "call" | "free" }>[] =>
  all.filter((part) => part.kind === "call" || part.kind === "free");
export const intentText = ({ parts: all }: Intent): string =>
  all.map((part) => (part.kind === "text" ? part.text : "")).join("");

/** The native stop reason: the `right` one, or any of `stops`. */
export const chooseStop = (
  { truthful, stop }: Intent,
  right: string,
  stops: readonly string[],
): string => (truthful ? right : (stops[stop % stops.length] ?? right));

/** The input of a call where only an object can be sent. */
export const objectOf = (input: string): string => (isObject(jsonValue(input)) ? input : "{}");

/** What the tools that the provider runs make of a reply. */
export const stepFacts = ({
  parts: all,
}: Intent): { readonly capUnclear: boolean; readonly serverToolOpen: boolean } => {
  const steps = all.filter((part) => part.kind === "step");
  return { capUnclear: steps.length > 0, serverToolOpen: steps.some(({ answered }) => !answered) };
};

/** For protocols without free-form tools: they take an object. */
export const withoutFreeForm = (intent: Intent): Intent => ({
  ...intent,
  parts: intent.parts.map((part) =>
    part.kind === "free"
      ? { kind: "call", tool: "read", input: JSON.stringify({ path: part.input }) }
      : part,
  ),
});

/** For protocols without tools that the provider runs. */
export const withoutSteps = (intent: Intent): Intent => ({
  ...intent,
  parts: intent.parts.filter(({ kind }) => kind !== "step"),
});

/** Splits a text into pieces of these sizes; the list repeats. */
export function splitText(text: string, sizes: readonly number[]): readonly string[] {
  const pieces: string[] = [];
  for (let at = 0, position = 0; at < text.length; position++) {
    const end = at + (sizes[position % sizes.length] ?? text.length);
    pieces.push(text.slice(at, end));
    at = end;
  }
  return pieces;
}
export const pieceSizes: fc.Arbitrary<readonly number[]> = fc.array(
  fc.integer({ min: 1, max: 12 }),
  { minLength: 1, maxLength: 3 },
);

/** JSON in which each string that is a key of `holes` is replaced by the raw text. */
export function jsonWith(
  value: unknown,
  holes: ReadonlyMap<string, string>,
  space?: number,
): string {
  let json = JSON.stringify(value, null, space);
  for (const [name, text] of holes) json = json.replace(JSON.stringify(name), () => text);
  return json;
}
