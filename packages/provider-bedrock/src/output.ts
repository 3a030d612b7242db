import type { OutputConfig } from "@aws-sdk/client-bedrock-runtime";
import type { TurnRequest } from "@fullstop/core";
import { closeObjects, everySchema, type OutputSpec, outputToolName } from "@fullstop/core/adapter";
import type { ModelRules } from "./models.ts";

type Schema = OutputSpec["schema"];

/**
 * The keywords that the API accepts. Schemas with others are requested as the input of a tool.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/structured-output.html
 */
const accepted: ReadonlySet<string> = new Set(
  [
    "type properties required additionalProperties items anyOf allOf enum const",
    "$defs definitions title description default",
  ].flatMap((line) => line.split(" ")),
);

/** References are not looked at, and are refused. */
export const formatTakes = (schema: Schema): boolean => {
  const closed = closeObjects({ type: "object", ...schema });
  return closed !== undefined && everySchema(closed, canSay);
};

const canSay = (node: Schema): boolean =>
  Object.keys(node).every((keyword) => accepted.has(keyword)) &&
  ["type", "anyOf", "allOf", "enum", "const"].some((keyword) => node[keyword] !== undefined);

/** The format of a reply. The API takes the schema as a text. */
export function encodeFormat({ name = "output", schema }: OutputSpec): OutputConfig["textFormat"] {
  const closed = closeObjects({ type: "object", ...schema }) ?? schema;
  return {
    type: "json_schema",
    structure: { jsonSchema: { name, schema: JSON.stringify(closed) } },
  };
}

/** Many models refuse a forced tool: the tool for an object is then only offered. */
export function unforceOutputTool(request: TurnRequest, rules: ModelRules): TurnRequest {
  const { toolChoice } = request;
  const isForced = typeof toolChoice === "object" && toolChoice.name === outputToolName;
  return isForced && !rules.forcesTools ? { ...request, toolChoice: "auto" } : request;
}
