import type { ScriptContext, ScriptList } from "./script.ts";

export const joined =
  (...lists: readonly ScriptList[]): ScriptList =>
  (context) =>
    lists.flatMap((list) => list(context));

type WhyEmpty = (context: ScriptContext) => string | undefined;

/** The scripts, but none where there is a reason for that. */
export const unlessEmpty = (list: ScriptList, whyEmpty: WhyEmpty): ScriptList =>
  Object.assign(
    (context: ScriptContext) => (whyEmpty(context) === undefined ? list(context) : []),
    { whyEmpty: (context: ScriptContext) => whyEmpty(context) ?? list.whyEmpty?.(context) },
  );

const whyNoCalls: WhyEmpty = ({ wire }) =>
  wire.agent?.actsOnText
    ? "it is about tool calls, and the text of a reply is what this agent runs"
    : undefined;

const whyNoJson: WhyEmpty = (context) =>
  whyNoCalls(context) ??
  (context.calls.some(({ inputText }) => inputText !== undefined)
    ? "the input of the tool is text, so nothing in it shows whether it is whole"
    : undefined);

/** The scripts, but none for an agent that runs the text of replies. */
export const onlyForCalls = (list: ScriptList): ScriptList => unlessEmpty(list, whyNoCalls);

const whyNoResults: WhyEmpty = (context) =>
  whyNoCalls(context) ??
  (context.losesResults
    ? "it needs the result of a call in the next request, and this program sends none (history.result)"
    : undefined);

/** The scripts, but none for a subject whose requests hold no results. */
export const onlyWithResults = (list: ScriptList): ScriptList => unlessEmpty(list, whyNoResults);

/** The scripts, but none if inputs are not JSON. */
export const onlyForJson = (list: ScriptList): ScriptList => unlessEmpty(list, whyNoJson);
