import type { Fixture } from "../../../wire.ts";
import { call, chunk, end, message, type Part, signature, toFrames } from "../frames.ts";
import { list, nothing, read, readCall, runsBoth, runsRead } from "./parts.ts";

/** Vertex, with `streamFunctionCallArguments`. https://cloud.google.com/vertex-ai/generative-ai/docs/multimodal/function-calling#streaming-fc */
const streamed = (functionCall: object): Part => ({ functionCall });
const begun = (name: string): Part => ({
  functionCall: { name, willContinue: true },
  thoughtSignature: signature(1),
});
const piece = (partial: object): Part => streamed({ partialArgs: [partial], willContinue: true });
const readPieces: readonly Part[] = [
  begun("read"),
  piece({ jsonPath: "$.path", stringValue: "/srv", willContinue: true }),
  piece({ jsonPath: "$.path", stringValue: "/notes.txt" }),
];
const nested = {
  query: { all: [{ field: 'a"b', in: [1, -2.5] }, { not: null }], deep: true, none: [] },
};
const nestedPieces: readonly object[] = [
  { jsonPath: "$.query.all[0].field", stringValue: 'a"', willContinue: true },
  { jsonPath: "$.query.all[0].field", stringValue: "b" },
  { jsonPath: "$.query.all[0].in[0]", numberValue: 1 },
  { jsonPath: "$.query.all[0].in[1]", numberValue: -2.5 },
  { jsonPath: "$.query.all[1].not", nullValue: "NULL_VALUE" },
  { jsonPath: "$['query'].deep", boolValue: true },
  { jsonPath: "$.query.none[]" },
];

export const inputSamples: readonly Fixture[] = [
  {
    name: "G1: a call in one chunk, STOP alone in a later one",
    frames: toFrames([chunk(readCall), chunk(), end({ stop: "STOP", parts: [] })]),
    turn: runsRead,
    source: "envoyproxy/ai-gateway#2399",
  },
  {
    name: "two calls in one chunk, without ids",
    frames: toFrames([chunk(readCall, call(list)), end({ stop: "STOP" })]),
    turn: runsBoth,
    replays: [call(list)],
  },
  {
    name: "the same call twice without an id is two calls",
    frames: message([readCall, readCall], { stop: "STOP" }),
    turn: { stopReason: "tool-use", calls: [read, read] },
  },
  {
    name: "two calls with one id",
    frames: message([call({ ...read, id: "x" }), call({ ...list, id: "x" })], { stop: "STOP" }),
    turn: runsBoth,
  },
  {
    name: "a call with an id of the server's",
    frames: message([call({ ...read, id: "8f2a" }, signature(1))], { stop: "STOP" }),
    turn: runsRead,
    replays: [call({ ...read, id: "8f2a" }, signature(1))],
  },
  {
    name: "a call without arguments",
    frames: message([{ functionCall: { name: "list" } }], { stop: "STOP" }),
    turn: { stopReason: "tool-use", calls: [{ name: "list", input: {} }] },
  },
  {
    name: "whole arguments with a number that a double rounds",
    frames: {
      upToTerminal: message([call({ name: "read", input: { id: "LARGE" } })], {
        stop: "STOP",
      }).upToTerminal.map((frame) => frame.replace('"LARGE"', "12345678901234567890")),
    },
    turn: nothing("malformed-tool-call"),
    source: "pi#8943: integers beyond 2^53 were silently rounded, and the call ran",
  },
  {
    name: "streamed arguments, closed by an empty call",
    frames: message([...readPieces, streamed({})], { stop: "STOP" }),
    turn: runsRead,
    source: "vercel/ai#13929",
  },
  {
    name: "streamed arguments, closed by the last of them",
    frames: message(
      [
        begun("search"),
        ...nestedPieces.slice(0, -1).map(piece),
        streamed({ partialArgs: nestedPieces.slice(-1) }),
      ],
      {
        stop: "STOP",
      },
    ),
    turn: { stopReason: "tool-use", calls: [{ name: "search", input: nested }] },
    source: "vercel/ai#14358",
  },
  {
    name: "streamed arguments of two calls, one after the other",
    frames: message(
      [
        ...readPieces,
        streamed({}),
        begun("list"),
        piece({ jsonPath: "$.of", stringValue: "b" }),
        streamed({}),
      ],
      {
        stop: "STOP",
      },
    ),
    turn: runsBoth,
  },
  {
    name: "streamed arguments that nothing closes",
    frames: message(readPieces, { stop: "STOP" }),
    turn: nothing("malformed-tool-call"),
  },
  {
    name: "streamed arguments that another call follows before they are closed",
    frames: message([...readPieces, call(list)], { stop: "STOP" }),
    turn: nothing("malformed-tool-call"),
  },
  {
    name: "streamed arguments with a string that was left open",
    frames: message([...readPieces.slice(0, 2), streamed({})], { stop: "STOP" }),
    turn: nothing("malformed-tool-call"),
  },
  {
    name: "streamed arguments that come back to a place they had left",
    frames: message(
      [
        begun("search"),
        piece({ jsonPath: "$.query.a", numberValue: 1 }),
        piece({ jsonPath: "$.other", numberValue: 2 }),
        piece({ jsonPath: "$.query.b", numberValue: 3 }),
        streamed({}),
      ],
      { stop: "STOP" },
    ),
    turn: nothing("interrupted"),
  },
  {
    name: "a streamed call without arguments",
    frames: message([begun("list"), streamed({})], { stop: "STOP" }),
    turn: { stopReason: "tool-use", calls: [{ name: "list", input: {} }] },
  },
  {
    name: "a call without a name",
    frames: message([streamed({ args: { path: "/srv" } })], { stop: "STOP" }),
    turn: nothing("malformed-tool-call"),
  },
];
