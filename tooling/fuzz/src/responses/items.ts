import fc from "fast-check";
import { type Drawn, mostly, oneOf, rarely, secondWords } from "../chances.ts";
import { pieceSizes, splitText } from "../intent.ts";
import type { Fields } from "../json.ts";

/** Variations between hosts of the protocol. */
export const responsesStyles = fc.record({
  whole: rarely,
  sizes: pieceSizes,
  /** Events carry `output_index` and `content_index`. */
  places: mostly,
  /** An item has another id in every event. */
  rotating: rarely,
  deltas: mostly,
  /** The event with the complete text is sent: `…arguments.done`. */
  inputDone: mostly,
  itemDone: mostly,
  /** The output of the last event. */
  output: oneOf("full", "full", "empty", "absent"),
  /** The status of an item that is done. `late`: only the last event has it. */
  status: oneOf("completed", "completed", "absent", "late"),
  byProgram: rarely,
  /** The deltas are only the beginning of the text: https://github.com/anomalyco/opencode/issues/44893 */
  short: rarely,
  /** A delta without a text. */
  nulls: rarely,
  /** The last event has the calls under the other type of item. */
  otherType: rarely,
  numbers: fc.boolean(),
  unknownEvents: rarely,
  doneAfterEnd: rarely,
  refuses: rarely,
  /** A second stop word in the response. */
  word: secondWords,
});
export type ResponsesStyle = Drawn<typeof responsesStyles>;

/** An output item, and how its text is streamed. */
export interface OutputItem {
  /** The complete item. */
  readonly item: Fields & { readonly type: string };
  /** The streamed text, and the event of its deltas. */
  readonly pieces?:
    | { readonly event: string; readonly member: string; readonly text: string }
    | undefined;
}
const itemStatuses: Readonly<Record<ResponsesStyle["status"], Fields>> = {
  completed: { status: "completed" },
  absent: {},
  late: { status: "in_progress" },
};
/** The empty members of an item that begins. */
const blank: Readonly<Record<string, Fields>> = {
  message: { content: [] },
  reasoning: { summary: [], encrypted_content: "" },
  function_call: { arguments: "" },
  custom_tool_call: { input: "" },
};

/** A call from a program is complete while its status is `in_progress`. */
export const isProgramCall = ({ caller }: Fields): boolean => caller !== undefined;

function deltasOf(
  text: string,
  { deltas, short, sizes, nulls }: ResponsesStyle,
): readonly (string | null)[] {
  const all = deltas ? splitText(text, sizes) : [];
  return [...all.slice(0, short ? Math.ceil(all.length / 2) : undefined), ...(nulls ? [null] : [])];
}

/** The events of one item. */
export function itemFrames(
  { item, pieces }: OutputItem,
  at: number,
  style: ResponsesStyle,
): readonly Fields[] {
  let count = 0;
  const id = (): string =>
    style.rotating ? `${String(item["id"])}_${count++}` : String(item["id"]);
  const place = style.places ? { output_index: at } : {};
  const part = item.type === "reasoning" ? { summary_index: 0 } : { content_index: 0 };
  const piece = (type: string, rest: Fields): Fields => ({
    type,
    item_id: id(),
    ...place,
    ...(style.places && !/call/.test(item.type) && part),
    ...rest,
  });
  return [
    {
      type: "response.output_item.added",
      ...place,
      item: { ...item, id: id(), status: "in_progress", ...blank[item.type] },
    },
    ...(pieces === undefined
      ? []
      : deltasOf(pieces.text, style).map((delta) => piece(`${pieces.event}.delta`, { delta }))),
    ...(pieces === undefined || !style.inputDone
      ? []
      : [piece(`${pieces.event}.done`, { [pieces.member]: pieces.text })]),
    ...(style.itemDone
      ? [
          {
            type: "response.output_item.done",
            ...place,
            item: {
              ...item,
              id: id(),
              ...itemStatuses[isProgramCall(item) ? "late" : style.status],
            },
          },
        ]
      : []),
  ];
}
