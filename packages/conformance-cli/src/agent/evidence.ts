import type { AgentWire, Effects, Received, ReplyCall, SentResult } from "@fullstop/conformance";
import { describeCall } from "@fullstop/conformance/runner";
import type { FileChange } from "./folder.ts";
import { markFor } from "./input.ts";
import { parseJson } from "./json.ts";

type Changes = ReadonlyMap<string, FileChange>;

/** What one run of a program left behind. */
export interface RunTraces {
  /** The changed files. */
  readonly changes: Changes;
  /** The requests that the scripted model answered. */
  readonly requests: readonly Received[];
}
type Calls = readonly [ReplyCall, ReplyCall];

/** Decides from the traces of a run what its calls did. */
export interface Evidence {
  findEffects(traces: RunTraces): Effects;
  /** Why a second run of a call may leave no trace. Absent if every run of a call is counted. */
  readonly whyNotCounted?: string | undefined;
}

/** The beginning of every mark. A text that holds it came from a call, maybe from a cut one. */
const anyMark = markFor(1).slice(0, 5);
const hasTrace = (file: string, { text }: FileChange): boolean =>
  file.includes(anyMark) || anyMark.startsWith(file) || text.includes(anyMark);
const isOwnFile = (file: string): boolean => file.includes(markFor(1));

/** Replaces the mark of the first call by the mark of call `number`. */
const replaceMark = (text: string, number: number): string =>
  text.replaceAll(markFor(1), markFor(number));
const countIn = (text: string, part: string): number => text.split(part).length - 1;

const describeChange = (file: string, { text }: FileChange): string => `${file}: ${text}`;

/** How often a file shows a call, and whether it shows anything else. */
interface Found {
  readonly times: number;
  readonly isExplained: boolean;
}

const withoutQuotes = (text: string): string => text.replace(/^"|"$/g, "");

/** How often a file that only one call writes holds what the whole call writes. */
function findInOwnFile({ text, versions }: FileChange, whole: string): Found {
  if (text === whole) return { times: versions, isExplained: true };
  const part = withoutQuotes(whole);
  let rest = withoutQuotes(text);
  let times = 0;
  while (part !== "" && rest.startsWith(part)) {
    rest = rest.slice(part.length);
    times++;
  }
  return { times, isExplained: rest === "" };
}

/** What the first call wrote into a file that all calls share. */
interface SharedTrace {
  readonly file: string;
  /** The longest text of its input that the file holds; otherwise all that it holds. */
  readonly trace: string;
  /** How often a complete call wrote it, and how often any mark. */
  readonly traces: number;
  readonly marks: number;
}

function findSharedTrace(call: ReplyCall, file: string, { text }: FileChange): SharedTrace {
  const inputs = Object.values(call.input)
    .filter((value) => typeof value === "string" && value.includes(markFor(1)))
    .map((value) => withoutQuotes(JSON.stringify(value)))
    .filter((value) => text.includes(value))
    .toSorted((first, second) => second.length - first.length);
  const trace = inputs[0] ?? withoutQuotes(text);
  return { file, trace, traces: countIn(text, trace), marks: countIn(text, anyMark) };
}

/** What the files show of each call, and the changes that no call explains. */
interface FileFindings {
  /** How often each call ran. */
  readonly times: readonly number[];
  readonly unexplained: readonly string[];
}

/** A call ran if all files that a complete call writes are there. */
function findInOwnFiles(calls: Calls, first: Changes, changes: Changes): FileFindings {
  const explained = new Set<string>();
  const times = calls.map((_, index) => {
    const found = [...first].map(([file, { text }]) => {
      const name = replaceMark(file, index + 1);
      const change = changes.get(name);
      if (change === undefined) return 0;
      const inFile = findInOwnFile(change, replaceMark(text, index + 1));
      if (inFile.isExplained) explained.add(name);
      return inFile.times;
    });
    return Math.min(...found);
  });
  const unexplained = [...changes].filter(
    ([file, change]) => !explained.has(file) && hasTrace(file, change),
  );
  return { times, unexplained: unexplained.map(([file, change]) => describeChange(file, change)) };
}

/**
 * A call ran if what a complete call writes into shared files is there. Another call may have
 * written before or after it.
 */
function findInSharedFiles(
  calls: Calls,
  shared: readonly SharedTrace[],
  changes: Changes,
): FileFindings {
  const explained = new Set<string>();
  const timesByFile = shared.map(({ file, trace, traces, marks }) => {
    const { text } = changes.get(file) ?? { text: "" };
    const found = calls.map((_, index) =>
      Math.floor(countIn(text, replaceMark(trace, index + 1)) / traces),
    );
    const total = found.reduce((sum, times) => sum + times, 0);
    if (countIn(text, anyMark) <= total * marks) explained.add(file);
    return found;
  });
  const unexplained = [...changes].filter(
    ([file, change]) => !explained.has(file) && hasTrace(file, change),
  );
  return {
    times: calls.map((_, index) => Math.min(...timesByFile.map((found) => found[index] ?? 0))),
    unexplained: unexplained.map(([file, change]) => describeChange(file, change)),
  };
}

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
 * The calls whose results are like that of a complete call. A result that explains why a call did
 * not run is different.
 */
const findInResults = (
  calls: Calls,
  results: readonly SentResult[],
  expected: string,
): readonly ReplyCall[] =>
  results.flatMap((result, position) => {
    const call = findAnsweredCall(calls, result, position);
    return call === undefined || withoutInputs(result.text) !== expected ? [] : [call];
  });

const repeatLine = (call: ReplyCall, times: number): readonly string[] =>
  Array.from({ length: times }, () => describeCall(call));

const toEffects = (calls: Calls, { times, unexplained }: FileFindings): Effects => ({
  calls: calls.flatMap((call, index) => repeatLine(call, times[index] ?? 0)),
  damaged: unexplained,
});

function evidenceFromOwnFiles(calls: Calls, first: Changes): Evidence {
  const own = new Map([...first].filter(([file]) => isOwnFile(file)));
  /** The tool or the program writes a file again by itself, so its versions do not count runs. */
  const isRewritten = [...own.values()].some(({ versions }) => versions > 1);
  const isAppended = JSON.stringify(calls[0].input).includes(">>");
  /** Other files of a complete call, such as a log, may hold marks of a call that did not run. */
  const isOther = (file: string): boolean => first.has(file) && !isOwnFile(file);
  return {
    findEffects: ({ changes }) => {
      const relevant = [...changes]
        .filter(([file]) => !isOther(file))
        .map(([file, { text, versions }]): [string, FileChange] => [
          file,
          { text, versions: isRewritten ? 1 : versions },
        ]);
      return toEffects(calls, findInOwnFiles(calls, own, new Map(relevant)));
    },
    whyNotCounted: isAppended
      ? undefined
      : "the tool may overwrite its file, and then two runs without a request between them look like one",
  };
}

/** If calls overwrite a shared file, only the last one can be seen in it: the results show others. */
function evidenceFromSharedFiles(
  calls: Calls,
  agent: AgentWire,
  { changes: first, requests }: RunTraces,
): Evidence {
  const shared = [...first]
    .filter(([, { text }]) => text.includes(markFor(1)))
    .map(([file, change]) => findSharedTrace(calls[0], file, change));
  const [firstResult] = readResults(agent, requests.at(-1));
  return {
    findEffects: (traces) => {
      const found = findInSharedFiles(calls, shared, traces.changes);
      const results = readResults(agent, traces.requests.at(-1));
      const answered =
        firstResult === undefined
          ? []
          : findInResults(calls, results, withoutInputs(firstResult.text));
      const isOverwritten = (call: ReplyCall, times: number): boolean =>
        times === 0 && found.times.some((others) => others > 0) && answered.includes(call);
      const times = calls.map((call, index) => {
        const seen = found.times[index] ?? 0;
        return isOverwritten(call, seen) ? 1 : seen;
      });
      return toEffects(calls, { times, unexplained: found.unexplained });
    },
    whyNotCounted: "the tool may overwrite its file, and then two runs look like one",
  };
}

const evidenceFromResults = (calls: Calls, agent: AgentWire, expected: string): Evidence => ({
  findEffects: ({ requests }) => ({
    calls: findInResults(calls, readResults(agent, requests.at(-1)), expected).map(describeCall),
    damaged: [],
  }),
  whyNotCounted: "its calls change no file, so a run without a result leaves no trace",
});

/**
 * Learns from the traces of a complete call how to detect that a call ran: by changed files that
 * hold its mark, otherwise by its result.
 */
export function findEvidence(
  calls: Calls,
  agent: AgentWire,
  traces: RunTraces,
): Evidence | undefined {
  const changes = [...traces.changes];
  if (changes.some(([file]) => isOwnFile(file))) return evidenceFromOwnFiles(calls, traces.changes);
  if (changes.some(([, { text }]) => text.includes(markFor(1))))
    return evidenceFromSharedFiles(calls, agent, traces);
  const [result] = readResults(agent, traces.requests.at(-1));
  return result === undefined
    ? undefined
    : evidenceFromResults(calls, agent, withoutInputs(result.text));
}
