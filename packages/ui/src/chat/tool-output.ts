import type { ToolResultBlock } from "@fullstop/core";
import { withoutProviderData } from "../sse/public-event.ts";

/** The output of a tool that returned blocks. */
interface BlockOutput {
  readonly type: "content";
  readonly value: Exclude<ToolResultBlock["content"], string>;
}

/**
 * The result of a call for the page. Data that the tool returned is data again, if its text is
 * exactly the JSON of it; so `textOfOutput` gives the model the same text later.
 */
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

/** The text of a result that failed. */
export const errorTextOf = ({ content }: ToolResultBlock): string =>
  typeof content === "string"
    ? content
    : content.map((block) => (block.type === "text" ? block.text : `(${block.type})`)).join("\n");

/** The content of a result, from what the page has. */
export function contentOfOutput(output: unknown): ToolResultBlock["content"] {
  if (typeof output === "string") return output;
  if (isBlockOutput(output)) return output.value;
  return JSON.stringify(output) ?? "";
}

const isBlockOutput = (output: unknown): output is BlockOutput => {
  const { type, value } = (output ?? {}) as Partial<Record<keyof BlockOutput, unknown>>;
  return type === "content" && Array.isArray(value);
};
