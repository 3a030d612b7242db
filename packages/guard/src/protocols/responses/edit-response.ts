import { type Fields, fieldsOf, unfinishedStops, unfinishedWords } from "@fullstop/core/adapter";
import { type Edit, listOf } from "../protocol.ts";
import { isKept, keepItems } from "./items.ts";
import type { NewItem } from "./new-items.ts";

export function editResponse(response: Fields, edit: Edit, added: readonly NewItem[]): Fields {
  const output = editOutput(listOf(response["output"]), edit, added);
  const text = addNote(response["output_text"], edit);
  const changes: Fields = {
    ...(output !== undefined && { output }),
    ...(text !== undefined && { output_text: text }),
    ...changedEnding(response, edit),
  };
  return Object.keys(changes).length === 0 ? response : { ...response, ...changes };
}

export function editOutput(
  output: readonly unknown[],
  edit: Edit,
  added: readonly NewItem[],
): readonly unknown[] | undefined {
  const items = output.map(fieldsOf);
  const kept = keepItems(items, edit);
  if (kept.length === items.length && added.length === 0) return undefined;
  const dropped = items.findIndex((item) => !isKept(item, edit));
  const before = dropped < 0 ? items : items.slice(0, dropped);
  const stays = new Set(kept);
  const at = before.filter((item) => stays.has(item)).length;
  return kept.toSpliced(at, 0, ...added.map(({ item }) => item));
}

/** Some hosts repeat the text of the reply. */
function addNote(text: unknown, { note }: Edit): string | undefined {
  if (typeof text !== "string" || note === undefined) return undefined;
  return text === "" ? note : `${text}\n\n${note.trimStart()}`;
}

/**
 * What changes in the ending. A failed response stays one: its error says more. A response that
 * says that it is complete is not, if it or another event says why not. Only a refusal is complete
 * without its calls.
 */
function changedEnding(response: Fields, edit: Edit): Fields {
  const { status, incomplete_details: details } = response;
  const { ending } = edit;
  const { reason: own } = fieldsOf(details);
  if (status === "failed" || (ending === "keep" && isHonest(status, own, edit))) return {};
  const reason = ending === "keep" ? (own ?? reasonIn(response)) : "max_output_tokens";
  if (ending === "calls") {
    return status === "completed" && own === undefined
      ? {}
      : { status: "completed", incomplete_details: null };
  }
  if (status === "incomplete" && own === reason) return {};
  return {
    status: "incomplete",
    incomplete_details: { ...fieldsOf(details), reason },
    ...("completed_at" in response && { completed_at: null }),
  };
}

/** The reason that a word of another protocol says. */
const reasonIn = (response: Fields): string =>
  unfinishedWords(response, []).some((word) => unfinishedStops[word] === "content-filter")
    ? "content_filter"
    : "max_output_tokens";

/**
 * Whether no client takes the status for that of a finished reply. Clients do not know the words of
 * other protocols, and go by the name of the event.
 */
const isHonest = (status: unknown, reason: unknown, { isRefusal }: Edit): boolean =>
  honestStatuses.has(status) || (isRefusal === true && reason === undefined);
const honestStatuses: ReadonlySet<unknown> = new Set([
  "incomplete",
  "failed",
  "cancelled",
  "in_progress",
  "queued",
]);
