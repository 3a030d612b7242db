import {
  canonical,
  type Fields,
  isNullish,
  isObject,
  listOrEmpty,
  members,
  nonBlank,
  textOrNone,
} from "../json.ts";
import type { Notes } from "../notes.ts";
import type { WireCall } from "../reading.ts";
import type { ItemRecord } from "./records.ts";

const inputMembers: Readonly<Record<string, string>> = {
  function_call: "arguments",
  custom_tool_call: "input",
};
const itemsOf = ({ items, last }: ItemRecord): readonly Fields[] =>
  last === undefined ? items : [...items, last];

/**
 * The call of an item; none for other items. The protocol sends an input up to four times, and all
 * must agree.
 */
export function itemCalls(notes: Notes, entry: ItemRecord): readonly WireCall[] {
  const member = inputMembers[entry.type];
  if (member === undefined) return noteOtherItem(notes, entry);
  const free = entry.type === "custom_tool_call";
  const texts = statedInputs(notes, entry, member).filter((one) => one !== "");
  const [first = ""] = texts;
  notes.ambiguity("a blank input", !free && texts.some((one) => one.trim() === ""));
  const differ = texts.some((one) => one !== first);
  const sameJson = !free && texts.every((one) => canonical(one) === canonical(first));
  notes[sameJson ? "doubt" : "suspicion"]("two different inputs of one call", differ);
  const names = distinctValues(entry, "name");
  const ids = distinctValues(entry, "call_id");
  const { last: _, ...streamed } = entry;
  notes.ambiguity("a call with two names", names.length > 1);
  // The final output may give it another id: https://github.com/vllm-project/vllm/pull/47916
  notes.ambiguity("a call with two ids", distinctValues(streamed, "call_id").length > 1);
  notes.ambiguity(
    "a name that is not a string",
    itemsOf(entry).some(({ name }) => name !== undefined && typeof name !== "string"),
  );
  notes.doubt(
    "an id that is not a string",
    itemsOf(entry).some(({ call_id: id }) => id !== undefined && typeof id !== "string"),
  );
  notes.doubt(
    "a status that is not a string",
    itemsOf(entry).some(({ status }) => !isNullish(status) && typeof status !== "string"),
  );
  notes.suspicion("an unclosed call", !isClosed(notes, entry));
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

const distinctValues = (entry: ItemRecord, member: string): readonly string[] => [
  ...new Set(
    itemsOf(entry)
      .map((item) => nonBlank(item[member]))
      .filter((one) => one !== undefined),
  ),
];

/** The statements of an input: joined deltas, complete text, item, response. */
function statedInputs(notes: Notes, entry: ItemRecord, member: string): readonly string[] {
  const given = [entry.done, entry.last].flatMap((item): readonly string[] => {
    const value = item?.[member];
    if (value === undefined || value === null) return [];
    notes.ambiguity("an input that is not a string", typeof value !== "string");
    return [textOrNone(value) ?? ""];
  });
  const joined = entry.deltas.join("");
  const whole = [...entry.texts, ...given];
  const complete = completeTexts(joined, whole);
  notes.doubt(
    "pieces that are only the beginning of the input",
    complete === whole && joined !== "",
  );
  return complete;
}

/** The deltas may be only the beginning of the complete text, which counts. */
const completeTexts = (joined: string, whole: readonly string[]): readonly string[] =>
  whole.some((text) => text !== joined && text.startsWith(joined)) ? whole : [joined, ...whole];

/** An item without a status is complete. Some hosts send an empty one. */
const isWhole = ({ status }: Fields): boolean =>
  isNullish(status) || typeof status !== "string" || ["completed", ""].includes(status);
const isCalledByProgram = ({ caller }: Fields): boolean => members(caller)["type"] === "program";

function isClosed(notes: Notes, { done, last, texts }: ItemRecord): boolean {
  if (last !== undefined && !isWhole(last) && !isCalledByProgram(last)) {
    notes.doubt(
      "a status that goes back to an earlier one",
      done !== undefined && isWhole(done) && last["status"] !== "incomplete",
    );
    return false;
  }
  if (last !== undefined) return true;
  if (done !== undefined && !isWhole(done) && !isCalledByProgram(done)) {
    notes.doubt(
      "a call both done and in progress",
      texts.length > 0 && done["status"] !== "incomplete",
    );
    return texts.length > 0 && done["status"] !== "incomplete";
  }
  return done !== undefined || texts.length > 0;
}

/** The reader does not know items that no generated reply contains. */
function noteOtherItem(notes: Notes, entry: ItemRecord): readonly WireCall[] {
  const { type } = entry;
  notes.ambiguity(
    "an item of an unknown type",
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
    notes.doubt("an unreadable summary");
  }
  return [];
}

/** The text of a message. `undefined` if its statements differ. */
export function itemText(notes: Notes, entry: ItemRecord): string | undefined {
  if (entry.type !== "message") return "";
  const joined = entry.deltas.join("");
  const whole = [entry.done, entry.last].flatMap((item) =>
    item === undefined ? [] : [contentText(notes, item)],
  );
  const texts = completeTexts(joined, [...entry.texts, ...whole]).filter((one) => one !== "");
  if (texts.length === entry.texts.length && texts.length > 0) return undefined;
  if (entry.items.length > 0 && joined === "" && entry.done === undefined) return undefined;
  const isTakenBack = texts.length > 0 && whole.includes("");
  return texts.every((one) => one === texts[0]) && !isTakenBack ? (texts[0] ?? "") : undefined;
}

function contentText(notes: Notes, item: Fields): string {
  const { content } = item;
  notes.doubt("content that is not a list", content !== undefined && !Array.isArray(content));
  const parts = listOrEmpty(content).map(members);
  notes.doubt(
    "invalid content",
    listOrEmpty(content).some((part) => !isObject(part)),
  );
  for (const { type, text: content, refusal } of parts) {
    notes.doubt("content of an unknown type", type !== "output_text" && type !== "refusal");
    notes.doubt("content without text", typeof (content ?? refusal) !== "string");
  }
  return parts
    .map(({ text: content, refusal }) => textOrNone(content) ?? textOrNone(refusal) ?? "")
    .join("");
}
