import { type Fields, fieldsOf } from "@fullstop/core/adapter";
import { type Edit, eventText, type GrantedCall } from "../protocol.ts";

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

export type NewBlock = { readonly text: string } | GrantedCall;
export const newBlocks = ({ calls, note }: Edit): readonly NewBlock[] => [
  ...(note === undefined ? [] : [{ text: note }]),
  ...calls,
];

export function blockText(block: NewBlock, index: number): string {
  const [start, delta] = "text" in block ? textParts(block.text) : callParts(block);
  return [
    { type: "content_block_start", index, content_block: start },
    { type: "content_block_delta", index, delta },
    { type: "content_block_stop", index },
  ]
    .map((event) => eventText(event, event.type))
    .join("");
}
const textParts = (text: string): readonly [Fields, Fields] => [
  { type: "text", text: "" },
  { type: "text_delta", text },
];
export const callParts = (call: GrantedCall): readonly [Fields, Fields] => [
  { type: "tool_use", id: call.id, name: call.name, input: {}, ...fieldsOf(call.providerData) },
  { type: "input_json_delta", partial_json: call.inputText === "" ? "{}" : call.inputText },
];
