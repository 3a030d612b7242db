import type { Violation } from "@fullstop/conformance";
import { type Fields, fieldsOf, isObject, listViolations, objectsIn } from "./fields.ts";

interface Placed {
  readonly index: number;
  readonly message: Fields;
  readonly before: Fields | undefined;
}

const blocksIn = (message: Fields | undefined): readonly Fields[] =>
  objectsIn(message?.["content"]);
/** The members of this type. Tools that the service runs are not the caller's. */
const membersOf = (
  message: Fields | undefined,
  type: "toolUse" | "toolResult",
): readonly Fields[] =>
  blocksIn(message).flatMap((block) => {
    const member = block[type];
    return isObject(member) && member["type"] === undefined ? [member] : [];
  });
const idsOf = (members: readonly Fields[]): readonly unknown[] =>
  members.map(({ toolUseId }) => toolUseId);

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Message.html */
function placeViolations({ index, message }: Placed): readonly Violation[] {
  const { role } = message;
  const types = blocksIn(message).flatMap((block) => Object.keys(block));
  return listViolations(
    {
      [`messages.${index}.role: must be user or assistant`]:
        role !== "user" && role !== "assistant",
      [`The content field in the Message object at messages.${index} is empty. Add a ContentBlock object to the content field and try again.`]:
        types.length === 0,
      [`messages.${index}: images and documents only in messages of the user`]:
        role !== "user" && types.some((type) => type === "image" || type === "document"),
      [`messages.${index}: a document needs a text beside it`]:
        types.includes("document") && !types.includes("text"),
    },
    message,
  );
}

/** pydantic/pydantic-ai#2327, timothy-agent/timothy#33, strands-agents/harness-sdk#1435 */
function pairViolations({ index, message, before }: Placed): readonly Violation[] {
  const calls = before?.["role"] === "assistant" ? idsOf(membersOf(before, "toolUse")) : [];
  const results = idsOf(membersOf(message, "toolResult"));
  const missing = calls.filter((id) => !results.includes(id));
  const strays = results.filter((id) => !calls.includes(id));
  return listViolations(
    {
      [`Expected toolResult blocks at messages.${index}.content for the following Ids: ${missing.join(", ")}`]:
        missing.length > 0,
      [`The number of toolResult blocks at messages.${index}.content exceeds the number of toolUse blocks of previous turn: ${strays.join(", ")}`]:
        strays.length > 0 || results.length > calls.length,
      [`messages.${index}: toolUse blocks only in messages of the assistant`]:
        message["role"] !== "assistant" && membersOf(message, "toolUse").length > 0,
    },
    [before, message],
  );
}

/** Claude wants the signature of its reasoning, and no reasoning at the end. */
function reasoningViolations({ index, message }: Placed): readonly Violation[] {
  const blocks = blocksIn(message);
  const unsigned = blocks.some(({ reasoningContent }) => {
    const { reasoningText } = fieldsOf(reasoningContent);
    return isObject(reasoningText) && typeof reasoningText["signature"] !== "string";
  });
  return listViolations(
    {
      [`messages.${index}: reasoning without its signature`]: unsigned,
      [`messages.${index}: the final block in an assistant message cannot be reasoning`]:
        blocks.at(-1)?.["reasoningContent"] !== undefined,
    },
    message,
  );
}

/** strands-agents/harness-sdk#1223 */
function separationViolations({ index, message }: Placed): readonly Violation[] {
  const types = new Set(blocksIn(message).flatMap((block) => Object.keys(block)));
  const hasTools = types.has("toolUse") || types.has("toolResult");
  return listViolations(
    {
      [`messages.${index}.content: Conversation blocks and tool result blocks cannot be provided in the same turn.`]:
        hasTools && types.has("text"),
    },
    message,
  );
}

/** The broken rules about messages that belong together. `model` is a part of its name. */
export function conversationViolations(body: Fields, model: string): readonly Violation[] {
  const messages = objectsIn(body["messages"]);
  const placed = messages.map((message, index) => ({
    index,
    message,
    before: messages[index - 1],
  }));
  const last = messages.at(-1);
  const tools = messages.flatMap((message) => [
    ...membersOf(message, "toolUse"),
    ...membersOf(message, "toolResult"),
  ]);
  const names = messages
    .flatMap(blocksIn)
    .flatMap(({ document }) => (isObject(document) ? [document["name"]] : []));
  const twice = placed.find(({ message, before }) => message["role"] === before?.["role"]);
  return [
    ...listViolations({
      "messages: at least one message is required": messages.length === 0,
      "A conversation must start with a user message. Try again with a conversation that starts with a user message.":
        messages[0]?.["role"] === "assistant",
      "A conversation must alternate between user and assistant roles.": twice !== undefined,
      // dify#17545, vxcontrol/pentagi#196
      "The toolConfig field must be defined when using toolUse and toolResult content blocks.":
        tools.length > 0 && body["toolConfig"] === undefined,
      // aws-samples/sample-apj-sup-sa#137
      "messages: two documents of one name": new Set(names).size !== names.length,
      [`Expected toolResult blocks for the following Ids: ${idsOf(membersOf(last, "toolUse")).join(", ")}`]:
        membersOf(last, "toolUse").length > 0,
    }),
    // Claude 4.6 and later refuse it. Of other models nothing is known.
    ...listViolations({
      "This model does not support assistant message prefill. The conversation must end with a user message.":
        last?.["role"] === "assistant",
    }).map((violation) => ({ ...violation, level: "should" as const })),
    ...placed.flatMap(placeViolations),
    ...placed.flatMap(pairViolations),
    ...(model.includes("claude") ? placed.flatMap(reasoningViolations) : []),
    ...(model.includes("llama") ? placed.flatMap(separationViolations) : []),
  ];
}
