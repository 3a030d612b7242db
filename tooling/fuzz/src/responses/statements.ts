import { canonical, type Fields, isNullish, isObject, list, members, said, text } from "../json.ts";
import { blur, doubt, type Notes, suspect } from "../notes.ts";
import type { Said } from "../reading.ts";
import type { Entry } from "./entries.ts";

const inputMembers: Readonly<Record<string, string>> = {
  function_call: "arguments",
  custom_tool_call: "input",
};
const itemsOf = ({ items, last }: Entry): readonly Fields[] =>
  last === undefined ? items : [...items, last];

/** The call that an item is; none for other items. The wire says its input up to four times, and all must agree. */
export function callOf(notes: Notes, entry: Entry): readonly Said[] {
  const member = inputMembers[entry.type];
  if (member === undefined) return requestOf(notes, entry);
  const free = entry.type === "custom_tool_call";
  const texts = statements(notes, entry, member).filter((one) => one !== "");
  const [first = ""] = texts;
  blur(
    notes,
    "an input that is blank",
    texts.some((one) => one.trim() === ""),
  );
  const differ = texts.some((one) => one !== first);
  const sameJson = !free && texts.every((one) => canonical(one) === canonical(first));
  (sameJson ? doubt : suspect)(notes, "it says its input in two ways", differ);
  const names = distinct(entry, "name");
  const ids = distinct(entry, "call_id");
  blur(notes, "a call with two names", names.length > 1);
  blur(notes, "a call with two ids", ids.length > 1);
  blur(
    notes,
    "a name that is not text",
    itemsOf(entry).some(({ name }) => name !== undefined && typeof name !== "string"),
  );
  doubt(
    notes,
    "an id that is not text",
    itemsOf(entry).some(({ call_id: id }) => id !== undefined && typeof id !== "string"),
  );
  doubt(
    notes,
    "a status that is not text",
    itemsOf(entry).some(({ status }) => !isNullish(status) && typeof status !== "string"),
  );
  suspect(notes, "a call of it was never closed", !isClosed(notes, entry));
  return [
    {
      name: names[0],
      id: ids[0],
      text: first,
      free,
      restated: texts.length > 1,
      namedOnce: itemsOf(entry).length <= 1,
    },
  ];
}

const distinct = (entry: Entry, member: string): readonly string[] => [
  ...new Set(
    itemsOf(entry)
      .map((item) => said(item[member]))
      .filter((one) => one !== undefined),
  ),
];

/** What the wire says of an input: joined, whole, with its item, with the response. */
function statements(notes: Notes, entry: Entry, member: string): readonly string[] {
  const given = [entry.done, entry.last].flatMap((item): readonly string[] => {
    const value = item?.[member];
    if (value === undefined || value === null) return [];
    blur(notes, "an input that is not text", typeof value !== "string");
    return [text(value) ?? ""];
  });
  return [entry.deltas.join(""), ...entry.texts, ...given];
}

const isWhole = ({ status }: Fields): boolean =>
  isNullish(status) || typeof status !== "string" || status === "completed";
const isProgram = ({ caller }: Fields): boolean => members(caller)["type"] === "program";

function isClosed(notes: Notes, { done, last, texts }: Entry): boolean {
  if (last !== undefined && !isWhole(last) && !isProgram(last)) {
    doubt(
      notes,
      "a status that goes back",
      done !== undefined && isWhole(done) && last["status"] !== "incomplete",
    );
    return false;
  }
  if (last !== undefined) return true;
  if (done !== undefined && !isWhole(done) && !isProgram(done)) {
    doubt(
      notes,
      "a call that is done, and under way",
      texts.length > 0 && done["status"] !== "incomplete",
    );
    return texts.length > 0 && done["status"] !== "incomplete";
  }
  return done !== undefined || texts.length > 0;
}

/** Items that no generated reply holds ask the client for something in ways that are not judged here. */
function requestOf(notes: Notes, entry: Entry): readonly Said[] {
  const { type } = entry;
  blur(
    notes,
    "an item of another kind",
    !["message", "reasoning", "web_search_call"].includes(type),
  );
  const summaries = itemsOf(entry)
    .map(({ summary }) => summary)
    .filter((summary) => summary !== undefined);
  if (
    !summaries.every(
      (summary) =>
        Array.isArray(summary) &&
        summary.every((part) => typeof members(part)["text"] === "string"),
    )
  ) {
    doubt(notes, "a summary that cannot be read");
  }
  return [];
}

/** The text of a message; nothing where the wire says two. */
export function textOf(notes: Notes, entry: Entry): string | undefined {
  if (entry.type !== "message") return "";
  const joined = entry.deltas.join("");
  const whole = [entry.done, entry.last].flatMap((item) =>
    item === undefined ? [] : [contentOf(notes, item)],
  );
  const texts = [joined, ...entry.texts, ...whole].filter((one) => one !== "");
  if (texts.length === entry.texts.length && texts.length > 0) return undefined;
  if (entry.items.length > 0 && joined === "" && entry.done === undefined) return undefined;
  const isTakenBack = texts.length > 0 && whole.includes("");
  return texts.every((one) => one === texts[0]) && !isTakenBack ? (texts[0] ?? "") : undefined;
}

function contentOf(notes: Notes, item: Fields): string {
  const { content } = item;
  doubt(notes, "content that is no list", content !== undefined && !Array.isArray(content));
  const parts = list(content).map(members);
  doubt(
    notes,
    "content that is no part",
    list(content).some((part) => !isObject(part)),
  );
  for (const { type, text: words, refusal } of parts) {
    doubt(notes, "content of another kind", type !== "output_text" && type !== "refusal");
    doubt(notes, "content without its text", typeof (words ?? refusal) !== "string");
  }
  return parts.map(({ text: words, refusal }) => text(words) ?? text(refusal) ?? "").join("");
}
