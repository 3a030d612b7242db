import type { Fixture } from "../../../wire.ts";
import { begun, type Event, reply, terminal, toFrames } from "../frames.ts";
import { customCall, functionCall, type Item, text, undone } from "../items.ts";
import { completed, completedEmpty, nothing, read, readCall, runsRead } from "./parts.ts";

const written = JSON.stringify(read.input);
const patch = '*** Begin Patch\n+ {"not": json\n*** End Patch';
const { added, events, done } = readCall;
const called = (rest: Readonly<Record<string, unknown>>): Item =>
  functionCall({ id: "call_read", name: "read", written }, rest);
/** As Copilot sends it: another item id in every event. */
const rotated = (frames: readonly Event[]): readonly Event[] =>
  frames.map((event, n) => {
    const item = event["item"];
    return {
      ...event,
      ...(typeof item === "object" &&
        item !== null && { item: { ...item, id: `fc_rotated_${n}` } }),
      ...("item_id" in event && { item_id: `fc_rotated_${n}` }),
    };
  });
const withoutIndex = ({ output_index: _, ...event }: Event): Event => event as Event;
const other = functionCall({ id: "call_list", name: "list", written: '{"of":"b"}' });

export const inputSamples: readonly Fixture[] = [
  {
    name: "R1: a call whole in the response, and never done",
    frames: completed({ added, events, final: done }),
    turn: runsRead,
  },
  {
    name: "R1: a call that only the whole response holds",
    frames: completed(text("Reading."), { final: done }),
    turn: runsRead,
  },
  {
    name: "R2: a call that is done, without a status",
    frames: completed(called({})),
    turn: runsRead,
  },
  {
    name: "a call that is done, and the response comes without its output",
    frames: completedEmpty(readCall),
    turn: runsRead,
  },
  {
    name: "a call that is done, and was never added",
    frames: completedEmpty({ done }),
    turn: runsRead,
  },
  {
    name: "pieces of a call that was never added",
    frames: completedEmpty({ events, done }),
    turn: runsRead,
  },
  {
    name: "item ids that change with every event",
    frames: toFrames([
      ...rotated(begun([readCall, other])),
      terminal([readCall, other], { stop: "completed" }),
    ]),
    turn: { stopReason: "tool-use", calls: [read, { name: "list", input: { of: "b" } }] },
    source: "litellm#30072, vercel/ai#18548, openclaw#122473",
  },
  {
    name: "events that name no place in the output",
    frames: toFrames([
      ...begun([readCall, other]).map(withoutIndex),
      terminal([readCall, other], { stop: "completed" }),
    ]),
    turn: { stopReason: "tool-use", calls: [read, { name: "list", input: { of: "b" } }] },
  },
  {
    name: "every item under one place in the output",
    frames: toFrames([
      ...begun([text("Reading."), readCall, other]).map((event) =>
        "output_index" in event ? { ...event, output_index: 0 } : event,
      ),
      terminal([text("Reading."), readCall, other], { stop: "completed" }),
    ]),
    turn: { stopReason: "tool-use", calls: [read, { name: "list", input: { of: "b" } }] },
  },
  {
    name: "parallel calls whose pieces are interleaved",
    frames: toFrames(interleaved()),
    turn: { stopReason: "tool-use", calls: [read, { name: "list", input: { of: "b" } }] },
  },
  {
    name: "a blank final input behind pieces",
    frames: completedEmpty({ added, events, done: { ...done, arguments: "" } }),
    turn: runsRead,
  },
  {
    name: "arguments done, and the item never",
    frames: completedEmpty({ added, events }),
    turn: runsRead,
    source: "sgl-project/sglang#12652: its router sends no output_item.done, and another output",
  },
  {
    name: "a custom tool's input done, and the item never",
    frames: completedEmpty({
      ...customCall({ id: "call_note", name: "note", written: patch }),
      done: undefined,
    }),
    turn: { stopReason: "tool-use", calls: [{ name: "note", input: { text: patch } }] },
  },
  {
    name: "pieces, and nothing that says that they are all",
    frames: completedEmpty(undone(readCall)),
    turn: nothing("malformed-tool-call"),
  },
  {
    name: "arguments done, and the item done and incomplete",
    frames: completedEmpty(called({ status: "incomplete" })),
    turn: nothing("malformed-tool-call"),
  },
  {
    name: "arguments done, and the item done and in progress",
    frames: completedEmpty(called({ status: "in_progress" })),
    turn: nothing("malformed-tool-call"),
  },
  {
    name: "an item that is done and in progress, and completed in the whole response",
    frames: completed({ ...called({ status: "in_progress" }), final: done }),
    turn: runsRead,
  },
  {
    name: "one call that is done beside one that is not",
    frames: completedEmpty(readCall, undone(other)),
    turn: nothing("malformed-tool-call"),
  },
  {
    name: "a custom tool's free text",
    frames: completed(customCall({ id: "call_patch", name: "patch", written: patch })),
    turn: { stopReason: "tool-use", calls: [{ name: "patch", input: { text: patch } }] },
    replays: [{ type: "custom_tool_call", call_id: "call_patch", name: "patch", input: patch }],
  },
  {
    name: "a custom tool's text that is JSON",
    frames: completed(customCall({ id: "call_patch", name: "patch", written: '{"path":"/srv"}' })),
    turn: {
      stopReason: "tool-use",
      calls: [{ name: "patch", input: { text: '{"path":"/srv"}' } }],
    },
  },
  {
    name: "a call from a program that runs on the server",
    frames: completed(
      called({ status: "completed", caller: { type: "program", caller_id: "call_program" } }),
    ),
    turn: runsRead,
    replays: [{ type: "program", caller_id: "call_program" }],
  },
  {
    name: "a program's call, in progress until its result is there",
    frames: completed(
      called({ status: "in_progress", caller: { type: "program", caller_id: "call_program" } }),
    ),
    turn: runsRead,
    replays: [{ type: "program", caller_id: "call_program" }],
    source: "https://developers.openai.com/api/docs/guides/tools-programmatic-tool-calling",
  },
  {
    name: "a program's call that is incomplete",
    frames: completed(
      called({ status: "incomplete", caller: { type: "program", caller_id: "call_program" } }),
    ),
    turn: nothing("malformed-tool-call"),
  },
  {
    name: "the call said again, done twice",
    frames: toFrames([
      ...begun([readCall]),
      ...begun([readCall]).slice(-1),
      terminal([readCall], { stop: "completed" }),
    ]),
    turn: runsRead,
  },
  {
    name: "a comment, then the answer, each with its phase",
    frames: reply(
      [
        phased(text("Let me see.", "msg_1"), "commentary"),
        phased(text("All done.", "msg_2"), "final_answer"),
      ],
      {
        stop: "completed",
      },
    ),
    turn: nothing("stop"),
    replays: ["commentary", "final_answer"],
    source: "the SDK's type of output messages: dropping the phase degrades performance",
  },
];

function phased(item: Item, phase: string): Item {
  return { ...item, added: { ...item.added, phase }, done: { ...item.done, phase } };
}

function interleaved(): readonly Event[] {
  const [one, two] = [
    begun([readCall]).slice(2),
    begun([text(""), other]).filter((event) => event["output_index"] === 1),
  ];
  const mixed = one.flatMap((event, n) => [event, ...two.slice(n, n + 1)]);
  return [
    ...begun([]),
    ...mixed,
    ...two.slice(one.length),
    terminal([readCall, other], { stop: "completed" }),
  ];
}
