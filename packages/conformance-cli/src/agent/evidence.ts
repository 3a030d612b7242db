import type { AgentWire, Received, ReplyCall, SentResult } from "@fullstop/conformance";
import { describeCall } from "@fullstop/conformance/runner";
import { markOf } from "./input.ts";
import { parseJson } from "./json.ts";

/** What one run of a program left behind. */
export interface Traces {
  readonly changes: ReadonlyMap<string, string>;
  readonly requests: readonly Received[];
}
type Calls = readonly [ReplyCall, ReplyCall];

/** How a call that ran is told from one that did not. */
export interface Evidence {
  ran(traces: Traces): readonly string[];
}

const linesOf = (changes: ReadonlyMap<string, string>): readonly string[] =>
  [...changes].map(([file, text]) => `${file}: ${text}`);
const asCall = (text: string, n: number): string => text.replaceAll(markOf(1), markOf(n));

/** The whole effect of the first call; that of the second differs in its mark. Anything else is told as it is. */
const byFiles = (calls: Calls, first: readonly string[]): Evidence => ({
  ran: ({ changes }) => {
    let left = linesOf(changes);
    const ran: string[] = [];
    calls.forEach((call, n) => {
      const effect = first.map((line) => asCall(line, n + 1));
      if (!effect.every((line) => left.includes(line))) return;
      ran.push(describeCall(call));
      left = left.filter((line) => !effect.includes(line));
    });
    return [...ran, ...left];
  },
});

/** A result without what an input put into it. */
const shapeOf = (text: string): string => text.replaceAll(/canary[-\w./]*/g, "…");

/** Which call a result answers: by its id, by its mark, by its place. */
export function answeredBy(
  calls: Calls,
  { call, text }: SentResult,
  place: number,
): ReplyCall | undefined {
  return (
    calls.find(({ id }) => call === id || call.startsWith(`${id}_`)) ??
    calls.find((_, n) => text.includes(markOf(n + 1))) ??
    calls[place]
  );
}

const resultsIn = (agent: AgentWire, request: Received | undefined): readonly SentResult[] =>
  request === undefined ? [] : agent.results(parseJson(request.body));

/** A result like the one that the tool gave when it ran; one that says why it did not run is another. */
const byResults = (calls: Calls, agent: AgentWire, shape: string): Evidence => ({
  ran: ({ requests }) =>
    resultsIn(agent, requests.at(-1)).flatMap((result, place) => {
      const call = answeredBy(calls, result, place);
      return call === undefined || shapeOf(result.text) !== shape ? [] : [describeCall(call)];
    }),
});

/** What proves that a call ran, learnt from the traces of a whole one: the files first, then the result. */
export function evidenceOf(calls: Calls, agent: AgentWire, traces: Traces): Evidence | undefined {
  if (traces.changes.size > 0) return byFiles(calls, linesOf(traces.changes));
  const [result] = resultsIn(agent, traces.requests.at(-1));
  return result === undefined ? undefined : byResults(calls, agent, shapeOf(result.text));
}
