import type { AgentWire, Received, ReplyCall, SentResult } from "@fullstop/conformance";
import { describeCall } from "@fullstop/conformance/runner";
import { markFor } from "./input.ts";
import { parseJson } from "./json.ts";

/** What one run of a program left behind. */
export interface RunTraces {
  readonly changes: ReadonlyMap<string, string>;
  readonly requests: readonly Received[];
}
type Calls = readonly [ReplyCall, ReplyCall];

/** How a call that ran is told from one that did not. */
export interface Evidence {
  findCalls(traces: RunTraces): readonly string[];
}

const describeChanges = (changes: ReadonlyMap<string, string>): readonly string[] =>
  [...changes].map(([file, text]) => `${file}: ${text}`);
const withMarkOf = (text: string, n: number): string => text.replaceAll(markFor(1), markFor(n));

/** The whole effect of the first call; that of the second differs in its mark. Anything else is told as it is. */
const evidenceFromFiles = (calls: Calls, first: readonly string[]): Evidence => ({
  findCalls: ({ changes }) => {
    let left = describeChanges(changes);
    const ran: string[] = [];
    calls.forEach((call, n) => {
      const effect = first.map((line) => withMarkOf(line, n + 1));
      if (!effect.every((line) => left.includes(line))) return;
      ran.push(describeCall(call));
      left = left.filter((line) => !effect.includes(line));
    });
    return [...ran, ...left];
  },
});

/** A result without what an input put into it. */
const withoutInputs = (text: string): string => text.replaceAll(/canary[-\w./]*/g, "…");

/** Which call a result answers: by its id, by its mark, by its place. */
export function findAnsweredCall(
  calls: Calls,
  { call, text }: SentResult,
  place: number,
): ReplyCall | undefined {
  return (
    calls.find(({ id }) => call === id || call.startsWith(`${id}_`)) ??
    calls.find((_, n) => text.includes(markFor(n + 1))) ??
    calls[place]
  );
}

const readResults = (agent: AgentWire, request: Received | undefined): readonly SentResult[] =>
  request === undefined ? [] : agent.results(parseJson(request.body));

/** A result like the one that the tool gave when it ran; one that says why it did not run is another. */
const evidenceFromResults = (calls: Calls, agent: AgentWire, shape: string): Evidence => ({
  findCalls: ({ requests }) =>
    readResults(agent, requests.at(-1)).flatMap((result, place) => {
      const call = findAnsweredCall(calls, result, place);
      return call === undefined || withoutInputs(result.text) !== shape ? [] : [describeCall(call)];
    }),
});

/** What proves that a call ran, learnt from the traces of a whole one: the files first, then the result. */
export function findEvidence(calls: Calls, agent: AgentWire, traces: RunTraces): Evidence | undefined {
  if (traces.changes.size > 0) return evidenceFromFiles(calls, describeChanges(traces.changes));
  const [result] = readResults(agent, traces.requests.at(-1));
  return result === undefined ? undefined : evidenceFromResults(calls, agent, withoutInputs(result.text));
}
