import { type ItemOf, type ItemReader, isCompleted } from "./item.ts";
import type { ReplyWriter } from "./reply-writer.ts";

/**
 * Reads a reasoning item. Its summary becomes the text; the item itself becomes the provider data.
 */
export function createReasoningReader(writer: ReplyWriter): ItemReader {
  let lastPart: number | undefined;
  let data: object | undefined;
  const reader: ItemReader = {
    delta(text, part = 0) {
      const separator = lastPart !== undefined && lastPart !== part ? "\n\n" : "";
      lastPart = part;
      writer.emit(reader, { type: "thinking", text: separator + text });
    },
    done(item) {
      const { summary, content } = item as ItemOf<"reasoning">;
      if (!isCompleted(item)) return;
      const hasDeltas = lastPart !== undefined;
      const text = [...(summary ?? []), ...(content ?? [])].map((part) => part.text).join("\n\n");
      if (!hasDeltas || !writer.emittedLast(reader))
        writer.emit(reader, { type: "thinking", text: hasDeltas ? "" : text });
      data = { ...item };
      writer.emit(reader, { type: "provider-data", data });
    },
    /**
     * Azure sends `encrypted_content` only in the complete response (earendil-works/pi#6409). The
     * emitted data is the same object, so it receives it.
     */
    repeat(item) {
      const { encrypted_content: late } = item as ItemOf<"reasoning">;
      if (data !== undefined && late && !("encrypted_content" in data && data.encrypted_content))
        Object.assign(data, item);
    },
  };
  return reader;
}
