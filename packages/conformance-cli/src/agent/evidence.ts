import type { AgentWire, Received, ReplyCall, SentResult } from "@fullstop/conformance";
import { describeCall } from "@fullstop/conformance/runner";
import { markFor } from "./input.ts";
import { parseJson } from "./json.ts";

/** What one run of a program left behind. */
export interface RunTraces {
  /** The changed files, with their content. */
  readonly changes: ReadonlyMap<string, string>;
  /** The requests that the scripted model answered. */
  readonly requests: readonly Received[];
}
type Calls = readonly [ReplyCall, ReplyCall];

/** Decides from the traces of a run which calls ran. */
export interface Evidence {
  /**
   * A line for each call that ran, as `describeCall` writes it, and one for each unexplained
   * change.
   */
  findCalls(traces: RunTraces): readonly string[];
}

const describeChanges = (changes: ReadonlyMap<string, string>): readonly string[] =>
  [...changes].map(([file, text]) => `${file}: ${text}`);
/** Replaces the mark of the first call by the mark of call `number`. */
const replaceMark = (text: string, number: number): string =>
  text.replaceAll(markFor(1), markFor(number));

/**
 * A call ran if all changes of a complete call are there. Every other change is reported as it is.
 */
const evidenceFromFiles = (calls: Calls, firstChanges: readonly string[]): Evidence => ({
  findCalls: ({ changes }) => {
    let unexplained = describeChanges(changes);
    const ran: string[] = [];
    calls.forEach((call, index) => {
      const effect = firstChanges.map((line) => replaceMark(line, index + 1));
      if (!effect.every((line) => unexplained.includes(line))) return;
      ran.push(describeCall(call));
      unexplained = unexplained.filter((line) => !effect.includes(line));
    });
    return [...ran, ...unexplained];
  },
});

/** The text of a result, without the parts that came from an input. */
const withoutInputs = (text: string): string => text.replaceAll(/canary[-\w./]*/g, "…");

/** Finds the call that a result answers: by id, then by mark, then by position. */
export function findAnsweredCall(
  calls: Calls,
  { call, text }: SentResult,
  position: number,
): ReplyCall | undefined {
  return (
    calls.find(({ id }) => call === id || call.startsWith(`${id}_`)) ??
    calls.find((_, index) => text.includes(markFor(index + 1))) ??
    calls[position]
  );
}

const readResults = (agent: AgentWire, request: Received | undefined): readonly SentResult[] =>
  request === undefined ? [] : agent.results(parseJson(request.body));

/**
 * A call ran if its result is like that of a complete call. A result that explains why a call did
 * not run is different.
 */
const evidenceFromResults = (calls: Calls, agent: AgentWire, expected: string): Evidence => ({
  findCalls: ({ requests }) =>
    readResults(agent, requests.at(-1)).flatMap((result, position) => {
      const call = findAnsweredCall(calls, result, position);
      return call === undefined || withoutInputs(result.text) !== expected
        ? []
        : [describeCall(call)];
    }),
});

/**
 * Learns from the traces of a complete call how to detect that a call ran: by changed files,
 * otherwise by its result.
 */
export function findEvidence(
  calls: Calls,
  agent: AgentWire,
  traces: RunTraces,
): Evidence | undefined {
  if (traces.changes.size > 0) return evidenceFromFiles(calls, describeChanges(traces.changes));
  const [result] = readResults(agent, traces.requests.at(-1));
  return result === undefined
    ? undefined
    : evidenceFromResults(calls, agent, withoutInputs(result.text));
}
