import type { OfferedTool, ReplyCall } from "@fullstop/conformance";
import { isObject } from "./json.ts";

type Schema = Readonly<Record<string, unknown>>;

export const markOf = (n: number): string => `canary-${n}`;
export const fileOf = (n: number): string => `${markOf(n)}.txt`;

/** What a property is for, by its name; the first that fits. A text long enough to be cut is what any other gets. */
const purposes: readonly (readonly [name: RegExp, value: (n: number) => string])[] = [
  [/text|content|body|data/i, (n) => `${markOf(n)}-${"abcdefghij".repeat(3)}`],
  [/command|cmd|shell/i, (n) => `printf %s ${markOf(n)} > ${fileOf(n)}`],
  [/path|file|target|destination/i, fileOf],
  [/url|uri/i, (n) => `http://127.0.0.1:9/${markOf(n)}`],
  [/.*/, (n) => `${markOf(n)}-${"abcdefghij".repeat(3)}`],
];
const textFor = (key: string, n: number): string =>
  purposes.find(([name]) => name.test(key))?.[1](n) ?? markOf(n);

interface Place {
  readonly root: Schema;
  readonly key: string;
  readonly n: number;
}

function resolved(schema: unknown, root: Schema): Schema {
  if (!isObject(schema)) return {};
  const { $ref: ref, anyOf, oneOf, allOf } = schema;
  if (typeof ref === "string" && ref.startsWith("#/")) {
    let at: unknown = root;
    for (const step of ref.slice(2).split("/")) at = isObject(at) ? at[step] : undefined;
    return resolved(at, root);
  }
  const choices = [anyOf, oneOf, allOf].find((one) => Array.isArray(one)) as
    | readonly unknown[]
    | undefined;
  const choice = choices?.find((one) => !isObject(one) || one["type"] !== "null");
  return choice === undefined
    ? schema
    : {
        ...schema,
        anyOf: undefined,
        oneOf: undefined,
        allOf: undefined,
        ...resolved(choice, root),
      };
}

/** The type that a value should have; Gemini writes it in capitals. */
function typeOf({ type, properties }: Schema): string {
  const types = [type].flat().map((one) => String(one).toLowerCase());
  const first = types.find((one) => one !== "null" && one !== "undefined");
  return first ?? (isObject(properties) ? "object" : "string");
}

function objectFor(
  { properties, required }: Schema,
  place: Place,
): Readonly<Record<string, unknown>> {
  const all = isObject(properties) ? Object.entries(properties) : [];
  const wanted =
    Array.isArray(required) && required.length > 0
      ? all.filter(([key]) => required.includes(key))
      : all;
  return Object.fromEntries(
    wanted.map(([key, schema]) => [key, valueFor(schema, { ...place, key })]),
  );
}

const byType: Readonly<Record<string, (schema: Schema, place: Place) => unknown>> = {
  string: ({ maxLength }, { key, n }) =>
    textFor(key, n).slice(0, typeof maxLength === "number" ? maxLength : undefined),
  object: objectFor,
  array: ({ items, minItems }, place) =>
    Array.from({ length: Number(minItems ?? 0) }, () => valueFor(items, place)),
  number: ({ minimum, exclusiveMinimum }) => Number(minimum ?? Number(exclusiveMinimum ?? 0) + 1),
  integer: ({ minimum, exclusiveMinimum }) => Number(minimum ?? Number(exclusiveMinimum ?? 0) + 1),
  boolean: () => true,
  null: () => null,
};

function valueFor(schema: unknown, place: Place): unknown {
  const one = resolved(schema, place.root);
  if (one["const"] !== undefined) return one["const"];
  if (Array.isArray(one["enum"])) return one["enum"][0];
  return byType[typeOf(one)]?.(one, place) ?? null;
}

/** A call that fits a tool's schema; every text of it says which call it is. */
export function callTo({ name, inputSchema }: OfferedTool, n: number): ReplyCall {
  const root = isObject(inputSchema) ? inputSchema : {};
  return {
    name,
    id: `call_canary_${n}`,
    input: objectFor(resolved(root, root), { root, key: "", n }),
  };
}

/** Whether its calls can be told apart. */
export const isMarked = ({ input }: ReplyCall): boolean =>
  JSON.stringify(input).includes(markOf(1));

/** Files that a tool may need, which it would not write itself. */
export function filesFor({ input }: ReplyCall): Readonly<Record<string, string>> {
  const texts = Object.values(input);
  const writes = texts.some(
    (text) => typeof text === "string" && text.includes("canary") && text !== fileOf(1),
  );
  if (writes || !texts.includes(fileOf(1))) return {};
  return Object.fromEntries([1, 2].map((n) => [fileOf(n), `${markOf(n)}: the text of a file.`]));
}
