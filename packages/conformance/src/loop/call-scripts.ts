import { twoCalls } from "./complete-scripts.ts";
import {
  inputTextOf,
  nothingMayRun,
  renderReply,
  renderWithText,
  type Script,
  type ScriptContext,
  type ScriptList,
  threeQuarters,
  withOtherInput,
} from "./script.ts";
import { onlyForJson } from "./text-inputs.ts";

/** Scripts with other input texts, by their ids. */
const withInputTexts = (
  context: ScriptContext,
  texts: Readonly<Record<string, string>>,
): readonly Script[] =>
  Object.entries(texts).flatMap(([id, text]) =>
    nothingMayRun(context, id, `one call with the input ${text}`, renderWithText(context, text)),
  );
export const cutInputs: ScriptList = onlyForJson((context) => {
  const text = inputTextOf(context.calls[0]);
  return withInputTexts(context, {
    "three-quarters": threeQuarters(text),
    "last-brace-lost": text.slice(0, -1),
  });
});

/** Inputs that are not JSON, although nothing was cut. */
export const invalidInputs: ScriptList = onlyForJson((context) => {
  const text = inputTextOf(context.calls[0]);
  return withInputTexts(context, {
    "trailing-comma": `${text.slice(0, -1)},}`,
    "second-brace": `${text}}`,
  });
});

/** A call that was cut, and one that was not. A real cut is at the end. */
export const siblingCalls: ScriptList = onlyForJson((context) => {
  const both = renderReply(context, { blocks: context.calls });
  const [first, last] = context.calls.map((call) => {
    const text = inputTextOf(call);
    return withOtherInput(both, text, text.slice(0, -1));
  });
  const [premise] = twoCalls(context);
  return [
    ...nothingMayRun(context, "cut-first", "two calls, the input of the first cut", first),
    ...nothingMayRun(context, "cut-last", "two calls, the input of the last cut", last),
  ].map((script) => ({ ...script, premise }));
});
