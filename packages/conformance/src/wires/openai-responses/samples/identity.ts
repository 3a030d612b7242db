import type { Fixture } from "../../../wire.ts";
import { begun, type Event, terminal, toFrames } from "../frames.ts";
import { functionCall, type Item, reasoning, text } from "../items.ts";
import { completedEmpty, nothing, read, readCall, runsRead } from "./parts.ts";

const list = { name: "list", input: { of: "b" } };
const other = functionCall({ id: "call_list", name: "list", written: JSON.stringify(list.input) });
const both: Fixture["turn"] = { stopReason: "tool-use", calls: [read, list] };
type Fields = Readonly<Record<string, unknown>>;

const without = (fields: Fields | undefined, ...names: readonly string[]): Fields | undefined =>
  fields && Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
/** The item without these of its own fields. */
const bare = (item: Item, ...names: readonly string[]): Item => ({
  added: without(item.added, ...names),
  events: item.events,
  done: without(item.done, ...names),
});
/** The events without these of theirs. */
const unplaced = (events: readonly Event[], ...names: readonly string[]): readonly Event[] =>
  events.map((event) => without(event, ...names) as Event);
const replied = (items: readonly Item[], ...names: readonly string[]): Fixture["frames"] =>
  toFrames([
    ...unplaced(begun(items), ...names),
    terminal([], { stop: "completed", response: { output: [] } }),
  ]);

/** As llama.cpp's server sends it: no index, no part of a message, a call without an id whose pieces name its `call_id`. */
const local: readonly Item[] = [
  reasoning("rs_1", "Hm.", null),
  text("Reading."),
  {
    ...bare(readCall, "id"),
    events: readCall.events?.map(({ type, fields }) => ({
      type,
      fields: { ...fields, item_id: "call_read" },
    })),
  },
];

/** Replies that do not say of each event where it belongs. */
export const identitySamples: readonly Fixture[] = [
  {
    name: "no index and no part, and pieces that name the call",
    frames: replied(local, "output_index", "content_index"),
    turn: runsRead,
    source: "ggml-org/llama.cpp tools/server/server-task.cpp",
  },
  {
    name: "two calls, the first without an index and a call_id",
    frames: toFrames([
      ...unplaced(begun([bare(readCall, "call_id")]), "output_index"),
      ...begun([text(""), other]).slice(-4),
      terminal([], { stop: "completed", response: { output: [] } }),
    ]),
    turn: both,
  },
  {
    name: "two calls without an index and a call_id",
    frames: replied([bare(readCall, "call_id"), bare(other, "call_id")], "output_index"),
    turn: both,
  },
  {
    name: "two calls without anything that tells them apart but their tools",
    frames: replied(
      [bare(readCall, "call_id", "id"), bare(other, "call_id", "id")],
      "output_index",
      "item_id",
    ),
    turn: both,
  },
  {
    name: "two calls of one tool that are only done, without anything that tells them apart",
    frames: replied(
      [
        { done: bare(readCall, "call_id", "id").done },
        { done: bare(readCall, "call_id", "id").done },
      ],
      "output_index",
    ),
    turn: { stopReason: "tool-use", calls: [read, read] },
  },
  {
    name: "the same two calls in the whole response, with ids of its own",
    frames: toFrames([
      ...unplaced(begun([bare(readCall, "call_id"), bare(other, "call_id")]), "output_index"),
      terminal(
        [{ done: { ...readCall.done, id: "fc_x" } }, { done: { ...other.done, id: "fc_y" } }],
        { stop: "completed" },
      ),
    ]),
    turn: both,
  },
  {
    name: "one call that is done beside pieces of nothing that is known",
    frames: replied(
      [{ ...readCall, events: [] }, { events: other.events?.slice(0, -1) }],
      "output_index",
    ),
    turn: nothing("malformed-tool-call"),
  },
  {
    name: "one call that is done beside the arguments of nothing that is known",
    frames: replied(
      [{ ...readCall, events: [] }, { events: other.events?.slice(-1) }],
      "output_index",
      "item_id",
      "name",
    ),
    turn: nothing("malformed-tool-call"),
  },
  {
    name: "one call that is done beside the arguments of nothing that is known but its name",
    frames: replied(
      [{ ...readCall, events: [] }, { events: other.events?.slice(-1) }],
      "output_index",
      "item_id",
    ),
    turn: both,
  },
  {
    name: "arguments that are done behind their item",
    frames: toFrames([
      ...begun([readCall]),
      ...begun([readCall]).slice(-2, -1),
      terminal([readCall], { stop: "completed" }),
    ]),
    turn: runsRead,
  },
  {
    name: "an index of null",
    frames: toFrames([
      ...begun([readCall, other]).map(nulled),
      terminal([readCall, other], { stop: "completed" }),
    ]),
    turn: both,
  },
  {
    name: "a call without a call_id",
    frames: completedEmpty(bare(readCall, "call_id")),
    turn: runsRead,
  },
];

function nulled(event: Event): Event {
  return "output_index" in event ? { ...event, output_index: null } : event;
}
