import type { Fixture } from "../../../wire.ts";
import { call, chunk, end, message, type Part, signature, toFrames } from "../frames.ts";
import { nothing, read, runsRead } from "./parts.ts";

const code: Part = { executableCode: { language: "PYTHON", code: "print(6 * 7)" } };
const result: Part = { codeExecutionResult: { outcome: "OUTCOME_OK", output: "42\n" } };
const search: Part = {
  toolCall: { id: "srv_1", toolType: "GOOGLE_SEARCH_WEB", args: { queries: ["notes"] } },
  thoughtSignature: signature(1),
};
const found: Part = {
  toolResponse: { id: "srv_1", toolType: "GOOGLE_SEARCH_WEB", response: { results: [] } },
  thoughtSignature: signature(2),
};
const picture: Part = {
  inlineData: { mimeType: "image/png", data: "iVBORw0KGgo=" },
  thoughtSignature: signature(3),
};

const printed: Part = { text: "It is 42." };
/** The code of a second round, with the finish reason that Google sends before the code has run. */
const codeAndStop = end({ stop: "STOP", parts: [code] });
/** https://github.com/0xPlaygrounds/rig/pull/2328, recorded */
const roundsOfCode = [chunk(code), chunk(result), codeAndStop, chunk(result)];

export const serverSamples: readonly Fixture[] = [
  {
    name: "code that ran on the server, and its result",
    frames: message([code, result, { text: "It is 42." }], { stop: "STOP" }),
    turn: nothing("stop"),
    replays: [code, result],
    source: "https://ai.google.dev/gemini-api/docs/code-execution",
  },
  {
    name: "an intermediate STOP between two rounds of code, and text behind them",
    frames: toFrames([
      ...roundsOfCode,
      chunk(printed),
      end({ stop: "STOP", parts: [{ text: " Really." }] }),
    ]),
    turn: nothing("stop"),
    replays: [code, result],
    source: "0xPlaygrounds/rig#2328: recorded four times out of four with gemini-2.5-flash",
  },
  {
    name: "an intermediate STOP between two rounds of code, and a call behind them",
    frames: toFrames([
      ...roundsOfCode,
      end({ stop: "STOP", parts: [call({ ...read, id: "8f2a" }, signature(4))] }),
    ]),
    turn: runsRead,
    source: "0xPlaygrounds/rig#2328",
  },
  {
    name: "STOP beside code that has not run, and the end of the stream",
    frames: toFrames([chunk({ text: "Computing." }), codeAndStop]),
    turn: nothing("interrupted"),
    source: "0xPlaygrounds/rig#2328: a reply that is cut between two rounds",
  },
  {
    name: "a call beside a search that has no result, and STOP",
    frames: message([call({ ...read, id: "8f2a" }, signature(4)), search], { stop: "STOP" }),
    turn: nothing("interrupted"),
  },
  {
    name: "stopped at the limit of one request while code runs",
    frames: message([code], {
      stop: "CONTINUATION",
      candidate: { continuationToken: "dG9rZW4gMQ==" },
    }),
    turn: nothing("pause"),
    replays: ["dG9rZW4gMQ=="],
  },
  {
    name: "code without its result, cut at the cap",
    frames: message([{ text: "Computing." }, code], { stop: "MAX_TOKENS", output: 1024 }),
    turn: nothing("length"),
    omits: [code],
  },
  {
    name: "a search on the server, its result, and a call",
    frames: message([search, found, call(read, signature(4))], { stop: "STOP" }),
    turn: runsRead,
    replays: [search, found, call(read, signature(4))],
    source: "https://ai.google.dev/gemini-api/docs/tool-combination",
  },
  {
    name: "a picture",
    frames: message([{ text: "Here." }, picture], { stop: "STOP" }),
    turn: nothing("stop"),
    replays: [picture],
  },
  {
    name: "a kind of part that nobody knows yet, before a call",
    frames: message([{ xLaterPart: { of: [1] } }, call(read, signature(5))], { stop: "STOP" }),
    turn: runsRead,
    replays: [call(read, signature(5))],
  },
];
