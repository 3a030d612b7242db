import type { AgentWire, Effects, Received, ReplyCall, SentResult } from "@fullstop/conformance";
import { describeCall, tryParseJson } from "@fullstop/conformance/runner";
import {
  type Calls,
  type Changes,
  type FindInFiles,
  findInOwnFiles,
  findInSharedFiles,
  findSharedTrace,
  hasTrace,
  isOwnFile,
} from "./file-traces.ts";
import { markFor } from "./input.ts";

export interface RunTraces {
  readonly changes: Changes;
  /** The requests that the scripted model answered. */
  readonly requests: readonly Received[];
}

export const noEffects: Effects = { calls: [], damaged: [] };

/** Decides from the traces of a run what its calls did. */
export interface Evidence {
  findEffects(traces: RunTraces): Effects;
  /** Why a second run of a call may leave no trace. Absent if every run of a call is counted. */
  readonly whyNotCounted?: string | undefined;
}

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
  request === undefined ? [] : agent.results(tryParseJson(request.body));

type FindInResults = (requests: readonly Received[]) => readonly ReplyCall[];

/** Finds the calls whose results are like that of a complete call, not like an explanation. */
function findInResults(calls: Calls, agent: AgentWire, complete: SentResult): FindInResults {
  const expected = withoutInputs(complete.text);
  return (requests) =>
    readResults(agent, requests.at(-1)).flatMap((result, position) => {
      const call = findAnsweredCall(calls, result, position);
      return call === undefined || withoutInputs(result.text) !== expected ? [] : [call];
    });
}

/** What the first run of a complete call taught about its files. */
interface LearnedFiles {
  readonly findInFiles: FindInFiles;
  readonly findAnswered: FindInResults;
  /** The calls write into the same files. */
  readonly areShared: boolean;
  /** Files that prove nothing, such as a log. */
  readonly ignored: ReadonlySet<string>;
}

/**
 * If calls overwrite a file that they share, only the last one is seen in it, and the results show
 * the others. A change without a trace counts only if a result says that a further call ran.
 */
const findEffectsIn =
  (calls: Calls, { findInFiles, findAnswered, areShared, ignored }: LearnedFiles) =>
  ({ changes, requests }: RunTraces): Effects => {
    const { times, explained } = findInFiles(changes);
    const answered = findAnswered(requests);
    const mayBeOverwritten = areShared && times.some((count) => count > 0);
    const ran = calls.flatMap((call, index) => {
      const isOverwritten = mayBeOverwritten && times[index] === 0 && answered.includes(call);
      const count = isOverwritten ? 1 : times[index];
      return Array.from({ length: count ?? 0 }, () => describeCall(call));
    });
    const damaged = [...changes]
      .filter(([file]) => !explained.has(file) && !ignored.has(file))
      .filter(([file, change]) => hasTrace(file, change) || answered.length > ran.length);
    return { calls: ran, damaged: damaged.map(([file, { text }]) => `${file}: ${text}`) };
  };

function evidenceFromOwnFiles(calls: Calls, first: Changes, findAnswered: FindInResults): Evidence {
  const own = new Map([...first].filter(([file]) => isOwnFile(file)));
  const findInFiles = findInOwnFiles(calls, own);
  const ignored = new Set([...first.keys()].filter((file) => !own.has(file)));
  const [{ inputText, input }] = calls;
  const isAppended = (inputText ?? JSON.stringify(input)).includes(">>");
  return {
    findEffects: findEffectsIn(calls, { findInFiles, findAnswered, areShared: false, ignored }),
    whyNotCounted: isAppended
      ? undefined
      : "the tool may overwrite its file, and then two runs without a request between them look like one",
  };
}

function evidenceFromSharedFiles(
  calls: Calls,
  first: Changes,
  findAnswered: FindInResults,
): Evidence {
  const traced = [...first].filter(([, { text }]) => text.includes(markFor(1)));
  const shared = traced.map(([file, change]) => findSharedTrace(calls[0], file, change));
  const findInFiles = findInSharedFiles(calls, shared);
  return {
    findEffects: findEffectsIn(calls, {
      findInFiles,
      findAnswered,
      areShared: true,
      ignored: new Set(),
    }),
    whyNotCounted: "the tool may overwrite its file, and then two runs look like one",
  };
}

const evidenceFromResults = (findAnswered: FindInResults): Evidence => ({
  findEffects: ({ requests }) => ({ calls: findAnswered(requests).map(describeCall), damaged: [] }),
  whyNotCounted: "its calls change no file, so a run without a result leaves no trace",
});

/** Learns from a complete call how to see that one ran: by its mark in files, or its result. */
export function findEvidence(
  calls: Calls,
  agent: AgentWire,
  { changes, requests }: RunTraces,
): Evidence | undefined {
  const [result] = readResults(agent, requests.at(-1));
  const findAnswered = result === undefined ? () => [] : findInResults(calls, agent, result);
  if ([...changes.keys()].some(isOwnFile))
    return evidenceFromOwnFiles(calls, changes, findAnswered);
  if ([...changes.values()].some(({ text }) => text.includes(markFor(1))))
    return evidenceFromSharedFiles(calls, changes, findAnswered);
  return result === undefined ? undefined : evidenceFromResults(findAnswered);
}
