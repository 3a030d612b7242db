import { tryParseJson } from "@fullstop/conformance/runner";
import { type Fields, isFields } from "@fullstop/core/adapter";
import { toOneLine } from "../report/terminal.ts";
import { type Answer, type SeenCall, textOf } from "./ask.ts";

export type Topic = "call" | "calls" | "text" | "forced" | "long" | "stop" | "history";

/** A reply of the host, and how it was asked for. */
export interface Reply extends Answer {
  readonly topic: Topic;
  readonly stream: boolean;
  /** The sequence that was to end it. */
  readonly stop?: string | undefined;
}

/**
 * How a reply ended, as far as it can be known without the host's word for it. `at-cap`: the tokens
 * reached the cap, and nothing shows whether more would have come.
 */
export interface Ending {
  readonly is: "cut" | "whole" | "at-cap" | "unclear";
  readonly because: string;
}

const ruleOf = ({ turn }: Answer, name: string) => turn.rules?.find(({ rule }) => rule === name);

/** The host's word for the end of a reply. */
export const wordOf = ({ word }: Answer): string =>
  word === undefined ? "no word" : `\`${toOneLine(word)}\``;
/** Whether that word says that the model finished. */
export const isFinished = (seen: Answer): boolean =>
  seen.word !== undefined &&
  seen.turn.stopReason !== "unknown" &&
  ruleOf(seen, "finished")?.passed === true;
/** Whether an input is the beginning of JSON. */
const isInputCut = (seen: Answer): boolean => ruleOf(seen, "inputsValid")?.reason === "input-cut";

/** Errors of replies that arrived. */
const arrived: ReadonlySet<string> = new Set([
  "context-window",
  "cut",
  "malformed-tool-call",
  "unknown-stop",
]);
/** Whether the reply arrived, and can be read. */
export const isReadable = ({ turn, natives }: Answer): boolean =>
  natives.length > 0 &&
  turn.stopReason !== "aborted" &&
  !("error" in turn && !arrived.has(turn.error.kind));

const fieldsIn = (text: string): Fields | undefined => {
  const value = tryParseJson(text);
  return isFields(value) ? value : undefined;
};

/** Whether an input is a part of another one: its beginning, or some of its properties. */
function isPartOfCall(part: SeenCall, whole: SeenCall | undefined): boolean {
  if (whole === undefined) return false;
  const [some, all] = [fieldsIn(part.text), fieldsIn(whole.text)];
  if (some === undefined || all === undefined) return whole.text.startsWith(part.text);
  return Object.entries(some).every(([key, value]) =>
    typeof value === "string" ? String(all[key]).startsWith(value) : all[key] === value,
  );
}

/** The text and the calls of a reply, without the order of their properties. */
const contentOf = ({ turn, calls }: Answer): string =>
  textOf([turn.text, ...calls.map(({ text }) => fieldsIn(text) ?? text)]);

/** Whether a reply holds a part of another one, and less than it. */
export const isPartOf = (part: Answer, whole: Answer): boolean =>
  part.calls.every((call, at) => isPartOfCall(call, whole.calls[at])) &&
  whole.turn.text.startsWith(part.turn.text) &&
  contentOf(part) !== contentOf(whole);

/** What can be seen of the end of a reply. `others`: replies to the prompt with the largest cap. */
function signsOf(reply: Reply, others: readonly Reply[]) {
  const { output, asked } = reply;
  const contents = others.map(contentOf);
  return {
    counted: output !== undefined,
    reached: output !== undefined && output >= asked.maxTokens,
    same: contents.includes(contentOf(reply)),
    part: others.some((other) => isPartOf(reply, other)),
    inside: isInputCut(reply) && !others.every(isInputCut),
    // Then a part of one of them was cut.
    stable: others.length > 1 && new Set(contents).size === 1,
    finished: isFinished(reply),
  };
}
type Signs = ReturnType<typeof signsOf>;

/** The first that fits counts. */
const signsOfEnd: readonly (readonly [Ending["is"], (signs: Signs) => boolean, string])[] = [
  ["at-cap", ({ reached, same }) => reached && same, "everything came"],
  ["cut", ({ reached, inside }) => reached && inside, "it ends inside an input"],
  ["cut", ({ reached, part }) => reached && part, "it is a part of a longer reply"],
  ["at-cap", ({ reached, finished }) => reached && finished, "it may be cut"],
  ["cut", ({ reached }) => reached, "no more was allowed"],
  ["cut", ({ part, stable, inside }) => part && (stable || inside), "a part of a longer reply"],
  ["cut", ({ counted, inside }) => !counted && inside, "it ends inside an input"],
  ["whole", ({ finished, counted, same }) => finished && (counted || same), "nothing is missing"],
  ["unclear", () => true, "nothing shows whether it is whole"],
];

/** How a reply ended. `others`: replies to the same prompt with the largest cap. */
export function endingOf(reply: Reply, others: readonly Reply[]): Ending {
  const { output = "uncounted", asked } = reply;
  const signs = signsOf(reply, others);
  const [is = "unclear", , because] = signsOfEnd.find(([, fits]) => fits(signs)) ?? [];
  return { is, because: `${output} of ${asked.maxTokens} tokens, ${because}` };
}

const labels: Readonly<Record<Topic, string>> = {
  call: "one call",
  calls: "two calls",
  text: "a text",
  forced: "a required call",
  long: "a long input",
  stop: "a stop sequence",
  history: "a result",
};

/** A reply for a person: what was asked, the host's word, and what came. */
export function describeReply(reply: Reply): string {
  const { topic, stream, stop, asked, output = "uncounted", calls, turn } = reply;
  const sequence = stop === undefined ? "" : ` "${stop}"`;
  const error =
    isReadable(reply) || !("error" in turn) ? "" : ` (${toOneLine(turn.error.message)})`;
  const came = `calls: ${calls.length}${isInputCut(reply) ? " (one is cut)" : ""}, text: ${turn.text.length} characters`;
  return `${labels[topic]}${sequence}, ${stream ? "as a stream" : "in one piece"}, cap ${asked.maxTokens}: ${wordOf(reply)}, tokens: ${output}, ${came}${error}`;
}
