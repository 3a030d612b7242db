import type { ToolResultBlock } from "@fullstop/core";
import { fieldsOf } from "@fullstop/core/adapter";
import { withoutProviderData } from "../sse/public-event.ts";

interface BlockOutput {
  readonly type: "content";
  readonly value: Exclude<ToolResultBlock["content"], string>;
}

/** A text that is exactly the JSON of data is data again, and `textOfOutput` gives it back. */
export function outputOf(result: ToolResultBlock): unknown {
  const { content } = withoutProviderData(result);
  if (typeof content !== "string") return { type: "content", value: content } satisfies BlockOutput;
  return dataOf(content) ?? content;
}

function dataOf(text: string): object | undefined {
  if (!/^[[{]/.test(text)) return undefined;
  try {
    const data: object = JSON.parse(text);
    return JSON.stringify(data) === text ? data : undefined;
  } catch {
    return undefined; // It is the text of a tool, not data.
  }
}

export const errorTextOf = ({ content }: ToolResultBlock): string =>
  typeof content === "string"
    ? content
    : content.map((block) => (block.type === "text" ? block.text : `(${block.type})`)).join("\n");

export function contentOfOutput(output: unknown): ToolResultBlock["content"] {
  if (typeof output === "string") return output;
  if (isBlockOutput(output)) return output.value;
  return JSON.stringify(output) ?? "";
}

const isBlockOutput = (output: unknown): output is BlockOutput => {
  const { type, value } = fieldsOf(output);
  return type === "content" && Array.isArray(value);
};
