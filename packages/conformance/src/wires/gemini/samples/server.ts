import type { Sample } from "../../../wire.ts";
import { call, message, type Part, signature } from "../frames.ts";
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
const picture: Part = { inlineData: { mimeType: "image/png", data: "iVBORw0KGgo=" }, thoughtSignature: signature(3) };

export const serverSamples: readonly Sample[] = [
  {
    name: "code that ran on the server, and its result",
    frames: message([code, result, { text: "It is 42." }], { stop: "STOP" }),
    turn: nothing("stop"),
    replays: [code, result],
    because: "https://ai.google.dev/gemini-api/docs/code-execution",
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
    because: "https://ai.google.dev/gemini-api/docs/tool-combination",
  },
  { name: "a picture", frames: message([{ text: "Here." }, picture], { stop: "STOP" }), turn: nothing("stop"), replays: [picture] },
  {
    name: "a kind of part that nobody knows yet, before a call",
    frames: message([{ xLaterPart: { of: [1] } }, call(read, signature(5))], { stop: "STOP" }),
    turn: runsRead,
    replays: [call(read, signature(5))],
  },
];
