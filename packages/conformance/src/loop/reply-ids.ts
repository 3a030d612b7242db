import { utf8 } from "../harness/bytes.ts";
import type { Answer } from "../harness/host.ts";
import { tryParseJson } from "../harness/json.ts";
import type { Wire } from "../wire.ts";

const replyDecoder = new TextDecoder();

/** The events of a stream, or the one body. An event that cannot be read is `undefined`. */
export function readEvents({ chunks }: Pick<Answer, "chunks">): readonly unknown[] {
  const text = [...chunks].map((chunk) => replyDecoder.decode(chunk)).join("");
  const body = tryParseJson(text);
  if (body !== undefined) return [body];
  return text
    .split("\n")
    .filter((line) => line.startsWith("data:"))
    .map((line) => tryParseJson(line.slice("data:".length)));
}

/**
 * Gives each reply of a run ids of its own, because a program can name an earlier reply by its id,
 * and some programs take two messages with one id for one message. The first reply keeps its ids,
 * unless there is a label: then the label is in all ids.
 */
export function createReplyIds({ agent }: Wire, label?: string): (answer: Answer) => Answer {
  let replies = 0;
  return (answer) => {
    replies++;
    const { replyIds } = agent ?? {};
    if (replyIds === undefined || (replies === 1 && label === undefined)) return answer;
    const suffix = label === undefined ? `_${replies}` : `_${label}_${replies}`;
    const ids = new Set(readEvents(answer).flatMap((event) => replyIds(event)));
    const rename = (text: string): string =>
      [...ids].reduce((renamed, id) => renamed.replaceAll(`"${id}"`, `"${id}${suffix}"`), text);
    return {
      ...answer,
      chunks: [...answer.chunks].map((chunk) => utf8(rename(replyDecoder.decode(chunk)))),
    };
  };
}
