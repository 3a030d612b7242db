import { joinBytes } from "../framing/framing.ts";
import { type Framed, framingOf } from "../framing/index.ts";
import { type Answer, jsonBody } from "../harness/host.ts";
import { tryParseJson } from "../harness/json.ts";
import type { Wire } from "../wire.ts";

/** The events of a stream, or the one body. An event that cannot be read is `undefined`. */
export function readEvents(wire: Framed, { chunks }: Pick<Answer, "chunks">): readonly unknown[] {
  const bytes = joinBytes([...chunks]);
  const body = tryParseJson(new TextDecoder().decode(bytes));
  return body === undefined ? framingOf(wire).read(bytes).events.map(tryParseJson) : [body];
}

/**
 * Gives each reply of a run ids of its own, because a program can name an earlier reply by its id,
 * and some programs take two messages with one id for one message. The first reply keeps its ids,
 * unless there is a label: then the label is in all ids.
 */
export function createReplyIds(wire: Wire, label?: string): (answer: Answer) => Answer {
  const { agent } = wire;
  let replies = 0;
  return (answer) => {
    replies++;
    const { replyIds } = agent ?? {};
    if (replyIds === undefined || (replies === 1 && label === undefined)) return answer;
    const suffix = label === undefined ? `_${replies}` : `_${label}_${replies}`;
    const ids = new Set(readEvents(wire, answer).flatMap((event) => replyIds(event)));
    const rename = (text: string): string =>
      [...ids].reduce((renamed, id) => renamed.replaceAll(`"${id}"`, `"${id}${suffix}"`), text);
    const isBody = answer.headers?.["content-type"] === jsonBody["content-type"];
    const { rewrite } = framingOf(isBody ? {} : wire);
    return { ...answer, chunks: [...answer.chunks].map((chunk) => rewrite(chunk, rename)) };
  };
}
