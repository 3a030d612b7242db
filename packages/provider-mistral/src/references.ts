import { isImageReference } from "@fullstop/core/adapter";
import type { EncodeReference } from "@fullstop/provider-openai/protocol";

/** Parts of a message that only this API has. */
type MistralPart =
  | {
      readonly type: "document_url";
      readonly document_url: string;
      readonly document_name?: string;
    }
  | { readonly type: "file"; readonly file_id: string };

/**
 * The API loads images and documents by their URL, and uploaded documents by their id. An uploaded
 * image has a signed URL. https://docs.mistral.ai/capabilities/document_ai/document_qna; the chunks
 * are those of `ContentChunk` in @mistralai/mistralai 2.7.0.
 */
export const mistralReferences: EncodeReference = (block) => {
  if (block.fileId === undefined)
    return isImageReference(block)
      ? { type: "image_url", image_url: { url: block.url } }
      : ownPart({
          type: "document_url",
          document_url: block.url,
          ...(block.type === "file" && block.name !== undefined && { document_name: block.name }),
        });
  if (isImageReference(block))
    return "Mistral takes an image by its URL, not by a file id: give the signed URL of the file";
  return ownPart({ type: "file", file_id: block.fileId });
};

/** The SDK is OpenAI's and sends any part. */
const ownPart = (part: MistralPart): Exclude<ReturnType<EncodeReference>, string> =>
  part as unknown as Exclude<ReturnType<EncodeReference>, string>;
