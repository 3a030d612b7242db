import type { ToolSpec } from "../contract/adapter.ts";
import { isRecord } from "../json/fields.ts";
import { type Input, inputText } from "../reply/inputs.ts";
import { towardCap } from "./cap.ts";
import type { Failure, Reply } from "./reply.ts";

type Schema = Exclude<ToolSpec["inputSchema"], "text">;

/** An empty input, if its tool requires a property or the whole input may not have come. */
export function missingInput(input: Input, reply: Reply): Failure | undefined {
  if (input.kind === "text" || !isEmpty(input, reply)) return undefined;
  const schema = schemaOf(input.name, reply);
  const required = requiredOf(schema);
  if (required.length > 0) {
    const detail = `The input is empty, but the tool requires ${required.join(", ")}. Some hosts send \`{}\` in place of an input that was cut.`;
    return { reason: "input-missing", stop: "malformed-tool-call", detail };
  }
  const proven = input.closed || isCounted(reply) || inputText(input).trim() !== "";
  return proven || !takesProperties(schema)
    ? undefined
    : { reason: "input-missing", stop: "malformed-tool-call" };
}

/** A usage shows that generation ended, unless only the end of the reply says so, too. */
const isCounted = (reply: Reply): boolean => !reply.stopImplied && towardCap(reply) !== undefined;

function isEmpty(input: Input, { parse }: Reply): boolean {
  const parsed = parse(input);
  return "input" in parsed && Object.keys(parsed.input).length === 0;
}

/** Some hosts send a blank or `null` as the input of a tool without parameters: it means `{}`. */
export function writtenText(input: Input, { tools }: Pick<Reply["request"], "tools">): string {
  const text = inputText(input);
  if (input.kind === "text" || text.length > 16 || !["", "null"].includes(text.trim())) return text;
  return takesProperties(schemaOf(input.name, { request: { tools } })) ? text : "";
}

function schemaOf(
  name: string | undefined,
  { request }: { readonly request: Pick<Reply["request"], "tools"> },
): Schema | undefined {
  const spec = request.tools?.find((tool) => tool.name === name && "inputSchema" in tool);
  return spec === undefined || !("inputSchema" in spec) || spec.inputSchema === "text"
    ? undefined
    : spec.inputSchema;
}

const requiredOf = (schema: Schema | undefined): readonly string[] => {
  const required: unknown = schema?.["required"];
  return Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
};

const allowsNoProperties = (key: string, value: unknown): boolean => {
  if (key === "additionalProperties") return value === false;
  const empty = isRecord(value) && Object.keys(value).length === 0;
  return ["properties", "required"].includes(key)
    ? empty
    : ["type", "title", "description", "$schema"].includes(key);
};

/** Whether the tool has properties. If its schema is unknown, it may have some. */
const takesProperties = (schema: Schema | undefined): boolean =>
  schema === undefined ||
  Object.entries(schema).some(([key, value]) => !allowsNoProperties(key, value));
