import type { OfferedTool, ReplyCall } from "@fullstop/conformance";
import { isObject } from "./json.ts";

type Schema = Readonly<Record<string, unknown>>;

/** The text that marks everything that belongs to call `number`, which is 1 or 2. */
export const markFor = (number: number): string => `canary-${number}`;
const fileFor = (number: number): string => `${markFor(number)}.txt`;
/** A text that is long enough to be cut. */
const longTextFor = (number: number): string => `${markFor(number)}-${"abcdefghij".repeat(3)}`;

/** The text for a property by its name; the first match counts. */
const textsByProperty: readonly (readonly [name: RegExp, text: (number: number) => string])[] = [
  [/text|content|body|data/i, longTextFor],
  [/command|cmd|shell/i, (number) => `printf %s ${markFor(number)} >> ${fileFor(number)}`],
  [/path|file|target|destination/i, fileFor],
  [/url|uri/i, (number) => `http://127.0.0.1:9/${markFor(number)}`],
  [/.*/, longTextFor],
];
const textFor = (key: string, number: number): string =>
  textsByProperty.find(([name]) => name.test(key))?.[1](number) ?? markFor(number);

interface InputContext {
  /** The schema that references point into. */
  readonly root: Schema;
  /** The name of the property that is filled. */
  readonly key: string;
  /** 1 or 2, the number of the call. */
  readonly number: number;
}

/** Follows a local reference, and chooses the first alternative that is not `null`. */
function resolveSchema(schema: unknown, root: Schema): Schema {
  if (!isObject(schema)) return {};
  const { $ref: ref, anyOf, oneOf, allOf } = schema;
  if (typeof ref === "string" && ref.startsWith("#/")) {
    let target: unknown = root;
    for (const step of ref.slice(2).split("/"))
      target = isObject(target) ? target[step] : undefined;
    return resolveSchema(target, root);
  }
  const choices: readonly unknown[] | undefined = [anyOf, oneOf, allOf].find(Array.isArray);
  const choice = choices?.find((option) => !isObject(option) || option["type"] !== "null");
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

/** The type of the value in lower case; Gemini writes types in capitals. */
function typeOf({ type, properties }: Schema): string {
  const types = [type].flat().map((name) => String(name).toLowerCase());
  const first = types.find((name) => name !== "null" && name !== "undefined");
  return first ?? (isObject(properties) ? "object" : "string");
}

function objectFor(
  { properties, required }: Schema,
  context: InputContext,
): Readonly<Record<string, unknown>> {
  const all = isObject(properties) ? Object.entries(properties) : [];
  const wanted =
    Array.isArray(required) && required.length > 0
      ? all.filter(([key]) => required.includes(key))
      : all;
  return Object.fromEntries(
    wanted.map(([key, schema]) => [key, valueFor(schema, { ...context, key })]),
  );
}

const smallestNumber = ({ minimum, exclusiveMinimum }: Schema): number =>
  Number(minimum ?? Number(exclusiveMinimum ?? 0) + 1);

const valuesByType: Readonly<Record<string, (schema: Schema, context: InputContext) => unknown>> = {
  string: ({ maxLength }, { key, number }) =>
    textFor(key, number).slice(0, typeof maxLength === "number" ? maxLength : undefined),
  object: objectFor,
  array: ({ items, minItems }, context) =>
    Array.from({ length: Number(minItems ?? 0) }, () => valueFor(items, context)),
  number: smallestNumber,
  integer: smallestNumber,
  boolean: () => true,
  null: () => null,
};

function valueFor(schema: unknown, context: InputContext): unknown {
  const resolved = resolveSchema(schema, context.root);
  if (resolved["const"] !== undefined) return resolved["const"];
  if (Array.isArray(resolved["enum"])) return resolved["enum"][0];
  return valuesByType[typeOf(resolved)]?.(resolved, context) ?? null;
}

/**
 * Creates a call that fits the schema of the tool. Every text in its input has the mark of call
 * `number`.
 */
export function createCall({ name, inputSchema }: OfferedTool, number: number): ReplyCall {
  const root = isObject(inputSchema) ? inputSchema : {};
  return {
    name,
    id: `call_canary_${number}`,
    input: objectFor(resolveSchema(root, root), { root, key: "", number }),
  };
}

/** Whether the input has a mark, so that two calls of the tool can be distinguished. */
export const hasMark = ({ input }: ReplyCall): boolean =>
  JSON.stringify(input).includes(markFor(1));

/** The files to create before a run, for a tool that reads a file instead of writing it. */
export function filesToRead({ input }: ReplyCall): Readonly<Record<string, string>> {
  const texts = Object.values(input);
  const writes = texts.some(
    (text) => typeof text === "string" && text.includes("canary") && text !== fileFor(1),
  );
  if (writes || !texts.includes(fileFor(1))) return {};
  return Object.fromEntries(
    [1, 2].map((number) => [fileFor(number), `${markFor(number)}: the text of a file.`]),
  );
}
