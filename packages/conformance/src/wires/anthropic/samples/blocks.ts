import type { Fixture } from "../../../wire.ts";
import {
  begun,
  delta,
  type Event,
  message,
  serverToolUse,
  text,
  toFrames,
  toolUse,
} from "../frames.ts";
import { nothing, read, readUse, runsRead } from "./parts.ts";

const streaming =
  "https://platform.claude.com/docs/en/build-with-claude/streaming: the index of a block is its place in the final content";
const listUse = toolUse("toolu_02List", "list", { of: "b" });
const ended = (index: number): Event => ({ type: "content_block_stop", index });

/** A reply, some events behind its blocks, and the end of a finished one. */
const finished = (...events: readonly Event[]): Fixture["frames"] =>
  toFrames([...events, delta({ stop: "tool_use" }), { type: "message_stop" }]);
/** The reply without the block of this index. */
const without = (index: number, events: readonly Event[]): readonly Event[] =>
  events.filter((event) => event["index"] !== index);

/** What the indices and the ends of blocks prove: that a block, and so perhaps a call, did not arrive; or nothing. */
export const blockSamples: readonly Fixture[] = [
  {
    name: "three calls, the second of which did not arrive",
    frames: finished(
      ...without(1, begun([readUse, listUse, toolUse("toolu_03", "list", { of: "c" })])),
    ),
    turn: nothing("interrupted"),
    source: streaming,
  },
  {
    name: "two calls, the first of which did not arrive",
    frames: finished(...without(0, begun([listUse, readUse]))),
    turn: nothing("interrupted"),
    source: streaming,
  },
  {
    name: "a call, and of another only its end",
    frames: finished(...begun([readUse]), ended(1)),
    turn: nothing("interrupted"),
    source: streaming,
  },
  {
    name: "a call beside one of the server's that did not end",
    frames: message(
      [{ ...serverToolUse("srvtoolu_01", "web_search", { query: "a" }), open: true }, readUse],
      { stop: "tool_use" },
    ),
    turn: nothing("interrupted"),
    source: streaming,
  },
  {
    name: "a call whose end comes twice",
    frames: finished(...begun([readUse]), ended(0)),
    turn: runsRead,
  },
  {
    name: "text that is left open, and a call",
    frames: message([{ ...text("So."), open: true }, readUse], { stop: "tool_use" }),
    turn: runsRead,
  },
  {
    name: "an empty text in place of the input that follows in pieces",
    frames: message([{ ...readUse, start: { ...readUse.start, input: "" } }], { stop: "tool_use" }),
    turn: runsRead,
  },
  {
    name: "an empty text in place of no input",
    frames: message(
      [{ start: { type: "tool_use", id: "toolu_02List", name: "list", input: "" } }],
      { stop: "tool_use" },
    ),
    turn: { stopReason: "tool-use", calls: [{ name: "list", input: {} }] },
  },
  {
    name: "a whole input, and another one in pieces",
    frames: message(
      [{ ...readUse, start: { ...readUse.start, input: { path: "/srv/other.txt" } } }],
      { stop: "tool_use" },
    ),
    turn: nothing("interrupted"),
  },
  {
    name: "the whole input in the block's start, and once more in pieces",
    frames: message([{ ...readUse, start: { ...readUse.start, input: read.input } }], {
      stop: "tool_use",
    }),
    turn: runsRead,
  },
];
