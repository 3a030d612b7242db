import { isObject } from "./shape.ts";

/** What the value of an option must be; `words` follow "must be". */
export interface Kind {
  readonly holds: (value: unknown) => boolean;
  readonly words: string;
}
export type Kinds<Options> = Readonly<Record<keyof Options, Kind>>;

export const count: Kind = {
  holds: (value) => Number.isInteger(value) && Number(value) >= 1,
  words: "a whole number from 1",
};
export const duration: Kind = {
  holds: (value) => typeof value === "number" && value > 0,
  words: "more than 0",
};
export const text: Kind = { holds: (value) => typeof value === "string", words: "a text" };
export const callback: Kind = {
  holds: (value) => typeof value === "function",
  words: "a function",
};
export const object: Kind = {
  holds: (value) => isObject(value) && !Array.isArray(value),
  words: "an object",
};
export const listOf = (items: string): Kind => ({
  holds: Array.isArray,
  words: `a list of ${items}`,
});
export const oneOf = (...values: readonly string[]): Kind => ({
  holds: (value) => values.some((one) => one === value),
  words: `one of ${values.map((one) => JSON.stringify(one)).join(", ")}`,
});
/** An object with these methods. */
export const having = (methods: readonly string[], words: string): Kind => ({
  holds: (value) =>
    isObject(value) && methods.every((method) => typeof value[method] === "function"),
  words,
});

/** Throws for an option that is not known, and for a value that cannot be meant. `of` is the option that holds these; without it `run` does. */
export function refuseStrange<Options extends object>(
  options: Options,
  kinds: Kinds<Required<Options>>,
  of?: string,
): void {
  const known: Readonly<Record<string, Kind>> = kinds;
  for (const [name, value] of Object.entries(options)) {
    const path = of === undefined ? name : `${of}.${name}`;
    const kind = Object.hasOwn(known, name) ? known[name] : undefined;
    if (kind === undefined)
      throw new TypeError(`There is no option \`${path}\`.${hint(name, Object.keys(known))}`);
    if (value === undefined || kind.holds(value)) continue;
    const sentence = `\`${path}\` must be ${kind.words}, not ${shown(value)}.`;
    throw typeof value === "number" ? new RangeError(sentence) : new TypeError(sentence);
  }
}

/** A value as an error may show it. A long text may be a key. */
function shown(value: unknown): string {
  if (typeof value === "string") return value.length > 20 ? "another text" : JSON.stringify(value);
  if (typeof value === "function") return "a function";
  if (Array.isArray(value)) return "a list";
  return isObject(value) ? "an object" : String(value);
}

/** What other libraries call an option, and what it is here. */
const elsewhere: Readonly<Record<string, string>> = {
  maxsteps: "limits.turns",
  maxturns: "limits.turns",
  stopwhen: "limits.turns",
  deadline: "limits.deadlineMs",
  timeout: "limits.deadlineMs",
  maxretries: "attempts.requests",
  retries: "attempts.requests",
  abortsignal: "signal",
  instructions: "system",
  systemprompt: "system",
  input: "prompt",
  history: "messages",
  maxoutputtokens: "maxTokens",
  maxcompletiontokens: "maxTokens",
  reasoningeffort: "effort",
  needsapproval: "approve",
};
const ofAdapter: ReadonlySet<string> = new Set([
  "temperature",
  "topp",
  "topk",
  "seed",
  "stopsequences",
  "params",
  "apikey",
  "baseurl",
  "model",
]);
const plain = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, "");

function hint(name: string, known: readonly string[]): string {
  const said = plain(name);
  const near = known
    .map((one) => ({ one, away: distance(said, plain(one)) }))
    .toSorted((a, b) => a.away - b.away)
    .find(({ one, away }) => away <= (one.length < 6 ? 1 : 2));
  const meant = near?.one ?? elsewhere[said];
  if (meant !== undefined) return ` Did you mean \`${meant}\`?`;
  return ofAdapter.has(said)
    ? " Parameters of the provider belong to the adapter."
    : ` The options are: ${known.join(", ")}.`;
}

/** How many letters must be added, left out, changed or swapped with the next one (optimal string alignment). */
function distance(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= one.length; row++) {
    const line = [row];
    for (let column = 1; column <= other.length; column++)
      line.push(cell(rows, line, { one, other, row, column }));
    rows.push(line);
  }
  return rows[one.length]?.[other.length] ?? 0;
}

interface Place {
  readonly one: string;
  readonly other: string;
  readonly row: number;
  readonly column: number;
}
function cell(
  rows: readonly (readonly number[])[],
  line: readonly number[],
  { one, other, row, column }: Place,
): number {
  const at = (up: number, left: number): number =>
    (up === 0 ? line : rows[row - up])?.[column - left] ?? Number.POSITIVE_INFINITY;
  const same = one[row - 1] === other[column - 1];
  const swapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
  return Math.min(
    at(1, 0) + 1,
    at(0, 1) + 1,
    at(1, 1) + (same ? 0 : 1),
    swapped ? at(2, 2) + 1 : Number.POSITIVE_INFINITY,
  );
}
