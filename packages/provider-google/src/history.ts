import type {
  AssistantBlock,
  AssistantMessage,
  Message,
  ToolCallBlock,
  ToolMessage,
} from "@fullstop/core";
import type { Content, FunctionCall, Part } from "@google/genai";
import { encodeContent, encodeResult } from "./media.ts";
import { isRecent } from "./models.ts";

/** A content that is being put together. */
export interface Param extends Content {
  readonly role: "user" | "model";
  readonly parts: Part[];
}

/** Whose history may be sent back with the provider's own ids. */
export interface Reader {
  readonly model: string;
  isOwn(message: AssistantMessage): boolean;
}

/**
 * A conversation as the API takes it: neighbours of one role in one content, the results of a step first and all together,
 * a user's content at both ends.
 */
export function encodeMessages(messages: readonly Message[], reader: Reader): Param[] {
  const params: Param[] = [];
  let calls: readonly Sent[] = [];
  const append = (role: Param["role"], parts: readonly Part[]): void => {
    const last = params.at(-1);
    if (last?.role === role) last.parts.push(...parts);
    else if (parts.length > 0) params.push({ role, parts: [...parts] });
  };
  for (const message of messages) {
    switch (message.role) {
      case "assistant":
        calls = callsOf(message, reader.isOwn(message));
        append("model", encodeAssistant(message, calls));
        break;
      case "tool":
        append("user", encodeResults(message, calls, isRecent(reader.model)));
        break;
      case "user": {
        const parts = encodeContent(message.content);
        append("user", parts.length > 0 ? parts : [{ text: "(An empty message.)" }]);
        break;
      }
    }
  }
  if (params.at(-1)?.role !== "user") append("user", [{ text: "(No new message. Please go on.)" }]);
  if (params[0]?.role === "model")
    params.unshift({
      role: "user",
      parts: [{ text: "(The conversation begins with the model's message.)" }],
    });
  if (isRecent(reader.model)) vouch(params);
  return params;
}

/** A call as it is sent. */
interface Sent {
  readonly block: ToolCallBlock;
  readonly name: string;
  /** The API matches by order where it gave no id. */
  readonly id?: string;
}

const callsOf = ({ content }: AssistantMessage, own: boolean): readonly Sent[] =>
  content.flatMap((block): readonly Sent[] => {
    if (block.type !== "tool-call") return [];
    const given = own && block.nativeId === block.id;
    return [{ block, name: toolName(block.name), ...(given && { id: block.id }) }];
  });

/** Letters, digits, `_`, `.`, `:` and `-`; a letter or `_` first. */
const toolName = (name: string): string =>
  name
    .replaceAll(/[^\w.:-]/g, "_")
    .replace(/^(?![A-Za-z_])/, "_")
    .slice(0, 64);

const encodeAssistant = ({ content }: AssistantMessage, calls: readonly Sent[]): readonly Part[] =>
  content.flatMap((block) => encodeBlock(block, calls));

function encodeBlock(block: AssistantBlock, calls: readonly Sent[]): readonly Part[] {
  switch (block.type) {
    case "text":
      return block.text === "" ? [] : [{ text: block.text, ...signature(block.providerData) }];
    case "thinking": {
      const signed = signature(block.providerData);
      return signed.thoughtSignature === undefined
        ? []
        : [{ text: block.text, thought: true, ...signed }];
    }
    case "tool-call":
      return calls
        .filter((call) => call.block === block)
        .map((call) => ({ functionCall: functionCall(call), ...signature(block.providerData) }));
    case "native":
      return isSendable(block.data) ? [{ ...block.data }] : [];
  }
}

const functionCall = ({ name, id, block }: Sent): FunctionCall => ({
  name,
  args: argsOf(block),
  ...(id !== undefined && { id }),
});
const signature = (seal: unknown): Pick<Part, "thoughtSignature"> =>
  typeof seal === "string" && seal !== "" ? { thoughtSignature: seal } : {};

/** The SDK sends of a part what it knows; nothing would be left of others. */
const known: Readonly<Record<keyof Part, true>> = {
  audioTranscription: true,
  codeExecutionResult: true,
  executableCode: true,
  fileData: true,
  functionCall: true,
  functionResponse: true,
  inlineData: true,
  mediaProcessing: true,
  mediaResolution: true,
  partMetadata: true,
  speechMetadata: true,
  text: true,
  thought: true,
  thoughtSignature: true,
  toolCall: true,
  toolResponse: true,
  videoMetadata: true,
};
const isSendable = (data: unknown): data is Part =>
  typeof data === "object" &&
  data !== null &&
  Object.keys(data).some((key) => Object.hasOwn(known, key));

/** The API wants an object: free-form text, and what is none, goes in as `{ text }`. */
function argsOf({ inputText, kind }: ToolCallBlock): Record<string, unknown> {
  if (kind === "text") return { text: inputText };
  if (inputText.trim() === "") return {};
  try {
    const args: unknown = JSON.parse(inputText);
    return typeof args === "object" && args !== null && !Array.isArray(args)
      ? { ...args }
      : { text: inputText };
  } catch {
    return { text: inputText };
  }
}

/** As many results as the model content before them has calls, in their order. https://ai.google.dev/gemini-api/docs/function-calling */
const encodeResults = (
  { content }: ToolMessage,
  calls: readonly Sent[],
  takesMedia: boolean,
): readonly Part[] =>
  content.map((result): Part => {
    const { text, media } = encodeResult(result.content, takesMedia);
    const { name = toolName(result.name), id } =
      calls.find(({ block }) => block.id === result.id) ?? {};
    const response = result.isError
      ? { error: text === "" ? "(The tool failed and said nothing.)" : text }
      : { output: text };
    return {
      functionResponse: {
        name,
        ...(id !== undefined && { id }),
        response,
        ...(media.length > 0 && { parts: media }),
      },
    };
  });

/**
 * Gemini 3 demands a signature on the first call of each step since the user last spoke. For calls that it did not sign (another provider's)
 * the documented stand-in is sent, and only there: on the calls beside the first it does harm (BerriAI/litellm#37541).
 * https://docs.cloud.google.com/vertex-ai/generative-ai/docs/thought-signatures
 */
function vouch(params: readonly Param[]): void {
  const spoken = params.findLastIndex(
    ({ role, parts }) => role === "user" && !parts.some((part) => part.functionResponse),
  );
  for (const { role, parts } of params.slice(spoken + 1)) {
    const first = role === "model" ? parts.find((part) => part.functionCall) : undefined;
    if (first !== undefined) first.thoughtSignature ??= "skip_thought_signature_validator";
  }
}
