import { cutUp } from "../intent.ts";
import type { Fields } from "../json.ts";

/** What hosts of the protocol do in their own way. */
export interface Manner {
  readonly whole: boolean;
  readonly sizes: readonly number[];
  /** Events carry `output_index` and `content_index`. */
  readonly places: boolean;
  /** An item has another id in every event. */
  readonly rotating: boolean;
  readonly deltas: boolean;
  /** The event that says a whole text comes: `…arguments.done`. */
  readonly inputDone: boolean;
  readonly itemDone: boolean;
  /** The output of the last event. */
  readonly output: "full" | "empty" | "absent";
  /** That of an item which is done: `late` says it only in the last event. */
  readonly status: "completed" | "absent" | "late" | "program";
  readonly byProgram: boolean;
  readonly numbers: boolean;
  readonly strangers: boolean;
  readonly doneBehind: boolean;
  readonly refuses: boolean;
}

/** An output item, and how its text is streamed. */
export interface Item {
  /** The complete item. */
  readonly item: Fields & { readonly type: string };
  /** The text that comes in pieces, and the event that brings them. */
  readonly pieces?:
    | { readonly event: string; readonly member: string; readonly text: string }
    | undefined;
}
const statuses: Readonly<Record<Manner["status"], Fields>> = {
  completed: { status: "completed" },
  absent: {},
  late: { status: "in_progress" },
  program: { status: "in_progress" },
};
/** What is not there yet when an item begins. */
const blank: Readonly<Record<string, Fields>> = {
  message: { content: [] },
  reasoning: { summary: [], encrypted_content: "" },
  function_call: { arguments: "" },
  custom_tool_call: { input: "" },
};

/** The events of one item. */
export function itemFrames({ item, pieces }: Item, at: number, manner: Manner): readonly Fields[] {
  let count = 0;
  const id = (): string =>
    manner.rotating ? `${String(item["id"])}_${count++}` : String(item["id"]);
  const place = manner.places ? { output_index: at } : {};
  const part = item.type === "reasoning" ? { summary_index: 0 } : { content_index: 0 };
  const piece = (type: string, rest: Fields): Fields => ({
    type,
    item_id: id(),
    ...place,
    ...(manner.places && !/call/.test(item.type) && part),
    ...rest,
  });
  const inPieces = pieces === undefined || !manner.deltas ? [] : cutUp(pieces.text, manner.sizes);
  return [
    {
      type: "response.output_item.added",
      ...place,
      item: { ...item, id: id(), status: "in_progress", ...blank[item.type] },
    },
    ...(pieces === undefined
      ? []
      : inPieces.map((delta) => piece(`${pieces.event}.delta`, { delta }))),
    ...(pieces === undefined || !manner.inputDone
      ? []
      : [piece(`${pieces.event}.done`, { [pieces.member]: pieces.text })]),
    ...(manner.itemDone
      ? [
          {
            type: "response.output_item.done",
            ...place,
            item: { ...item, id: id(), ...statuses[manner.status] },
          },
        ]
      : []),
  ];
}
