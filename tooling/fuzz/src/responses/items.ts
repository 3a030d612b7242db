import { splitText } from "../intent.ts";
import type { Fields } from "../json.ts";

/** Variations between hosts of the protocol. */
export interface ResponsesStyle {
  readonly whole: boolean;
  readonly sizes: readonly number[];
  /** Events carry `output_index` and `content_index`. */
  readonly places: boolean;
  /** An item has another id in every event. */
  readonly rotating: boolean;
  readonly deltas: boolean;
  /** The event with the complete text is sent: `…arguments.done`. */
  readonly inputDone: boolean;
  readonly itemDone: boolean;
  /** The output of the last event. */
  readonly output: "full" | "empty" | "absent";
  /** The status of an item that is done. `late`: only the last event has it. */
  readonly status: "completed" | "absent" | "late" | "program";
  readonly byProgram: boolean;
  readonly numbers: boolean;
  readonly unknownEvents: boolean;
  readonly doneAfterEnd: boolean;
  readonly refuses: boolean;
}

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
  program: { status: "in_progress" },
};
/** The empty members of an item that begins. */
const blank: Readonly<Record<string, Fields>> = {
  message: { content: [] },
  reasoning: { summary: [], encrypted_content: "" },
  function_call: { arguments: "" },
  custom_tool_call: { input: "" },
};

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
  const inPieces = pieces === undefined || !style.deltas ? [] : splitText(pieces.text, style.sizes);
  return [
    {
      type: "response.output_item.added",
      ...place,
      item: { ...item, id: id(), status: "in_progress", ...blank[item.type] },
    },
    ...(pieces === undefined
      ? []
      : inPieces.map((delta) => piece(`${pieces.event}.delta`, { delta }))),
    ...(pieces === undefined || !style.inputDone
      ? []
      : [piece(`${pieces.event}.done`, { [pieces.member]: pieces.text })]),
    ...(style.itemDone
      ? [
          {
            type: "response.output_item.done",
            ...place,
            item: { ...item, id: id(), ...itemStatuses[style.status] },
          },
        ]
      : []),
  ];
}
