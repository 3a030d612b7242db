import { isObject } from "../../harness/json.ts";
import type { Violation } from "../../wire.ts";
import { type Fields, fieldsOf, listViolations, matches, objectsIn } from "../shared.ts";

const responsesNamePattern = /^[a-zA-Z0-9_-]{1,64}$/;

export const nameRule = (item: Fields, at: string): Readonly<Record<string, boolean>> => ({
  [`Invalid '${at}.name': string does not match pattern ${responsesNamePattern}.`]: !matches(
    item["name"],
    responsesNamePattern,
  ),
});

const toolName = ({ type, name }: Fields): unknown =>
  type === "function" || type === "custom" ? name : undefined;

/** Tools that an item of the input offers. */
const hasAdditionalTools = (input: unknown): boolean =>
  objectsIn(input).some(({ type }) => type === "additional_tools");

/** The broken rules about the tools of a request and the choice among them. */
export function responsesToolsViolations(body: Fields): readonly Violation[] {
  const { tools, tool_choice: choice, input } = body;
  const names: readonly unknown[] = objectsIn(tools)
    .map(toolName)
    .filter((name) => name !== undefined);
  const { type, name } = fieldsOf(choice);
  return [
    ...listViolations(
      { tools: names, tool_choice: choice },
      {
        "Tool choice must be specified with 'tools'.":
          choice !== undefined && objectsIn(tools).length === 0 && !hasAdditionalTools(input),
        "Tool names must be unique.": new Set(names).size !== names.length,
        [`Tool choice '${String(name)}' not found in 'tools' parameter.`]:
          (type === "function" || type === "custom") &&
          !names.includes(name) &&
          !hasAdditionalTools(input),
      },
    ),
    ...objectsIn(tools).flatMap((tool, index) =>
      listViolations(tool, {
        ...(toolName(tool) !== undefined || tool["type"] === "function"
          ? nameRule(tool, `tools[${index}]`)
          : {}),
        [`Invalid schema for function '${String(tool["name"])}': schema must be a JSON Schema of 'type: "object"'.`]:
          tool["type"] === "function" && fieldsOf(tool["parameters"])["type"] !== "object",
        [`Invalid schema for function '${String(tool["name"])}': object schema missing properties.`]:
          tool["type"] === "function" && !isObject(fieldsOf(tool["parameters"])["properties"]),
      }),
    ),
  ];
}
