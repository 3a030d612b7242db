import type { Emit } from "@fullstop/core/adapter";
import { type Blob64, joinBlobs } from "./base64.ts";
import { assertFits, type BlockReader, parseText } from "./reader.ts";

export function readText(emit: Emit): BlockReader {
  const citations: object[] = [];
  let isEmpty = true;
  return {
    textType: "text",
    delta(delta) {
      assertFits(delta, ["text", "citation"], "text");
      const { text, citation } = delta;
      if (citation) citations.push(citation);
      if (text === undefined || text === null) return;
      const added = parseText(text, "a piece of text");
      if (added === "") return;
      isEmpty = false;
      emit({ type: "text", text: added });
    },
    stop() {
      if (isEmpty || citations.length === 0) return !isEmpty;
      emit({ type: "provider-data", data: citations });
      return false;
    },
  };
}

/**
 * Reads a block of reasoning. The signature comes last, and the API wants it back with the text.
 * Reasoning that the provider hides has no text, and its bytes go back.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ReasoningContentBlockDelta.html
 */
export function readReasoning(emit: Emit): BlockReader {
  const redacted: Blob64[] = [];
  let signature = "";
  let isEmpty = true;
  return {
    textType: "thinking",
    delta(delta) {
      assertFits(delta, ["reasoningContent"], "reasoning");
      const { text, signature: signed, redactedContent } = delta.reasoningContent ?? {};
      if (redactedContent !== undefined && redactedContent !== null) redacted.push(redactedContent);
      if (signed !== undefined) signature += parseText(signed, "a signature");
      if (text === undefined) return;
      const added = parseText(text, "a piece of reasoning");
      if (added === "") return;
      isEmpty = false;
      emit({ type: "thinking", text: added });
    },
    stop() {
      if (signature !== "") {
        if (isEmpty) emit({ type: "thinking", text: "" });
        emit({ type: "provider-data", data: signature });
      }
      if (redacted.length > 0) {
        if (signature === "" && !isEmpty) emit({ type: "provider-data", data: null });
        emit({ type: "thinking", text: "" });
        emit({ type: "provider-data", data: { redactedContent: joinBlobs(redacted) } });
      }
      return signature === "" && redacted.length === 0 && !isEmpty;
    },
  };
}
