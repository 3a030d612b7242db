import type { CallView, ReplyView } from "../../src/view/view.ts";
import type { Row } from "./rows.ts";

/** What the outline shows. */
export type Filter = "all" | "withheld" | "doubt" | "failed";

export const filterWords: Readonly<Record<Filter, string>> = {
  all: "All",
  withheld: "Withheld",
  doubt: "In doubt",
  failed: "Failed",
};

export const passesFilter = (row: Row, filter: Filter): boolean =>
  filter === "all" || row.status.tone === filter;

/** The texts of complete replies and calls, in lower case. A view that is live still grows. */
const complete = new WeakMap<object, readonly string[]>();

/** Whether each word of `query` is in a text, a name or an id of the row. */
export function matches(row: Row, query: string): boolean {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return true;
  const texts = [row.anchor.toLowerCase(), row.status.word, ...textsOf(row)];
  return words.every((word) => texts.some((text) => text.includes(word)));
}

function textsOf(row: Row): readonly string[] {
  const subject = subjectOf(row);
  const known = complete.get(subject);
  if (known !== undefined) return known;
  const texts = collect(row)
    .filter((text) => text !== undefined)
    .map((text) => text.toLowerCase());
  if (row.kind !== "run" && row.run.endedAt !== undefined) complete.set(subject, texts);
  return texts;
}

function subjectOf(row: Row): object {
  if (row.kind === "reply") return row.reply;
  return row.kind === "call" ? row.call : row.run;
}

function collect(row: Row): readonly (string | undefined)[] {
  if (row.kind === "reply") return textsOfReply(row.reply);
  if (row.kind === "call") return textsOfCall(row.call);
  const { runId, outcome } = row.run;
  return [runId, outcome?.status, outcome?.summary, outcome?.text];
}

function textsOfReply(reply: ReplyView): readonly (string | undefined)[] {
  const { verdict, prompt, inputs } = reply;
  return [
    reply.id,
    reply.from?.model,
    reply.from?.provider,
    reply.from?.protocol,
    reply.reason,
    reply.text,
    reply.thinking,
    reply.recovery?.action,
    verdict?.stopReason,
    verdict?.native?.stop,
    verdict?.explanation,
    verdict?.requestId,
    verdict?.error?.message,
    ...(verdict?.rules ?? []).flatMap(({ rule, passed, detail }) => (passed ? [] : [rule, detail])),
    ...inputs.flatMap(({ name, id, text, withheldReason }) => [name, id, text, withheldReason]),
    ...stringsIn(prompt?.request.messages.slice(prompt.sameMessages)),
  ];
}

const textsOfCall = ({
  id,
  key,
  name,
  input,
  result,
}: CallView): readonly (string | undefined)[] => [
  id,
  key,
  name,
  JSON.stringify(input),
  ...stringsIn(input),
  ...stringsIn(result?.content),
];

/** Every text in plain data. */
function stringsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}
