import type { ToolResultBlock } from "@fullstop/core";
import { type ContentBlock, describeInvalidBlocks, type MediaSource } from "@fullstop/core/adapter";
import { notRunPrefix } from "../turn/repetition.ts";
import type { Charge } from "../turn/state.ts";
import { abortCause } from "../util/abort.ts";
import { isObject, jsonOfData, messageOf } from "../util/values.ts";

export interface ToolOutcome {
  readonly content: ToolResultBlock["content"];
  readonly isError?: true;
}

/** The same, and what happened to the tool, as a journal stores it. */
export interface CallOutcome extends ToolOutcome {
  readonly ran?: false;
  /** The tool had started, and its outcome is not known. */
  readonly inDoubt?: true;
  readonly timedOut?: true;
  /** It asks a person, and has no result yet. `content` says what to do if it cannot. */
  readonly asks?: { readonly question: unknown; readonly state: unknown };
  readonly charges?: readonly Charge[];
}

export const errorOutcome = (content: string): ToolOutcome => ({ content, isError: true });

export const unmade = (content: string): CallOutcome => ({
  ...errorOutcome(content),
  ran: false,
});
export const notRun = ({ name }: { readonly name: string }, reason: string): CallOutcome =>
  unmade(`${notRunPrefix(name)} ${reason}`);
export const neverStarted = (call: { readonly name: string }, signal: AbortSignal): CallOutcome =>
  notRun(call, `${abortCause(signal)} before it started.`);

export const stillWaiting = ({ name }: { readonly name: string }): CallOutcome =>
  errorOutcome(`${name} did not finish: the run was aborted while it waited.`);

export const unknownOutcome = ({ name }: { readonly name: string }): CallOutcome => ({
  ...errorOutcome(
    `${name} had started when the run was stopped, and its result was not recorded. Its outcome is unknown. Check what it did before you call ${name} again.`,
  ),
  inDoubt: true,
});

export const tooLargeOutcome = (
  { name }: { readonly name: string },
  { maxStepBytes = 0 }: { readonly maxStepBytes?: number | undefined },
): CallOutcome =>
  errorOutcome(
    `${name} finished, but its output is larger than the ${maxStepBytes} bytes that the journal takes, so it is lost. Do not call ${name} again only to see the output. Ask for a smaller part if it has an input for that.`,
  );

/** The output of a tool for the model: blocks stay blocks, everything else becomes text. */
export function serialize(name: string, output: unknown): ToolOutcome {
  const result = toBlockResult(output);
  if (result === undefined) return serializeText(name, output);
  const { content, isError } = result;
  const failed = isError && ({ isError } as const);
  if (!Array.isArray(content)) return { ...serializeText(name, content), ...failed };
  const flaw = describeInvalidBlocks(content);
  return flaw === undefined
    ? { content: content.map(copyBlock), ...failed }
    : errorOutcome(`${name} finished, but its output contains ${flaw}.`);
}

const textTypes: ReadonlySet<string> = new Set(["number", "bigint", "boolean"]);

function serializeText(name: string, output: unknown): ToolOutcome {
  if (typeof output === "string") return { content: output };
  if (output === undefined) return { content: `${name} finished. It has no output.` };
  if (textTypes.has(typeof output)) return { content: String(output) };
  let problem = `it is a ${typeof output}`;
  try {
    const content = jsonOfData(output);
    if (content !== undefined) return { content };
  } catch (thrown) {
    problem = messageOf(thrown);
  }
  return errorOutcome(
    `${name} finished, but its output cannot be converted to JSON (${problem}). Do not call it again only to see the output.`,
  );
}

interface BlockResult {
  readonly content: unknown;
  readonly isError?: true;
}
/** Undefined for data: an output that is not a block, a list of blocks or `{ content, isError }`. */
function toBlockResult(output: unknown): BlockResult | undefined {
  if (isContentBlock(output)) return { content: [output] };
  if (isBlockList(output)) return { content: output };
  if (
    !isObject(output) ||
    Object.keys(output).some((key) => key !== "content" && key !== "isError")
  )
    return undefined;
  const { content, isError } = output;
  if (typeof isError !== "boolean" && !(isError === undefined && isBlockList(content)))
    return undefined;
  return {
    content: Array.isArray(content) && !isBlockList(content) ? JSON.stringify(content) : content,
    ...(isError && { isError }),
  };
}

/**
 * Data may have `type: "file"` too, such as a list of files. A file block has a media type and
 * `data` or `url`, or a file id and its provider. A block with a `url` has no other keys.
 */
const isContentBlock = (value: unknown): value is ContentBlock => {
  if (!isObject(value)) return false;
  const { type, text, data, url, fileId, provider } = value;
  if (type === "text") return typeof text === "string";
  if (type !== "image" && type !== "file") return false;
  if (typeof fileId === "string" && typeof provider === "string") return true;
  const keys = Object.keys(value);
  const hasType = type === "image" || keys.some((key) => /^(media|mime)_?type$/i.test(key));
  const hasUrl = typeof url === "string" && keys.every((key) => blockKeys.has(key));
  return hasType && (typeof data === "string" || hasUrl);
};
const blockKeys: ReadonlySet<string> = new Set(["type", "mediaType", "data", "url", "name"]);
const isBlockList = (value: unknown): value is readonly ContentBlock[] =>
  Array.isArray(value) && value.length > 0 && value.every(isContentBlock);

/** A tool may change its own objects later; the copy stays as it is. */
const copyBlock = (block: ContentBlock): ContentBlock => {
  if (block.type === "text") return { type: "text", text: block.text };
  const source = copySource(block);
  if (block.type === "image") return { type: "image", ...source };
  return { type: "file", ...source, ...(block.name !== undefined && { name: block.name }) };
};
function copySource(block: MediaSource): MediaSource {
  const { mediaType, data, url } = block;
  if (data !== undefined) return { mediaType, data };
  const type = mediaType === undefined ? {} : { mediaType };
  return url !== undefined
    ? { url, ...type }
    : { fileId: block.fileId, provider: block.provider, ...type };
}

/** An output with a note before it. Data stays data: it becomes `{ note, output }`. */
export function withNote(note: string, name: string, output: unknown): object {
  if (toBlockResult(output) === undefined && isObject(output)) return { note, output };
  const { content, isError = false } = serialize(name, output);
  if (typeof content === "string") return { content: `${note}\n\n${content}`, isError };
  return { content: [{ type: "text", text: note }, ...content], isError };
}

/** Removes the middle of texts of more than `max` characters. Images and files do not count. */
export function truncate<Outcome extends ToolOutcome>(outcome: Outcome, max: number): Outcome {
  const { content } = outcome;
  if (typeof content === "string")
    return content.length <= max
      ? outcome
      : { ...outcome, content: truncateText(content, max, max) };
  let left = max;
  const blocks = content.map((block) => {
    if (block.type !== "text") return block;
    const text = block.text.length <= left ? block.text : truncateText(block.text, left, max);
    left = Math.max(0, left - block.text.length);
    return { ...block, text };
  });
  return { ...outcome, content: blocks };
}

/** Keeps `left` characters of a text, half from its beginning and half from its end. */
function truncateText(text: string, left: number, max: number): string {
  const head = withoutHalfPairs(text.slice(0, Math.ceil(left / 2)));
  const tail = withoutHalfPairs(text.slice(text.length - Math.floor(left / 2)));
  const removed = text.length - head.length - tail.length;
  const notice = `[${removed} of ${text.length} characters were removed here: a result may have at most ${max}. Request a smaller part to see them.]`;
  return `${head}\n${notice}\n${tail}`;
}

const withoutHalfPairs = (text: string): string =>
  text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, "");
