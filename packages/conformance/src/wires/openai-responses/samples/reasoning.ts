import type { Fixture } from "../../../wire.ts";
import { customCall, functionCall, reasoning, reasoningItem, text } from "../items.ts";
import { completed, completedEmpty, cut, nothing, read, readCall, runsRead } from "./parts.ts";

const thought = reasoningItem("rs_1", "I should read the notes first.", "gAAAAABo");
const think = reasoning("rs_1", "I should read the notes first.", "gAAAAABo");
const openModel = {
  id: "rs_9",
  type: "reasoning",
  summary: [],
  content: [{ type: "reasoning_text", text: "Look it up." }],
};

export const reasoningSamples: readonly Fixture[] = [
  {
    name: "reasoning before a call",
    frames: completed(think, readCall),
    turn: runsRead,
    replays: [
      thought,
      {
        type: "function_call",
        id: "fc_call_read",
        call_id: "call_read",
        name: "read",
        arguments: JSON.stringify(read.input),
      },
    ],
    source: "TanStack/ai#1212: a call with an id of its own is refused without its reasoning",
  },
  {
    name: "reasoning without a summary, and one more behind it",
    frames: completed(
      reasoning("rs_1", "", "gAAA-one"),
      reasoning("rs_2", "Then this.", "gAAA-two"),
      readCall,
    ),
    turn: runsRead,
    replays: [
      reasoningItem("rs_1", "", "gAAA-one"),
      reasoningItem("rs_2", "Then this.", "gAAA-two"),
    ],
  },
  {
    name: "reasoning whose encrypted content comes in the whole response only",
    frames: completed(
      { ...reasoning("rs_1", "Hm.", null), final: reasoningItem("rs_1", "Hm.", "gAAA-late") },
      readCall,
    ),
    turn: runsRead,
    replays: [reasoningItem("rs_1", "Hm.", "gAAA-late")],
    source: "pi#6409: Azure",
  },
  {
    name: "reasoning before a finished text",
    frames: completed(think, text("All done.")),
    turn: nothing("stop"),
    replays: [thought],
  },
  {
    name: "reasoning that nobody can read",
    frames: completed(reasoning("rs_1", "Hm.", null), text("All done.")),
    turn: nothing("stop"),
    omits: [reasoningItem("rs_1", "Hm.", null)],
  },
  {
    name: "an open model's reasoning, in plain text",
    frames: completed(
      {
        added: { ...openModel, content: [] },
        events: [
          {
            type: "response.content_part.added",
            fields: {
              item_id: "rs_9",
              content_index: 0,
              part: { type: "reasoning_text", text: "" },
            },
          },
          {
            type: "response.reasoning_text.delta",
            fields: { item_id: "rs_9", content_index: 0, delta: "Look it up." },
          },
          {
            type: "response.reasoning_text.done",
            fields: { item_id: "rs_9", content_index: 0, text: "Look it up." },
          },
        ],
        done: openModel,
      },
      readCall,
    ),
    turn: runsRead,
    replays: [openModel],
  },
  {
    name: "R3: a completed call and its reasoning in an incomplete response",
    frames: cut(think, readCall, {
      ...functionCall(
        { id: "call_cut", name: "write", written: '{"path":"/srv/a","con' },
        { status: "incomplete" },
      ),
    }),
    turn: nothing("length"),
    omits: [thought],
    source: "openai-agents-js#1280, NVIDIA-NeMo/Gym#2628",
  },
  {
    name: "text, then reasoning and a call, cut at the cap",
    frames: cut(text("I will read."), think, readCall),
    turn: nothing("length"),
    omits: [thought],
  },
  {
    name: "nothing but reasoning, at the cap",
    frames: cut(think),
    turn: nothing("length"),
    omits: [thought],
  },
  {
    name: "reasoning behind the text, at the cap",
    frames: cut(text("So far."), think),
    turn: nothing("length"),
    omits: [thought],
    source: "vercel/ai#7099: reasoning is refused without the item that follows it",
  },
  {
    name: "reasoning before a custom tool's call",
    frames: completedEmpty(
      think,
      customCall({ id: "call_note", name: "note", written: "remember" }),
    ),
    turn: { stopReason: "tool-use", calls: [{ name: "note", input: { text: "remember" } }] },
    replays: [
      thought,
      {
        type: "custom_tool_call",
        id: "ctc_call_note",
        call_id: "call_note",
        name: "note",
        input: "remember",
      },
    ],
  },
];
