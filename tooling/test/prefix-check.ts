// The prefix check of Claude's newest models, as Anthropic's pages describe it. No vendor was asked.
// https://platform.claude.com/docs/en/build-with-claude/preserved-thinking/prefix-checks
import { createHash } from "node:crypto";

export interface ContentBlock {
  readonly type: string;
  readonly [member: string]: unknown;
}
interface MessageParam {
  readonly role: string;
  readonly content: string | readonly ContentBlock[];
}
/** What the check compares of a request. */
export interface Conversation {
  readonly system?: unknown;
  readonly tools?: unknown;
  readonly messages: readonly MessageParam[];
}

/** A block of a request, in its place. */
interface Placed {
  readonly role: string;
  readonly block: ContentBlock;
  readonly at: string;
}

/** What a signature holds: a hash of what stands before the block, and the thinking before it. */
interface Signed {
  readonly id: string;
  readonly prefix: string;
  readonly previous: string | undefined;
}

const isThinking = ({ type }: ContentBlock): boolean =>
  type === "thinking" || type === "redacted_thinking";

/** The order of keys does not matter, nor where the cache is asked for. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([name]) => name !== "cache_control");
  return Object.fromEntries(
    members
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, member]) => [name, canonical(member)]),
  );
}

const textBlock = (text: string): ContentBlock => ({ type: "text", text });
const asBlocks = (content: unknown): unknown =>
  typeof content === "string" ? [textBlock(content)] : content;

/** A text is short for a list with one block. */
const blocksOf = ({ content }: MessageParam): readonly ContentBlock[] =>
  (asBlocks(content) as readonly ContentBlock[]).map((block) =>
    block.type === "tool_result" ? { ...block, content: asBlocks(block["content"]) } : block,
  );

const placedIn = ({ messages }: Conversation): readonly Placed[] =>
  messages.flatMap((message, index) =>
    blocksOf(message).map((block, position) => ({
      role: message.role,
      block,
      at: `messages.${index}.content.${position}`,
    })),
  );

function prefixOf({ system, tools }: Conversation, before: readonly Placed[]): string {
  const said = before
    .filter(({ block }) => !isThinking(block))
    .map(({ role, block }) => ({ role, block }));
  const prefix = canonical({ system: asBlocks(system), tools, said });
  return createHash("sha256").update(JSON.stringify(prefix)).digest("base64url");
}

const secret = "of the server";
const macOf = (text: string): string =>
  createHash("sha256").update(`${secret} ${text}`).digest("base64url");
const seal = (signed: Signed): string => {
  const text = Buffer.from(JSON.stringify(signed)).toString("base64url");
  return `${text}.${macOf(text)}`;
};
function open(signature: unknown): Signed | undefined {
  const [text = "", mac] = String(signature).split(".");
  return mac === macOf(text) ? JSON.parse(Buffer.from(text, "base64url").toString()) : undefined;
}
const signatureOf = ({ type, signature, data }: ContentBlock): unknown =>
  type === "thinking" ? signature : data;

let count = 0;

/** Signs thinking that the model writes behind a request and the blocks of its reply. */
export function sign(asked: Conversation, written: readonly ContentBlock[]): string {
  const before = [
    ...placedIn(asked),
    ...written.map((block) => ({ role: "assistant", block, at: "" })),
  ];
  const last = before.findLast(({ block }) => isThinking(block));
  return seal({
    id: `thought_${count++}`,
    prefix: prefixOf(asked, before),
    previous: last && open(signatureOf(last.block))?.id,
  });
}

/** Why a request is refused. `undefined`: it is accepted. */
export function refusalOf(asked: Conversation): string | undefined {
  const placed = placedIn(asked);
  let previous: string | undefined;
  let isFirst = true;
  for (const [index, { block, at }] of placed.entries()) {
    if (!isThinking(block)) continue;
    const signed = open(signatureOf(block));
    const invalid = `${at}: Invalid \`signature\` in \`${block.type}\` block`;
    if (signed === undefined) return invalid;
    const isGap = !isFirst && signed.previous !== previous;
    if (isGap || signed.prefix !== prefixOf(asked, placed.slice(0, index)))
      return `${invalid}. The block is bound to a different conversation. Remove the block, or set \`thinking.block_binding.prefix_mismatch_behavior\` to "drop_block".`;
    previous = signed.id;
    isFirst = false;
  }
  return otherRefusal(asked);
}

/** Rules of the API that a mend of the history may break. */
const otherRules: Readonly<Record<string, (message: MessageParam, next: MessageParam) => boolean>> =
  {
    "`tool_use` ids must be unique": (message) => {
      const calls = idsOf(message, "tool_use", "id");
      return calls.length === new Set(calls).size;
    },
    "`tool_use` ids were found without `tool_result` blocks immediately after": (message, next) => {
      const results = idsOf(next, "tool_result", "tool_use_id");
      return idsOf(message, "tool_use", "id").every((id) => results.includes(id));
    },
    "unexpected `tool_use_id` found in `tool_result` blocks": (message, next) => {
      const calls = idsOf(message, "tool_use", "id");
      return idsOf(next, "tool_result", "tool_use_id").every((id) => calls.includes(id));
    },
    "The final block in an assistant message cannot be `thinking`.": (message) => {
      const last = blocksOf(message).at(-1);
      return message.role !== "assistant" || (last !== undefined && !isThinking(last));
    },
    "text content blocks must contain non-whitespace text": (message) =>
      blocksOf(message).every(({ type, text }) => type !== "text" || String(text).trim() !== ""),
  };
const noMessage: MessageParam = { role: "user", content: [] };
const idsOf = (message: MessageParam, type: string, member: string): readonly unknown[] =>
  blocksOf(message)
    .filter((block) => block.type === type)
    .map((block) => block[member]);

function otherRefusal({ messages }: Conversation): string | undefined {
  for (const [index, message] of messages.entries())
    for (const [why, holds] of Object.entries(otherRules))
      if (!holds(message, messages[index + 1] ?? noMessage)) return `messages.${index}: ${why}`;
  return undefined;
}
