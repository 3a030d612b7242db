import { type Fields, fieldsOf, parseJson } from "@fullstop/core/adapter";
import type { NewBlock } from "../numbering.ts";
import type { Edit, GrantedCall } from "../protocol.ts";

const nativeEndings: Readonly<Record<Exclude<Edit["ending"], "keep">, string>> = {
  calls: "tool_use",
  length: "max_tokens",
};
/** A reply may name several stop reasons. Those of a finished reply are never kept. */
const finishedStops: ReadonlySet<unknown> = new Set(["end_turn", "stop_sequence", "tool_use"]);

/** `stop_sequence` and `stop_details` belong to the stop reason that is replaced. */
export function withEnding(fields: Fields, ending: Edit["ending"]): Fields {
  const { stop_reason: stop } = fields;
  if (ending === "keep" && !finishedStops.has(stop)) return fields;
  const ends = nativeEndings[ending === "keep" ? "length" : ending];
  if (stop === ends) return fields;
  return {
    ...fields,
    stop_reason: ends,
    ...("stop_sequence" in fields && { stop_sequence: null }),
    ...("stop_details" in fields && { stop_details: null }),
  };
}

export const isStrictEnding = (stopReason: unknown): boolean => stopReason === "tool_use";

export const newBlocks = ({ calls, note }: Pick<Edit, "calls" | "note">): readonly NewBlock[] => [
  ...(note === undefined ? [] : [textBlock(note)]),
  ...calls.map(callBlock),
];
const textBlock = (text: string): NewBlock => ({
  start: { type: "text", text: "" },
  delta: { type: "text_delta", text },
  whole: { type: "text", text },
});
function callBlock({ id, name, inputText, providerData }: GrantedCall): NewBlock {
  const json = inputText === "" ? "{}" : inputText;
  const start = { type: "tool_use", id, name, input: {}, ...fieldsOf(providerData) };
  return {
    start,
    delta: { type: "input_json_delta", partial_json: json },
    whole: { ...start, input: parseJson(json) },
  };
}
