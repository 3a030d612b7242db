import { tryParseJson } from "../../harness/json.ts";
import type { CallRepetition, Frames } from "../../wire.ts";
import { type Fields, fieldsOf, objectsIn } from "../shared.ts";

const firstChoice = (payload: string): Fields =>
  fieldsOf(objectsIn(fieldsOf(tryParseJson(payload))["choices"])[0]);
const callDeltas = (payload: string): readonly Fields[] =>
  objectsIn(fieldsOf(firstChoice(payload)["delta"])["tool_calls"]);

/** The last call of the deltas, in the form of the deprecated `function_call`. */
function lastCall(payloads: readonly string[]): Fields {
  const deltas = payloads.flatMap(callDeltas);
  const pieces = deltas
    .filter(({ index }) => index === deltas.at(-1)?.["index"])
    .map((delta) => fieldsOf(delta["function"]));
  return {
    name: pieces.find(({ name }) => typeof name === "string")?.["name"],
    arguments: pieces.map((piece) => piece["arguments"] ?? "").join(""),
  };
}

/** Adds an event behind those of the calls. */
function echoCall({ upToTerminal, after }: Frames): Frames {
  const at = upToTerminal.findLastIndex((payload) => callDeltas(payload).length > 0);
  const last = upToTerminal[at] ?? "";
  const choice = { ...firstChoice(last), delta: { function_call: lastCall(upToTerminal) } };
  const echo = JSON.stringify({ ...fieldsOf(tryParseJson(last)), choices: [choice] });
  return { upToTerminal: upToTerminal.toSpliced(at + 1, 0, echo), ...(after && { after }) };
}

/** A call is in `tool_calls`, and the deprecated `function_call` may have it, too. */
export const chatRepetitions: readonly CallRepetition[] = [
  { id: "function-call-echo", how: "which `function_call` says again", repeat: echoCall },
];
