import type {
  ToolResultBlock as BedrockResult,
  ContentBlock,
  ToolResultContentBlock,
} from "@aws-sdk/client-bedrock-runtime";
import type { FileBlock, ImageBlock, ToolResultBlock } from "@fullstop/core";
import { contentBlocks, isFields, tryParseJson } from "@fullstop/core/adapter";
import { encodeMedia, isBlank, type NameDocument, omitted } from "./media.ts";
import type { ModelRules } from "./models.ts";

interface ResultContext {
  readonly rules: ModelRules;
  readonly nameDocument: NameDocument;
}

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolResultBlock.html */
export function encodeResult(result: ToolResultBlock, context: ResultContext): BedrockResult {
  const { id: toolUseId, isError } = result;
  const { rules } = context;
  const content = encodeContent(result, context);
  const failed = isError ? [{ text: "(The tool failed.)" }] : [];
  const said = content.length > 0 ? content : [{ text: "(The tool said nothing.)" }];
  if (rules.jsonResults) return { toolUseId, content: [{ json: toObject(result, said) }] };
  return rules.richResults
    ? { toolUseId, content: said, ...(isError && { status: "error" }) }
    : { toolUseId, content: [...failed, ...said] };
}

function encodeContent(
  { content }: ToolResultBlock,
  context: ResultContext,
): ToolResultContentBlock[] {
  return contentBlocks(content).flatMap((block): readonly ToolResultContentBlock[] => {
    if (block.type === "text") return isBlank(block.text) ? [] : [{ text: block.text }];
    return [encodeFile(block, context)];
  });
}

function encodeFile(
  block: ImageBlock | FileBlock,
  { rules, nameDocument }: ResultContext,
): ToolResultContentBlock {
  const encoded = rules.richResults ? encodeMedia(block, nameDocument) : undefined;
  return encoded !== undefined && isResultContent(encoded) ? encoded : omitted(block);
}

/** A result holds no audio. */
const isResultContent = (
  block: ContentBlock,
): block is ContentBlock.ImageMember | ContentBlock.DocumentMember | ContentBlock.VideoMember =>
  block.image !== undefined || block.document !== undefined || block.video !== undefined;

type Json = ToolResultContentBlock.JsonMember["json"];

/** A text that is a JSON object stays one; another text becomes the member of an object. */
function toObject({ isError }: ToolResultBlock, content: readonly ToolResultContentBlock[]): Json {
  const text = content.map((block) => block.text ?? "").join("\n");
  if (isError) return { error: text };
  const value = tryParseJson(text);
  return isFields(value) ? (value as Json) : { output: text };
}
