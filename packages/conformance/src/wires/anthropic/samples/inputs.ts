import type { Fixture } from "../../../wire.ts";
import { type Block, begun, delta, json, message, text, toFrames, whole } from "../frames.ts";
import { nothing, read, readUse, runsRead } from "./parts.ts";

/** A block, what comes behind it, and the end of a finished reply. */
const behind = (block: Block, ...events: Parameters<typeof toFrames>[0]): Fixture["frames"] =>
  toFrames([...begun([block]), ...events, delta({ stop: "tool_use" }), { type: "message_stop" }]);

export const inputSamples: readonly Fixture[] = [
  {
    name: "the whole input in the block's start, and no delta",
    frames: message([whole({ type: "tool_use", id: "toolu_01Read", ...read })], {
      stop: "tool_use",
    }),
    turn: runsRead,
    source: "legal by the SDK's types; sent by compatible hosts",
  },
  {
    name: "the whole input in the block's start, with a number that a double rounds",
    frames: {
      upToTerminal: message(
        [whole({ type: "tool_use", id: "toolu_01Read", name: "read", input: { id: "LARGE" } })],
        {
          stop: "tool_use",
        },
      ).upToTerminal.map((frame) => frame.replace('"LARGE"', "12345678901234567890")),
    },
    turn: nothing("malformed-tool-call"),
    source: "pi#8943: integers beyond 2^53 were silently rounded, and the call ran",
  },
  {
    name: "a block left open under the word for calls",
    frames: message([{ ...readUse, open: true }], { stop: "tool_use" }),
    turn: nothing("malformed-tool-call"),
    source: "anthropic-sdk-python#1317",
  },
  {
    name: "a closed block with half an input, as eager streaming sends it at the cap",
    frames: message(
      [
        {
          start: { type: "tool_use", id: "toolu_01Cut", name: "write", input: {} },
          deltas: json('{"path":"/tmp/x","content":"hello wor'),
        },
      ],
      { stop: "max_tokens", output: 1024 },
    ),
    turn: nothing("length"),
  },
  {
    name: "a delta of an unknown kind in a text block",
    frames: message(
      [
        {
          ...text("Reading."),
          deltas: [{ type: "x_later_delta", x: 1 }, ...(text("Reading.").deltas ?? [])],
        },
        readUse,
      ],
      {
        stop: "tool_use",
      },
    ),
    turn: runsRead,
    source: "https://platform.claude.com/docs/en/api/versioning",
  },
  {
    name: "deltas of an unknown kind among an input's",
    frames: message(
      [
        {
          ...readUse,
          deltas: [
            { type: "x_later_delta", x: 1 },
            ...(readUse.deltas ?? []),
            { type: "x_later_delta", x: 2 },
          ],
        },
      ],
      { stop: "tool_use" },
    ),
    turn: runsRead,
  },
  {
    name: "a call from code that runs on the server",
    frames: message(
      [
        {
          ...readUse,
          start: {
            ...readUse.start,
            caller: { type: "code_execution_20260120", tool_id: "srvtoolu_07" },
            toolset_name: "files",
          },
        },
      ],
      {
        stop: "tool_use",
      },
    ),
    turn: runsRead,
    replays: [{ type: "code_execution_20260120", tool_id: "srvtoolu_07" }, "files"],
  },
  {
    name: "a delta behind the end of its block",
    frames: behind(readUse, {
      type: "content_block_delta",
      index: 0,
      delta: { type: "input_json_delta", partial_json: " " },
    }),
    turn: nothing("interrupted"),
  },
  {
    name: "a delta of a block that never began",
    frames: behind(readUse, {
      type: "content_block_delta",
      index: 7,
      delta: { type: "input_json_delta", partial_json: "{}" },
    }),
    turn: nothing("interrupted"),
  },
  {
    name: "two blocks under one place, the first still open",
    frames: behind(
      { ...readUse, open: true },
      {
        type: "content_block_start",
        index: 0,
        content_block: { type: "tool_use", id: "toolu_02", name: "list", input: {} },
      },
      { type: "content_block_stop", index: 0 },
    ),
    turn: nothing("interrupted"),
  },
  {
    name: "parallel calls whose deltas are interleaved",
    frames: toFrames(interleaved()),
    turn: { stopReason: "tool-use", calls: [read, { name: "list", input: { of: "b" } }] },
  },
];

function interleaved(): Parameters<typeof toFrames>[0] {
  const start = (index: number, name: string): object => ({
    index,
    content_block: { type: "tool_use", id: `toolu_${index}`, name, input: {} },
  });
  const piece = (index: number, partial_json: string): object => ({
    index,
    delta: { type: "input_json_delta", partial_json },
  });
  const event = (type: string, rest: object): { type: string } & Record<string, unknown> => ({
    type,
    ...rest,
  });
  return [
    ...begun([]),
    event("content_block_start", start(0, "read")),
    event("content_block_start", start(1, "list")),
    event("content_block_delta", piece(0, '{"path":"/srv')),
    event("content_block_delta", piece(1, '{"of":')),
    event("content_block_delta", piece(0, '/notes.txt"}')),
    event("content_block_delta", piece(1, '"b"}')),
    event("content_block_stop", { index: 1 }),
    event("content_block_stop", { index: 0 }),
    delta({ stop: "tool_use" }),
    event("message_stop", {}),
  ];
}
