import type { Fixture } from "../../../wire.ts";
import { call, chunk, end, message, type Part, signature, toFrames } from "../frames.ts";
import { list, nothing, read, readCall, runsBoth, runsRead } from "./parts.ts";

const thought = (text: string, rest: object = {}): Part => ({ text, thought: true, ...rest });
const signed = (text: string, n: number): Part => ({ text, thoughtSignature: signature(n) });

export const signatureSamples: readonly Fixture[] = [
  {
    name: "a thought, and a call with a signature",
    frames: message([thought("I should read the notes."), call(read, signature(1))], {
      stop: "STOP",
      thoughts: 40,
    }),
    turn: runsRead,
    replays: [call(read, signature(1))],
    omits: [thought("I should read the notes.")],
    source: "https://ai.google.dev/gemini-api/docs/thought-signatures",
  },
  {
    name: "parallel calls, the first of them signed",
    frames: message([call(read, signature(1)), call(list)], { stop: "STOP" }),
    turn: runsBoth,
    replays: [call(read, signature(1)), call(list)],
    source:
      "BerriAI/litellm#37541, vercel/ai#17620: a signature of one's own on the calls beside it does harm",
  },
  {
    name: "a signature on the text",
    frames: message([signed("Yes.", 2)], { stop: "STOP" }),
    turn: nothing("stop"),
    replays: [signed("Yes.", 2)],
    source: "anomalyco/opencode#43984",
  },
  {
    name: "text without a signature before text with one",
    frames: message([{ text: "First. " }, signed("Second.", 3)], { stop: "STOP" }),
    turn: nothing("stop"),
    replays: [{ text: "First. " }, signed("Second.", 3)],
  },
  {
    name: "a signature on an empty text in the last chunk",
    frames: message([{ text: "Done." }], { stop: "STOP", parts: [signed("", 4)] }),
    turn: nothing("stop"),
    replays: [{ text: "Done." }, signed("", 4)],
    source: "vercel/ai#12402, mozilla-ai/any-llm#1320",
  },
  {
    name: "a signature on an empty text before a call",
    frames: message([signed("", 5), call(read, signature(6))], { stop: "STOP" }),
    turn: runsRead,
    replays: [signed("", 5), call(read, signature(6))],
  },
  {
    name: "a signature on a thought",
    frames: message(
      [thought("Notes first.", { thoughtSignature: signature(7) }), call(read, signature(8))],
      { stop: "STOP" },
    ),
    turn: runsRead,
    replays: [thought("Notes first.", { thoughtSignature: signature(7) })],
  },
  {
    name: "a signed call at the cap",
    frames: message([signed("", 9), call(read, signature(9))], {
      stop: "MAX_TOKENS",
      output: 1024,
    }),
    turn: nothing("length"),
    omits: [signed("", 9), call(read, signature(9))],
  },
  {
    name: "an unsigned call, as models before Gemini 3 send it",
    frames: toFrames([chunk(readCall), end({ stop: "STOP" })]),
    turn: runsRead,
  },
];
