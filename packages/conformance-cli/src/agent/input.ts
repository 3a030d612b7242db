import type { OfferedTool, ReplyCall } from "@fullstop/conformance";
import { tryParseJson } from "@fullstop/conformance/runner";
import { isFields } from "@fullstop/core/adapter";

type Schema = Readonly<Record<string, unknown>>;

/** The number of the call with the long input. The others are 1, 2 and 3. */
export const longCallNumber = 4;
/** The text that marks everything that belongs to call `number`. */
export const markFor = (number: number): string => `canary-${number}`;
const fileFor = (number: number): string => `${markFor(number)}.txt`;
const padding = (number: number): string =>
  "abcdefghij".repeat(number === longCallNumber ? 450 : 3);
/** A text that is long enough to be cut. */
const longTextFor = (number: number): string => `${markFor(number)}-${padding(number)}`;
/** Before the command of the call with the long input: a command that does nothing. */
const nothingBefore = (number: number): string =>
  number === longCallNumber ? `: ${padding(number)}; ` : "";

/** What a text is for, by the name of its property. */
export type TextKind = "content" | "command" | "path" | "address" | "other";

interface TextRule {
  readonly kind: TextKind;
  readonly name: RegExp;
  text(number: number): string;
}
/** The text for a property by its name; the first match counts. */
const textRules: readonly TextRule[] = [
  { kind: "content", name: /text|content|body|data/i, text: longTextFor },
  {
    kind: "command",
    name: /command|cmd|shell/i,
    text: (number) => `${nothingBefore(number)}printf %s ${markFor(number)} >> ${fileFor(number)}`,
  },
  { kind: "path", name: /path|file|target|destination/i, text: fileFor },
  { kind: "address", name: /url|uri/i, text: (number) => `http://127.0.0.1:9/${markFor(number)}` },
];
/** It may become the name of something, so it is never very long. */
const otherRule: TextRule = {
  kind: "other",
  name: /.*/,
  text: (number) => `${markFor(number)}-${"klmnopqrst".repeat(3)}`,
};
const ruleFor = (key: string): TextRule =>
  textRules.find(({ name }) => name.test(key)) ?? otherRule;

interface InputContext {
  /** The schema that references point into. */
  readonly root: Schema;
  /** The name of the property that is filled. */
  readonly key: string;
  textFor(key: string): string;
}

/** Follows a local reference, and chooses the first alternative that is not `null`. */
function resolveSchema(schema: unknown, root: Schema): Schema {
  if (!isFields(schema)) return {};
  const { $ref: ref, anyOf, oneOf, allOf } = schema;
  if (typeof ref === "string" && ref.startsWith("#/")) {
    let target: unknown = root;
    for (const step of ref.slice(2).split("/"))
      target = isFields(target) ? target[step] : undefined;
    return resolveSchema(target, root);
  }
  const choices: readonly unknown[] | undefined = [anyOf, oneOf, allOf].find(Array.isArray);
  const choice = choices?.find((option) => !isFields(option) || option["type"] !== "null");
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
  return first ?? (isFields(properties) ? "object" : "string");
}

function objectFor(
  { properties, required }: Schema,
  context: InputContext,
): Readonly<Record<string, unknown>> {
  const all = isFields(properties) ? Object.entries(properties) : [];
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

/** A list of texts gets one, so that it has an effect. */
function arrayFor({ items, minItems }: Schema, context: InputContext): readonly unknown[] {
  const isOfTexts = isFields(items) && typeOf(resolveSchema(items, context.root)) === "string";
  const length = Math.max(Number(minItems ?? 0), isOfTexts ? 1 : 0);
  return Array.from({ length }, () => valueFor(items, context));
}

const valuesByType: Readonly<Record<string, (schema: Schema, context: InputContext) => unknown>> = {
  string: ({ maxLength }, { key, textFor }) =>
    textFor(key).slice(0, typeof maxLength === "number" ? maxLength : undefined),
  object: objectFor,
  array: arrayFor,
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

function inputFor(inputSchema: unknown, textFor: InputContext["textFor"]): ReplyCall["input"] {
  const root = isFields(inputSchema) ? inputSchema : {};
  return objectFor(resolveSchema(root, root), { root, key: "", textFor });
}

const placeOf = ({ name, namespace }: OfferedTool): Pick<ReplyCall, "name" | "namespace"> => ({
  name,
  ...(namespace !== undefined && { namespace }),
});

const givenInput = (
  { name, takesText }: Pick<OfferedTool, "name" | "takesText">,
  text: string,
  option: string,
): Pick<ReplyCall, "input" | "inputText"> => {
  if (takesText) return { input: { input: text }, inputText: text };
  const input = tryParseJson(text);
  if (!isFields(input))
    throw new Error(
      `The input of ${name} must be a JSON object. The file of ${option} holds none.`,
    );
  return { input };
};
/**
 * Creates call `number` of the tool. Every text in its input has the mark of the call.
 * @param given The input of the first call, if the user gave it.
 */
export function createCall(tool: OfferedTool, number: number, given?: string): ReplyCall {
  const place = { ...placeOf(tool), id: `call_canary_${number}` };
  if (given !== undefined)
    return {
      ...place,
      ...givenInput(tool, given.replaceAll(markFor(1), markFor(number)), "--tool-input"),
    };
  return { ...place, input: inputFor(tool.inputSchema, (key) => ruleFor(key).text(number)) };
}

const minLongChars = 4096;

/** The call with the long input. `undefined` if no property of the tool takes such a text. */
export function createLongCall(tool: OfferedTool): ReplyCall | undefined {
  const call = createCall(tool, longCallNumber);
  return JSON.stringify(call.input).length > minLongChars ? call : undefined;
}

/** What call `number` writes where the first call writes `text`. */
export const writtenBy = (text: string, number: number): string =>
  text.replaceAll(longTextFor(1), longTextFor(number)).replaceAll(markFor(1), markFor(number));

export function createFinalCall(tool: OfferedTool, given?: string): ReplyCall {
  const place = { ...placeOf(tool), id: "call_final" };
  return given === undefined
    ? { ...place, input: inputFor(tool.inputSchema, () => "All done.") }
    : { ...place, ...givenInput(tool, given, "--final-input") };
}

/** A text that an agent runs, in the form of call `number`. */
export const createTextCall = (given: string, number: number): ReplyCall => {
  const text = given.replaceAll(markFor(1), markFor(number));
  return { name: "text", id: `call_canary_${number}`, input: { text }, inputText: text };
};

/** Whether the input has a mark, so that two calls of the tool can be distinguished. */
export const hasMark = ({ input }: ReplyCall): boolean =>
  JSON.stringify(input).includes(markFor(1));

/** What the marked texts of an input are for. */
export const textKindsOf = ({ input }: ReplyCall): ReadonlySet<TextKind> =>
  new Set(
    Object.entries(input)
      .filter(([, value]) => JSON.stringify(value)?.includes(markFor(1)))
      .map(([key]) => ruleFor(key).kind),
  );

/** The files to create before a run, for a tool that reads a file instead of writing it. */
export function filesToRead({ input }: ReplyCall): Readonly<Record<string, string>> {
  const texts = Object.values(input);
  const writes = texts.some(
    (text) => typeof text === "string" && text.includes("canary") && text !== fileFor(1),
  );
  if (writes || !texts.includes(fileFor(1))) return {};
  return Object.fromEntries(
    [1, 2, 3].map((number) => [fileFor(number), `${markFor(number)}: the text of a file.`]),
  );
}
