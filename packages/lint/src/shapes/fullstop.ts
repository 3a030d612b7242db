import type { Message } from "@fullstop/core";
import type { Document, Shape } from "../shape.ts";
import { TranscriptError } from "../transcript-error.ts";
import { type Fields, isFields, objectsIn } from "../values.ts";

const hasOwnBlock = ({ role, content, from }: Fields): boolean =>
  (role === "assistant" && isFields(from)) ||
  objectsIn(content).some(
    ({ type, id, inputText, data, opens }) =>
      (type === "tool-call" && typeof inputText === "string") ||
      (type === "tool-result" && typeof id === "string") ||
      (type === "native" && (data ?? opens) !== undefined),
  );

/** Each block gets its place, and the blocks stay as they are. */
function readFullstop({ list }: Document): readonly Message[] {
  return list.map((message, at) => {
    const { content } = message;
    if (!isMessage(message))
      throw new TranscriptError(
        `Message ${at} is not a message of Fullstop: expected the role user, assistant or tool, and a list of blocks as \`content\`. If the messages have another shape, name it with the option \`shape\`.`,
      );
    const blocks = Array.isArray(content)
      ? content.filter(isFields).map((block) => ({ ...block, source: sourceFor(block, at) }))
      : content;
    return { ...message, content: blocks, source: { at, raw: message } } as unknown as Message;
  });
}
const blockTypes: ReadonlyMap<string, readonly string[]> = new Map([
  ["tool-call", ["id", "name", "inputText"]],
  ["tool-result", ["id"]],
]);
const isBlock = (block: unknown): boolean =>
  isFields(block) &&
  typeof block["type"] === "string" &&
  (blockTypes.get(block["type"]) ?? []).every((member) => typeof block[member] === "string");
const isMessage = ({ role, content }: Fields): boolean =>
  (role === "user" && typeof content === "string") ||
  (typeof role === "string" &&
    ["user", "assistant", "tool"].includes(role) &&
    Array.isArray(content) &&
    content.every(isBlock));

const sourceFor = (block: Fields, at: number): Fields => ({
  at,
  raw: block,
  id: block["id"],
  nativeId: block["id"],
});

const withoutSource = (value: object): Fields => {
  const { source: _, ...rest } = value as Fields;
  return rest;
};

export const fullstopShape: Shape = {
  title: "Fullstop",
  member: "messages",
  evidence: ({ list }) =>
    list.some(hasOwnBlock) ? "blocks with `inputText`, or results with `id`" : undefined,
  read: readFullstop,
  write: (messages) =>
    messages.map((message) => ({
      ...withoutSource(message),
      content:
        typeof message.content === "string"
          ? message.content
          : [...message.content].map(withoutSource),
    })),
};
