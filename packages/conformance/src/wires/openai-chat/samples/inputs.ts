import type { ReplyCall, Fixture } from "../../../wire.ts";
import { pieces } from "../../pieces.ts";
import {
  call,
  chunk,
  completion,
  finish,
  head,
  piece,
  role,
  toFrames,
  toolDelta,
  usageOf,
} from "../frames.ts";
import { nothing, read, readArguments, readCall, runs, write } from "./parts.ts";

const whole = (
  { id, name, input }: ReplyCall,
  index?: number,
): Readonly<Record<string, unknown>> => ({
  ...(index !== undefined && { index }),
  id,
  type: "function",
  function: { name, arguments: JSON.stringify(input) },
});
const signature = { google: { thought_signature: "CvQBAdHtim9" } };

export const inputSamples: readonly Fixture[] = [
  {
    name: "one call said again under another index",
    frames: completion([...readCall, ...call(1, read)], { stop: "tool_calls" }),
    turn: runs(read),
    source: "new-api#6278",
  },
  {
    name: "two calls under one id",
    frames: completion([...readCall, ...call(1, { ...read, input: { path: "/srv/b" } })], {
      stop: "tool_calls",
    }),
    turn: runs(read, { ...read, input: { path: "/srv/b" } }),
    source: "nanobot#3943",
  },
  {
    name: "the call again as function_call",
    frames: completion(
      [...readCall, chunk({ function_call: { name: read.name, arguments: readArguments } })],
      { stop: "tool_calls" },
    ),
    turn: runs(read),
    source: "vscode-copilot-chat: the stream of its chat endpoint",
  },
  {
    name: "a call of which no input came, and no usage to tell whether it was cut",
    frames: toFrames(
      [
        role,
        chunk({
          tool_calls: [
            {
              index: 0,
              id: read.id,
              type: "function",
              function: { name: read.name, arguments: "" },
            },
          ],
        }),
        chunk({}, { finish_reason: "tool_calls" }),
      ],
      ["[DONE]"],
    ),
    turn: nothing("malformed-tool-call"),
    source: "hermes-agent#80498",
  },
  {
    name: "a stub of a function_call with the word",
    frames: toFrames(
      [
        role,
        ...readCall,
        chunk({ function_call: { name: "", arguments: "" } }, { finish_reason: "tool_calls" }),
      ],
      ["[DONE]"],
    ),
    turn: runs(read),
    source: "workbuddy-gateway#3",
  },
  {
    name: "a function_call alone",
    frames: completion(
      [
        chunk({ function_call: { name: read.name, arguments: "" } }),
        ...pieces(readArguments).map((arguments_) =>
          chunk({ function_call: { arguments: arguments_ } }),
        ),
      ],
      { stop: "function_call" },
    ),
    turn: runs(read),
  },
  {
    name: "an input that is cut far below the cap",
    frames: toFrames(
      [
        role,
        head(0, read),
        piece(0, '{"path":"/x","con'),
        { ...finish("tool_calls"), usage: usageOf(500) },
      ],
      ["[DONE]"],
    ),
    turn: nothing("malformed-tool-call"),
  },
  {
    name: "a free-form input",
    frames: completion(
      [
        toolDelta({
          index: 0,
          id: "call_Custom01",
          type: "custom",
          custom: { name: "patch", input: "" },
        }),
        ...pieces('*** Begin Patch\n"quoted" {').map((input) =>
          toolDelta({ index: 0, custom: { input } }),
        ),
      ],
      { stop: "tool_calls" },
    ),
    turn: {
      stopReason: "tool-use",
      calls: [{ name: "patch", input: { text: '*** Begin Patch\n"quoted" {' } }],
    },
  },
  {
    name: "parallel calls whose pieces are interleaved",
    frames: completion(
      [
        head(0, read),
        head(1, write),
        piece(0, '{"path":"/srv'),
        piece(1, '{"path":"/srv/out.txt",'),
        piece(0, '/notes.txt"}'),
        piece(1, '"content":"one"}'),
      ],
      { stop: "tool_calls" },
    ),
    turn: runs(read, write),
  },
  {
    name: "whole calls without an index",
    frames: completion([toolDelta(whole(read)), toolDelta(whole(write))], { stop: "stop" }),
    turn: runs(read, write),
    source: "openai-python#2806, OpenMAIC#1556",
  },
  {
    name: "the same index for each call",
    frames: completion([...readCall, ...call(0, write)], { stop: "tool_calls" }),
    turn: runs(read, write),
    source: "sglang#6310",
  },
  {
    name: "another id with each piece",
    frames: completion(
      [
        head(0, read),
        ...pieces(readArguments).map((written, n) =>
          toolDelta({ index: 0, id: `call_${n}`, function: { name: "", arguments: written } }),
        ),
      ],
      { stop: "tool_calls" },
    ),
    turn: runs(read),
    source: "litellm#40040",
  },
  {
    name: "empty ids and null arguments in later pieces",
    frames: completion(
      [
        head(0, read),
        ...pieces(readArguments).map((written) =>
          toolDelta({ index: 0, id: "", function: { name: null, arguments: written } }),
        ),
        toolDelta({ index: 0, id: null, function: { arguments: null } }),
      ],
      { stop: "tool_calls" },
    ),
    turn: runs(read),
    source: "ainovel-cli#52",
  },
  {
    name: "no ids at all",
    frames: completion([...call(0, { ...read, id: "" }), ...call(1, { ...write, id: "" })], {
      stop: "tool_calls",
    }),
    turn: runs(read, write),
    source: "lmstudio-bug-tracker#830",
  },
  {
    name: "the name again with each piece",
    frames: completion(
      [
        head(0, read),
        ...pieces(readArguments).map((written) =>
          toolDelta({ index: 0, function: { name: read.name, arguments: written } }),
        ),
      ],
      { stop: "tool_calls" },
    ),
    turn: runs(read),
    source: "hermes-agent#8259",
  },
  {
    name: "the name behind the arguments",
    frames: completion(
      [
        toolDelta({ index: 0, id: read.id, function: { arguments: readArguments } }),
        toolDelta({ index: 0, function: { name: read.name } }),
      ],
      { stop: "tool_calls" },
    ),
    turn: runs(read),
    source: "vercel/ai#14722",
  },
  {
    name: "the id behind the name",
    frames: completion(
      [
        toolDelta({ index: 0, function: { name: read.name } }),
        toolDelta({ index: 0, id: read.id, function: { arguments: readArguments } }),
      ],
      {
        stop: "tool_calls",
      },
    ),
    turn: runs(read),
    replays: [read.id],
  },
  {
    name: "an empty piece under an index of its own, behind the call",
    frames: completion(
      [...readCall, toolDelta({ index: 1, id: "", function: { name: "", arguments: "" } })],
      { stop: "tool_calls" },
    ),
    turn: runs(read),
    source: "vercel/ai#3953",
  },
  {
    name: "no name at all",
    frames: completion(
      [toolDelta({ index: 0, id: read.id, function: { arguments: readArguments } })],
      { stop: "tool_calls" },
    ),
    turn: nothing("malformed-tool-call"),
  },
  {
    name: "the arguments as an object",
    frames: completion(
      [toolDelta({ index: 0, id: read.id, function: { name: read.name, arguments: read.input } })],
      {
        stop: "tool_calls",
      },
    ),
    turn: runs(read),
    source: "https://docs.mistral.ai/api/ (arguments: object or string)",
  },
  {
    name: "each piece says the arguments from the beginning",
    frames: completion(
      [
        head(0, read),
        ...['{"pa', '{"path":"/srv', readArguments].map((written) => piece(0, written)),
      ],
      {
        stop: "tool_calls",
      },
    ),
    turn: runs(read),
    source: "hermes-agent#35718",
  },
  {
    name: "the last piece says all of the arguments again",
    frames: completion([...readCall, piece(0, readArguments)], { stop: "tool_calls" }),
    turn: runs(read),
    source: "9router#2869",
  },
  {
    name: "a signature with a call, in a piece of its own",
    frames: completion([...readCall, toolDelta({ index: 0, extra_content: signature })], {
      stop: "tool_calls",
    }),
    turn: runs(read),
    replays: [signature],
    source: "open-webui/computer#224",
  },
  {
    name: "reasoning before a call",
    frames: completion(
      [
        chunk({ reasoning_content: "I should read " }),
        chunk({ reasoning_content: "first." }),
        ...readCall,
      ],
      {
        stop: "tool_calls",
      },
    ),
    turn: runs(read),
  },
  {
    name: "a second choice",
    frames: completion(
      [
        ...readCall,
        chunk({ tool_calls: [whole(write, 0)] }, { index: 1 }),
        chunk({}, { index: 1, finish_reason: "tool_calls" }),
      ],
      { stop: "tool_calls" },
    ),
    turn: runs(read),
  },
];
