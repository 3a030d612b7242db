import { type Edit, type Fields, fieldsOf, listOf } from "../protocol.ts";
import { isKept, keepItems } from "./items.ts";
import type { NewItem } from "./new-items.ts";

/** The ending of a response by its `status`. */
const endings: Readonly<Record<Exclude<Edit["ending"], "keep">, Fields>> = {
  calls: { status: "completed", incomplete_details: null },
  length: {
    status: "incomplete",
    incomplete_details: { reason: "max_output_tokens" },
  },
};

/** A copy of a response with its calls replaced. The same object if nothing changes. */
export function editResponse(response: Fields, edit: Edit, added: readonly NewItem[]): Fields {
  const output = editOutput(response["output"], edit, added);
  const text = addNote(response["output_text"], edit);
  const changes: Fields = {
    ...(output !== undefined && { output }),
    ...(text !== undefined && { output_text: text }),
    ...endingOf(response, edit),
  };
  return Object.keys(changes).length === 0 ? response : { ...response, ...changes };
}

/** An output that the host leaves empty stays empty. */
export function editOutput(
  output: unknown,
  edit: Edit,
  added: readonly NewItem[],
): readonly unknown[] | undefined {
  const items = listOf(output).map(fieldsOf);
  if (items.length === 0) return undefined;
  const kept = keepItems(items, edit);
  if (kept.length === items.length && added.length === 0) return undefined;
  const dropped = items.findIndex((item) => !isKept(item, edit));
  const before = dropped < 0 ? items : items.slice(0, dropped);
  const at = before.filter((item) => kept.includes(item)).length;
  return kept.toSpliced(at, 0, ...added.map(({ item }) => item));
}

/** Some hosts repeat the text of the reply. */
const addNote = (text: unknown, { note }: Edit): string | undefined =>
  typeof text === "string" && note !== undefined ? text + note : undefined;

/** A failed response stays one: its error says more than another ending. */
function endingOf(response: Fields, { ending }: Edit): Fields {
  if (ending === "keep" || response["status"] === "failed") return {};
  const { status, incomplete_details: details } = endings[ending] as Fields;
  const reason = fieldsOf(response["incomplete_details"])["reason"];
  if (response["status"] === status && reason === fieldsOf(details)["reason"]) return {};
  return {
    ...endings[ending],
    ...(ending === "length" && "completed_at" in response && { completed_at: null }),
  };
}
