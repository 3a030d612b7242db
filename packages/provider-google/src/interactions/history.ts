import type { AssistantBlock, AssistantMessage, Message, ToolMessage } from "@fullstop/core";
import { contentBlocks, inputObject, resultText } from "@fullstop/core/adapter";
import type { Interactions } from "@google/genai";
import { toolName } from "../history.ts";
import { encodeContentBlock, encodeResult } from "../media.ts";
import { isGemini3OrLater } from "../models.ts";
import type { Step } from "./events.ts";
import { toContent } from "./media.ts";

/** A call as the API takes it back. Of a signed call, Vertex AI wants the signature. */
type SentCall = Interactions.FunctionCallStep & { readonly signature?: string };
type SentStep = Step | SentCall;

/**
 * Encodes a conversation as the steps that the API accepts as `input`, without a history of its own:
 * all steps of a reply, and the thoughts among them unchanged. Each fact below is a 400 otherwise.
 *
 * - A call comes behind a step of the user or a result, so the conversation begins with the user.
 * - The name of a result is required, although the SDK's type says that it is optional.
 * - A text must not be empty.
 *
 * https://ai.google.dev/gemini-api/docs/thought-signatures, AidenAI-IO/aiden-firmware#699
 */
export function encodeSteps(messages: readonly Message[], model: string): SentStep[] {
  const steps: SentStep[] = [];
  for (const message of messages) {
    switch (message.role) {
      case "user":
        addUserInput(steps, encodeUserContent(message.content));
        break;
      case "assistant":
        steps.push(...encodeReply(message, model));
        break;
      case "tool":
        steps.push(...encodeResultSteps(message, model));
        break;
    }
  }
  const last = steps.at(-1)?.type;
  if (last !== "user_input" && last !== "function_result")
    addUserInput(steps, [textContent("(No new message. Please go on.)")]);
  if (steps[0]?.type !== "user_input")
    steps.unshift({
      type: "user_input",
      content: [textContent("(The conversation begins with the model's message.)")],
    });
  return steps;
}

const textContent = (text: string): Interactions.TextContent => ({ type: "text", text });

/** Messages of the user in a row become one step. */
function addUserInput(steps: SentStep[], content: readonly Interactions.Content[]): void {
  const last = steps.at(-1);
  if (last?.type === "user_input")
    steps[steps.length - 1] = { ...last, content: [...(last.content ?? []), ...content] };
  else steps.push({ type: "user_input", content: [...content] });
}

function encodeUserContent(
  content: Extract<Message, { role: "user" }>["content"],
): readonly Interactions.Content[] {
  const encoded = contentBlocks(content).flatMap((block) =>
    encodeContentBlock(block).map((part) => toContent(part, block)),
  );
  return encoded.length > 0 ? encoded : [textContent("(An empty message.)")];
}

/**
 * Before the calls of a reply Gemini 3 requires a signed thought. A reply of another provider has
 * none, so it begins with the stand-in that Google documents for such calls.
 * https://docs.cloud.google.com/vertex-ai/generative-ai/docs/thought-signatures
 */
function encodeReply({ content }: AssistantMessage, model: string): readonly SentStep[] {
  const steps = content.flatMap(encodeReplyBlock);
  const firstCall = steps.findIndex(({ type }) => type === "function_call");
  const isSigned = steps.slice(0, firstCall + 1).some((step) => "signature" in step);
  return firstCall < 0 || isSigned || !isGemini3OrLater(model)
    ? steps
    : [{ type: "thought", signature: "skip_thought_signature_validator" }, ...steps];
}

function encodeReplyBlock(block: AssistantBlock): readonly SentStep[] {
  switch (block.type) {
    case "text":
      return block.text === ""
        ? []
        : [
            {
              type: "model_output",
              content: [{ ...textContent(block.text), ...annotationsOf(block.providerData) }],
            },
          ];
    case "thinking": {
      const signature = signatureIn(block.providerData);
      if (signature === undefined) return [];
      return [
        {
          type: "thought",
          ...(block.text !== "" && { summary: [textContent(block.text)] }),
          signature,
        },
      ];
    }
    case "tool-call": {
      const signature = signatureIn(block.providerData);
      return [
        {
          type: "function_call",
          id: block.id,
          name: toolName(block.name),
          arguments: { ...inputObject(block) },
          ...(signature !== undefined && { signature }),
        },
      ];
    }
    case "native":
      return isStep(block.data) ? [block.data] : [];
  }
}

const signatureIn = (providerData: unknown): string | undefined =>
  typeof providerData === "string" && providerData !== "" ? providerData : undefined;

const annotationsOf = (providerData: unknown): Pick<Interactions.TextContent, "annotations"> =>
  typeof providerData === "object" && providerData !== null && "annotations" in providerData
    ? (providerData as Pick<Interactions.TextContent, "annotations">)
    : {};

const isStep = (data: unknown): data is Step =>
  typeof data === "object" && data !== null && "type" in data && typeof data.type === "string";

/** Each result is a step of its own. */
const encodeResultSteps = ({ content }: ToolMessage, model: string): readonly SentStep[] =>
  content.map((result): Interactions.FunctionResultStep => {
    const { text, media } = encodeResult(result.content, isGemini3OrLater(model));
    const said = resultText(text, result.isError);
    return {
      type: "function_result",
      call_id: result.id,
      name: toolName(result.name),
      result:
        media.length === 0
          ? said
          : [...(said === "" ? [] : [textContent(said)]), ...media.map((part) => toContent(part))],
      ...(result.isError && { is_error: true }),
    };
  });
