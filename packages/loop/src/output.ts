import type { ToolResultBlock } from "@fullstop/core";
import { type ContentBlock, flawIn, isObject } from "./shape.ts";

/** What the model is told of a call. */
export interface Answer {
  readonly content: ToolResultBlock["content"];
  readonly isError?: true;
}

export const refused = (content: string): Answer => ({ content, isError: true });

/** Whether a journal gave what was recorded of a call. */
export const isAnswer = (value: unknown): value is Answer =>
  isObject(value) &&
  (typeof value["content"] === "string" ||
    (Array.isArray(value["content"]) && flawIn(value["content"]) === undefined));

/** The output of a tool as it is sent: blocks as they are, anything else as text. */
export function written(name: string, output: unknown): Answer {
  const given = givenIn(output);
  if (given === undefined) return asText(name, output);
  const { content, isError } = given;
  const failed = isError && ({ isError } as const);
  if (!Array.isArray(content)) return { ...asText(name, content), ...failed };
  const flaw = flawIn(content);
  return flaw === undefined
    ? { content: content.map(plain), ...failed }
    : refused(`${name} ran to its end, but its output holds ${flaw}.`);
}

const asIs: ReadonlySet<string> = new Set(["number", "bigint", "boolean"]);

function asText(name: string, output: unknown): Answer {
  if (typeof output === "string") return { content: output };
  if (output === undefined) return { content: `${name} ran to its end. It has no output.` };
  if (asIs.has(typeof output)) return { content: String(output) };
  let problem = `it is a ${typeof output}`;
  try {
    const content: string | undefined = JSON.stringify(output);
    if (content !== undefined) return { content };
  } catch (thrown) {
    problem = described(thrown);
  }
  return refused(
    `${name} ran to its end, but its output cannot be written as JSON (${problem}). Do not call it again only to see its output.`,
  );
}

interface Given {
  readonly content: unknown;
  readonly isError?: true;
}
/** What a tool gave as a block, as blocks, or as `{ content, isError }`; nothing of any other output. */
function givenIn(output: unknown): Given | undefined {
  if (isContent(output)) return { content: [output] };
  if (isContents(output)) return { content: output };
  if (
    !isObject(output) ||
    Object.keys(output).some((key) => key !== "content" && key !== "isError")
  )
    return undefined;
  const { content, isError } = output;
  if (typeof isError !== "boolean" && !(isError === undefined && isContents(content)))
    return undefined;
  return {
    content: Array.isArray(content) && !isContents(content) ? JSON.stringify(content) : content,
    ...(isError && { isError }),
  };
}

/** A block with what it is to hold. Other data may say `type: "file"` too, such as the list of a folder: it has no media type and no data. */
const isContent = (value: unknown): value is ContentBlock => {
  if (!isObject(value)) return false;
  const { type, text, data } = value;
  if (type === "text") return typeof text === "string";
  const isMedia =
    type === "image" ||
    (type === "file" && Object.keys(value).some((key) => /^(media|mime)_?type$/i.test(key)));
  return isMedia && typeof data === "string";
};
const isContents = (value: unknown): value is readonly ContentBlock[] =>
  Array.isArray(value) && value.length > 0 && value.every(isContent);

/** A copy: what a tool does with its own objects later changes nothing. */
const plain = (block: ContentBlock): ContentBlock => {
  if (block.type === "text") return { type: "text", text: block.text };
  const { type, mediaType, data } = block;
  if (type === "image") return { type, mediaType, data };
  return { type, mediaType, data, ...(block.name !== undefined && { name: block.name }) };
};

/** An output behind a note on it, in the shape that it had. */
export function noted(note: string, name: string, output: unknown): unknown {
  if (givenIn(output) === undefined && isObject(output)) return { note, output };
  const { content, isError = false } = written(name, output);
  if (typeof content === "string") return { content: `${note}\n\n${content}`, isError };
  return { content: [{ type: "text", text: note }, ...content], isError };
}

/** What was thrown, in words. */
export function described(thrown: unknown): string {
  try {
    if (isError(thrown)) return String(thrown.message || thrown.name);
    return typeof thrown === "string" ? thrown : (JSON.stringify(thrown) ?? typeof thrown);
  } catch {
    return "it threw something that is not an error";
  }
}

/** Also one of another realm, such as a worker or a test runner has. */
const isError = (thrown: unknown): thrown is Error =>
  thrown instanceof Error || Object.prototype.toString.call(thrown) === "[object Error]";

/** At most so many characters of text, from the beginning and from the end, and between them what is missing. Images and files have no part in it. */
export function fitted(answer: Answer, most: number): Answer {
  const { content } = answer;
  if (typeof content === "string")
    return content.length <= most
      ? answer
      : { ...answer, content: shortened(content, { most, left: most }) };
  let left = most;
  const blocks = content.map((block) => {
    if (block.type !== "text") return block;
    const text = block.text.length <= left ? block.text : shortened(block.text, { most, left });
    left = Math.max(0, left - block.text.length);
    return { ...block, text };
  });
  return { ...answer, content: blocks };
}

/** So much of a text as is left of what a result may hold. */
function shortened(
  text: string,
  { most, left }: { readonly most: number; readonly left: number },
): string {
  const head = whole(text.slice(0, Math.ceil(left / 2)));
  const tail = whole(text.slice(text.length - Math.floor(left / 2)));
  const missing = text.length - head.length - tail.length;
  const notice = `[${missing} of ${text.length} characters are cut out here: a result holds ${most}. Ask for a smaller part to see them.]`;
  return `${head}\n${notice}\n${tail}`;
}

/** Without the half of a surrogate pair at either end. */
const whole = (text: string): string => text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, "");
