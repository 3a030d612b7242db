import type { Adapter, TurnRequest } from "../contract/adapter.ts";
import { ProviderError } from "../contract/error.ts";
import type {
  ContentBlock,
  MediaReference,
  Message,
  ToolMessage,
  UserMessage,
} from "../contract/message.ts";
import { createFold } from "./fold.ts";

type Content = string | readonly ContentBlock[];
type Recipient = Pick<Adapter, "provider" | "refuseReference">;
type Replace = (block: ContentBlock) => ContentBlock;

/**
 * Handles images and files that the provider of this request cannot load by their URL or file id. A
 * model has answered the messages before the last reply: there a sentence takes the place of the
 * block, so a conversation can go on with another provider.
 * @throws ProviderError of kind `invalid-request` for such a block in a later message.
 */
export function resolveReferences(recipient: Recipient, request: TurnRequest): TurnRequest {
  const { messages } = request;
  if (!findReferences(messages).found) return request;
  const lastReply = messages.findLastIndex(({ role }) => role === "assistant");
  return {
    ...request,
    messages: messages.map((message, index) =>
      message.role === "assistant" || !hasReference(message)
        ? message
        : resolveIn(message, recipient, index < lastReply),
    ),
  };
}

function resolveIn(
  message: UserMessage | ToolMessage,
  recipient: Recipient,
  answered: boolean,
): UserMessage | ToolMessage {
  const replace: Replace = (block) => {
    if (!isReference(block)) return block;
    const refusal = explainRefusal(block, recipient, message.role);
    if (refusal === undefined) return block;
    if (!answered) throw refusalError(block, refusal);
    return { type: "text", text: `[${describeReference(block)} is left out here: ${refusal}.]` };
  };
  if (message.role === "user") return { ...message, content: replaceIn(message.content, replace) };
  return {
    ...message,
    content: message.content.map((result) => ({
      ...result,
      content: replaceIn(result.content, replace),
    })),
  };
}

const replaceIn = (content: Content, replace: Replace): Content =>
  typeof content === "string" ? content : content.map(replace);

const isReference = (block: ContentBlock): block is MediaReference =>
  block.type !== "text" && (block.url !== undefined || block.fileId !== undefined);
const holdsReference = (content: Content): boolean =>
  typeof content !== "string" && content.some(isReference);

const findReferences = /* @__PURE__ */ createFold<{ found: boolean }>({
  begin: () => ({ found: false }),
  add: (state, message) => {
    state.found ||= hasReference(message);
  },
});

function hasReference(message: Message): boolean {
  if (message.role === "assistant") return false;
  if (message.role === "user") return holdsReference(message.content);
  return message.content.some(({ content }) => holdsReference(content));
}

function explainRefusal(
  block: MediaReference,
  { provider, refuseReference }: Recipient,
  place: "user" | "tool",
): string | undefined {
  if (block.fileId !== undefined && block.provider !== provider)
    return `only "${block.provider}" knows this file id, and the request goes to "${provider}"`;
  if (refuseReference === undefined)
    return `the adapter of "${provider}" sends neither URLs nor file ids`;
  return refuseReference(block, place);
}

const refusalError = (block: MediaReference, refusal: string): ProviderError =>
  new ProviderError(
    `${describeReference(block)} cannot be sent: ${refusal}. You can load it, and give its bytes in base64 as \`data\`, with its \`mediaType\`.`,
    { kind: "invalid-request" },
  );

/** The query of a URL is left out: it may hold a signature that opens the file. */
function describeReference(block: MediaReference): string {
  const subject = block.type === "image" ? "The image" : "The file";
  if (block.fileId !== undefined) return `${subject} with the id "${block.fileId}"`;
  if (!URL.canParse(block.url)) return `${subject} with an invalid URL`;
  const { origin, pathname } = new URL(block.url);
  return `${subject} ${origin}${pathname}`;
}
