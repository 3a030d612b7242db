import { leakIn } from "./find.ts";
import { leakedReplies, offered } from "./replies.ts";
import type { LeakedReply } from "./reply.ts";
import { collectTexts } from "./texts.ts";

/** What was measured. It holds no text of others. */
export interface Measurement {
  /** Texts of each package file. */
  readonly packages: Readonly<Record<string, number>>;
  /** Texts that contain a mark of one of the forms. */
  readonly withMarkup: number;
  /** False alarms, by form. */
  readonly alarms: Readonly<Record<string, number>>;
  /** The same, if the lines that open and close blocks of code are removed from the texts. */
  readonly alarmsWithoutFences: Readonly<Record<string, number>>;
  /** The threads of leaked calls that are not found. */
  readonly missed: Readonly<Record<string, number>>;
  readonly replies: number;
}

/** Every word of the text could be the name of a tool: no request has a list that is worse. */
const wordsOf = (text: string): readonly string[] => [
  ...new Set(text.match(/[\w.:-]{1,64}/g) ?? ["read"]),
];

async function alarmsIn(
  texts: readonly string[],
  print: (form: string, text: string) => void,
): Promise<Readonly<Record<string, number>>> {
  const alarms: Record<string, number> = {};
  for (const text of texts) {
    const leak = await leakIn({ text }, wordsOf(text));
    if (leak === undefined) continue;
    alarms[leak.form] = (alarms[leak.form] ?? 0) + 1;
    print(leak.form, text);
  }
  return alarms;
}

const fenceLines = /^[ \t>]*(?:`{3,}|~{3,}).*\n?/gm;
const markup =
  /<tool_call|<function=|invoke name=|\[TOOL_CALLS\]|to=functions\.|<\|tool_call|<｜tool|<\|python_|\bcall:\w+\{/;

/** The threads of the replies in which no call is found. */
export async function missedIn(
  replies: readonly LeakedReply[],
): Promise<Readonly<Record<string, number>>> {
  const missed: Record<string, number> = {};
  for (const { thread, text, thinking, cut } of replies)
    if ((await leakIn({ text, thinking, ...(cut && { stop: "length" }) }, offered)) === undefined)
      missed[thread] = (missed[thread] ?? 0) + 1;
  return missed;
}

export async function measure(print: (form: string, text: string) => void): Promise<Measurement> {
  const collected = await collectTexts();
  const texts = collected.flatMap((one) => one.texts);
  return {
    packages: Object.fromEntries(collected.map((one) => [one.package, one.texts.length])),
    withMarkup: texts.filter((text) => markup.test(text)).length,
    alarms: await alarmsIn(texts, print),
    alarmsWithoutFences: await alarmsIn(
      texts.map((text) => text.replace(fenceLines, "")),
      () => undefined,
    ),
    missed: await missedIn(leakedReplies),
    replies: leakedReplies.length,
  };
}
