import type { Fixture } from "../../../wire.ts";
import { begun, terminal, toFrames } from "../frames.ts";
import { customCall, functionCall, type Item } from "../items.ts";
import { completed, completedEmpty, cut, nothing, read, readCall, runsRead } from "./parts.ts";

const { path } = read.input as { readonly path: string };
const written = JSON.stringify(read.input);
const draft = functionCall({ id: "call_read", name: "read", written: '{"path":"/srv/draft"}' });
const { added, events, done } = readCall;
const note = customCall({ id: "call_note", name: "note", written: "remember" });
const other = functionCall({ id: "call_list", name: "list", written: '{"of":"b"}' });
const because =
  "the SDK's types say one input three times: in pieces, in output_item.done and in the whole response. Which of two is meant, nobody knows";
const again = (text: string): Item => ({ ...readCall, final: { ...done, arguments: text } });

/** Replies that say one call more than once. */
export const sayingSamples: readonly Fixture[] = [
  {
    name: "pieces of another input than the item",
    frames: completed({ ...readCall, events: draft.events }),
    turn: nothing("interrupted"),
    source: because,
  },
  {
    name: "pieces of another input than the item, and no output",
    frames: completedEmpty({ ...readCall, events: draft.events }),
    turn: nothing("interrupted"),
    source: because,
  },
  {
    name: "another input in the whole response",
    frames: completed({ ...readCall, final: draft.done }),
    turn: nothing("interrupted"),
    source: because,
  },
  {
    name: "another input in the whole response, beside a call that is said once",
    frames: completed(other, { ...readCall, final: draft.done }),
    turn: nothing("interrupted"),
  },
  {
    name: "an item done twice, with two inputs",
    frames: toFrames([
      ...begun([readCall]),
      ...begun([{ ...draft }]).slice(-1),
      terminal([readCall], { stop: "completed" }),
    ]),
    turn: nothing("interrupted"),
  },
  {
    name: "another text of a custom tool in the whole response",
    frames: completed({ ...note, final: { ...note.done, input: "remember " } }),
    turn: nothing("interrupted"),
  },
  {
    name: "another name in the whole response",
    frames: completed({ ...readCall, final: { ...done, name: "remove" } }),
    turn: nothing("interrupted"),
  },
  {
    name: "a call that is done, and incomplete in the whole response",
    frames: completed({ ...readCall, final: { ...done, status: "incomplete" } }),
    turn: nothing("interrupted"),
  },
  {
    name: "a call that is done, and in progress in the whole response",
    frames: completed({ ...readCall, final: { ...done, status: "in_progress" } }),
    turn: nothing("interrupted"),
  },
  {
    name: "two inputs of a call that the cap cut",
    frames: cut({ ...readCall, final: draft.done }),
    turn: nothing("length"),
  },
  {
    name: "the same input in the whole response, its JSON written again",
    frames: completed(again(`{ "path" : ${JSON.stringify(path)} }`)),
    turn: runsRead,
  },
  { name: "a blank input in the whole response", frames: completed(again("")), turn: runsRead },
  {
    name: "a blank text where the arguments are done",
    frames: completed({
      added,
      done,
      events: events?.map((event) =>
        "arguments" in event.fields
          ? { ...event, fields: { ...event.fields, arguments: " " } }
          : event,
      ),
    }),
    turn: runsRead,
  },
  {
    name: "the same input, no piece of it",
    frames: completed({ added, done: { ...done, arguments: written } }),
    turn: runsRead,
  },
];
