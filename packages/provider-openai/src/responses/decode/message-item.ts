import type OpenAI from "openai";
import { type ItemOf, type ItemReader, isCompleted, type Telling } from "./item.ts";

/** What a text wants back. */
export type TextSeal = Partial<Pick<ItemOf<"message">, "phase">> & {
  readonly annotations?: OpenAI.Responses.ResponseOutputText["annotations"];
};

export function readMessage(telling: Telling): ItemReader {
  /** Hosts that name no part stream all of them. */
  const streamed = new Set<number | undefined>();
  const reader: ItemReader = {
    delta(text, part) {
      if (text === "") return;
      streamed.add(part);
      telling.say(reader, { type: "text", text });
    },
    end(item) {
      const { content = [], phase } = item as ItemOf<"message">;
      for (const [part, piece] of content.entries()) {
        if (piece.type === "refusal") telling.refuse();
        if (!streamed.has(part) && !streamed.has(undefined)) reader.delta(wordsOf(piece), part);
      }
      const seal = textSeal(content, phase);
      if (seal !== undefined && telling.spokeLast(reader))
        telling.say(reader, { type: "provider-data", data: seal });
    },
    again(item) {
      const { content = [] } = item as ItemOf<"message">;
      if (content.some(({ type }) => type === "refusal")) telling.refuse();
    },
  };
  return reader;
}

type Content = ItemOf<"message">["content"];

/** Places of annotations are counted in one text; in a message of several they would point elsewhere. */
function textSeal(
  [only, ...more]: Content,
  phase: ItemOf<"message">["phase"],
): TextSeal | undefined {
  const annotations =
    only?.type === "output_text" && more.length === 0 ? (only.annotations ?? []) : [];
  const seal = { ...(phase && { phase }), ...(annotations.length > 0 && { annotations }) };
  return Object.keys(seal).length > 0 ? seal : undefined;
}

const wordsOf = (piece: Content[number]): string =>
  (piece.type === "refusal" ? piece.refusal : piece.text) ?? "";

/** Its summary is what people may read; the item itself is the seal. */
export function readReasoning(telling: Telling): ItemReader {
  let before: number | undefined;
  let seal: object | undefined;
  const reader: ItemReader = {
    delta(text, part = 0) {
      const apart = before !== undefined && before !== part ? "\n\n" : "";
      before = part;
      telling.say(reader, { type: "thinking", text: apart + text });
    },
    end(item) {
      const { summary, content } = item as ItemOf<"reasoning">;
      if (!isCompleted(item)) return;
      const words = [...(summary ?? []), ...(content ?? [])].map(({ text }) => text).join("\n\n");
      if (before === undefined || !telling.spokeLast(reader)) {
        telling.say(reader, { type: "thinking", text: before === undefined ? words : "" });
      }
      seal = { ...item };
      telling.say(reader, { type: "provider-data", data: seal });
    },
    /** Azure gives `encrypted_content` only in the response that is whole (earendil-works/pi#6409): the seal, kept by reference, gets it there. */
    again(item) {
      const { encrypted_content: late } = item as ItemOf<"reasoning">;
      if (seal !== undefined && late && !("encrypted_content" in seal && seal.encrypted_content))
        Object.assign(seal, item);
    },
  };
  return reader;
}
