import type { OfferedTool, ReplyCall } from "@fullstop/conformance";
import { isObject } from "./json.ts";

type Schema = Readonly<Record<string, unknown>>;

export const markFor = (n: number): string => `canary-${n}`;
export const fileFor = (n: number): string => `${markFor(n)}.txt`;

/** What a property is for, by its name; the first that fits. A text long enough to be cut is what any other gets. */
const textsByProperty: readonly (readonly [name: RegExp, value: (n: number) => string])[] = [
  [/text|content|body|data/i, (n) => `${markFor(n)}-${"abcdefghij".repeat(3)}`],
  [/command|cmd|shell/i, (n) => `printf %s ${markFor(n)} > ${fileFor(n)}`],
  [/path|file|target|destination/i, fileFor],
  [/url|uri/i, (n) => `http://127.0.0.1:9/${markFor(n)}`],
  [/.*/, (n) => `${markFor(n)}-${"abcdefghij".repeat(3)}`],
];
const textFor = (key: string, n: number): string =>
  textsByProperty.find(([name]) => name.test(key))?.[1](n) ?? markFor(n);

interface InputContext {
  readonly root: Schema;
  readonly key: string;
  readonly n: number;
}

function resolveSchema(schema: unknown, root: Schema): Schema {
  if (!isObject(schema)) return {};
  const { $ref: ref, anyOf, oneOf, allOf } = schema;
  if (typeof ref === "string" && ref.startsWith("#/")) {
    let at: unknown = root;
    for (const step of ref.slice(2).split("/")) at = isObject(at) ? at[step] : undefined;
    return resolveSchema(at, root);
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
        ...resolveSchema(choice, root),
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
  place: InputContext,
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

const valuesByType: Readonly<Record<string, (schema: Schema, place: InputContext) => unknown>> = {
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

function valueFor(schema: unknown, place: InputContext): unknown {
  const one = resolveSchema(schema, place.root);
  if (one["const"] !== undefined) return one["const"];
  if (Array.isArray(one["enum"])) return one["enum"][0];
  return valuesByType[typeOf(one)]?.(one, place) ?? null;
}

/** A call that fits a tool's schema; every text of it says which call it is. */
export function createCall({ name, inputSchema }: OfferedTool, n: number): ReplyCall {
  const root = isObject(inputSchema) ? inputSchema : {};
  return {
    name,
    id: `call_canary_${n}`,
    input: objectFor(resolveSchema(root, root), { root, key: "", n }),
  };
}

/** Whether its calls can be told apart. */
export const hasMark = ({ input }: ReplyCall): boolean =>
  JSON.stringify(input).includes(markFor(1));

/** Files that a tool may need, which it would not write itself. */
export function filesToRead({ input }: ReplyCall): Readonly<Record<string, string>> {
  const texts = Object.values(input);
  const writes = texts.some(
    (text) => typeof text === "string" && text.includes("canary") && text !== fileFor(1),
  );
  if (writes || !texts.includes(fileFor(1))) return {};
  return Object.fromEntries([1, 2].map((n) => [fileFor(n), `${markFor(n)}: the text of a file.`]));
}
