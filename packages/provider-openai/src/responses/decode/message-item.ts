import type OpenAI from "openai";
import type { ItemOf, ItemReader } from "./item.ts";
import type { ReplyWriter } from "./reply-writer.ts";

/** What goes back with a text. */
export type MessageData = Partial<Pick<ItemOf<"message">, "phase">> & {
  readonly annotations?: OpenAI.Responses.ResponseOutputText["annotations"];
};

/** Reads a message: its texts, and whether the model refused. */
export function createMessageReader(writer: ReplyWriter): ItemReader {
  /**
   * The parts that came as deltas. `undefined`: the host does not number parts, and streams all of
   * them.
   */
  const streamed = new Set<number | undefined>();
  const reader: ItemReader = {
    delta(text, part) {
      if (text === "") return;
      streamed.add(part);
      writer.emit(reader, { type: "text", text });
    },
    done(item) {
      const { content = [], phase } = item as ItemOf<"message">;
      for (const [index, part] of content.entries()) {
        if (part.type === "refusal") writer.markRefused();
        if (!streamed.has(index) && !streamed.has(undefined)) reader.delta(partText(part), index);
      }
      const data = messageData(content, phase);
      if (data !== undefined && writer.emittedLast(reader))
        writer.emit(reader, { type: "provider-data", data });
    },
    repeat(item) {
      const { content = [] } = item as ItemOf<"message">;
      if (content.some(({ type }) => type === "refusal")) writer.markRefused();
    },
  };
  return reader;
}

type MessageContent = ItemOf<"message">["content"];

/** Annotations refer to positions in one text, so they are kept only if the message has one. */
function messageData(
  [only, ...more]: MessageContent,
  phase: ItemOf<"message">["phase"],
): MessageData | undefined {
  const annotations =
    only?.type === "output_text" && more.length === 0 ? (only.annotations ?? []) : [];
  const data = { ...(phase && { phase }), ...(annotations.length > 0 && { annotations }) };
  return Object.keys(data).length > 0 ? data : undefined;
}

const partText = (part: MessageContent[number]): string =>
  (part.type === "refusal" ? part.refusal : part.text) ?? "";
