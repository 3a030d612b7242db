import type { ReplyCall, Fixture } from "../../../wire.ts";
import { type Chunk, call, chunk, completion, head, piece, text, toolDelta } from "../frames.ts";
import { nothing, read, readArguments, readCall, runs, write } from "./parts.ts";

const other: ReplyCall = { ...read, id: "call_Read0003", input: { path: "/srv/b" } };
/** A call in one piece; hosts that number nothing give it the index 0. */
const whole = (index: number, { name, input }: ReplyCall): Chunk =>
  toolDelta({
    index,
    id: "",
    type: "function",
    function: { name, arguments: JSON.stringify(input) },
  });
const list = (written: string): Chunk =>
  toolDelta({ index: 0, id: "call_List0001", function: { name: "list", arguments: written } });
const runsList: Fixture["turn"] = { stopReason: "tool-use", calls: [{ name: "list", input: {} }] };
const ending = { stop: "tool_calls" };

/** How hosts number calls, and how calls are told apart without numbers. */
export const tellingSamples: readonly Fixture[] = [
  {
    name: "a call is missing between two others",
    frames: completion([...readCall, ...call(2, write)], ending),
    turn: nothing("interrupted"),
  },
  {
    name: "indices that begin at 1",
    frames: completion([...text("Both."), ...call(1, read), ...call(2, write)], ending),
    turn: runs(read, write),
    source: "CLIProxyAPI#5229: the number of the content block",
  },
  {
    name: "an index of -1",
    frames: completion([...call(-1, read), ...call(0, write)], ending),
    turn: runs(read, write),
    source: "aws-samples/bedrock-access-gateway#247",
  },
  {
    name: "an index for the text between two calls",
    frames: completion(
      [...text("First."), ...call(1, read), ...text("Then."), ...call(3, write)],
      ending,
    ),
    turn: runs(read, write),
    source: "agentgateway#2965: Bedrock's contentBlockIndex, which counts blocks of every type",
  },
  {
    name: "an index for a piece that says nothing, between two calls",
    frames: completion(
      [
        ...readCall,
        toolDelta({ index: 1, id: "", function: { name: "", arguments: "" } }),
        ...call(2, write),
      ],
      ending,
    ),
    turn: runs(read, write),
    source: "vercel/ai#3953",
  },
  {
    name: "calls of one tool under the same index, without ids, each whole",
    frames: completion(
      [
        whole(0, read),
        whole(0, other),
        whole(0, { ...other, input: { path: "/srv/c", lines: 2 } }),
      ],
      ending,
    ),
    turn: runs(read, other, { ...other, input: { path: "/srv/c", lines: 2 } }),
    source: "hermes-agent#62940, gcli2api#406",
  },
  {
    name: "an empty object in place of the input, and then the input, under one name",
    frames: completion([whole(0, { ...read, input: {} }), whole(0, read)], ending),
    turn: nothing("malformed-tool-call"),
  },
  {
    name: "a function_call that is none of the calls",
    frames: completion(
      [
        ...readCall,
        chunk({ function_call: { name: "write", arguments: JSON.stringify(write.input) } }),
      ],
      ending,
    ),
    turn: nothing("interrupted"),
  },
  {
    name: "a function_call of the same tool, with another input",
    frames: completion(
      [
        ...readCall,
        chunk({ function_call: { name: "read", arguments: JSON.stringify(other.input) } }),
      ],
      ending,
    ),
    turn: nothing("interrupted"),
  },
  {
    name: "a function_call with other blanks in its input",
    frames: completion(
      [
        ...readCall,
        chunk({ function_call: { name: "read", arguments: JSON.stringify(read.input, null, 1) } }),
      ],
      ending,
    ),
    turn: runs(read),
  },
  {
    name: "`null` as the input of a tool without parameters",
    frames: completion([list("null")], ending),
    turn: runsList,
  },
  {
    name: "a blank as the input of a tool without parameters",
    frames: completion([list(" ")], ending),
    turn: runsList,
  },
  {
    name: "`null` as the input of a tool with parameters",
    frames: completion([head(0, read), piece(0, "null")], ending),
    turn: nothing("malformed-tool-call"),
  },
  {
    name: "the input again, whole, behind it and under its name",
    frames: completion(
      [...readCall, toolDelta({ index: 0, function: { name: "read", arguments: readArguments } })],
      ending,
    ),
    turn: runs(read),
    source: "9router#2869, hermes-agent#8259",
  },
];
