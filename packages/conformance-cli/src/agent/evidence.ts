import type { AgentWire, Effects, Received, ReplyCall, SentResult } from "@fullstop/conformance";
import { describeCall, tryParseJson } from "@fullstop/conformance/runner";
import type { FileChange } from "./folder.ts";
import { markFor, writtenBy } from "./input.ts";

type Changes = ReadonlyMap<string, FileChange>;
/** The calls of the model by their numbers: the first has the number 1. */
export type Calls = readonly [ReplyCall, ...ReplyCall[]];

/** The beginning of every mark. A text that holds it came from a call, maybe from a cut one. */
const anyMark = markFor(1).slice(0, 5);
/** Whether a change came from a call. */
const hasTrace = (file: string, { text }: FileChange): boolean =>
  file.includes(anyMark) || anyMark.startsWith(file) || text.includes(anyMark);
/** Whether the first call chose the name of the file. */
const isOwnFile = (file: string): boolean => file.includes(markFor(1));

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
const countIn = (text: string, part: string): number => text.split(part).length - 1;

/** How often a file shows a call, and whether it shows anything else. */
interface Found {
  readonly times: number;
  readonly isExplained: boolean;
}

interface FileFinding extends Found {
  readonly name: string;
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

interface FileFindings {
  /** How often each call ran. */
  readonly times: readonly number[];
  /** The files that these runs explain. */
  readonly explained: ReadonlySet<string>;
}
type FindInFiles = (changes: Changes) => FileFindings;

/** A call ran if all files that a complete call writes are there. */
function findInOwnFiles(calls: Calls, own: Changes): FindInFiles {
  /** The tool or the program writes a file again by itself, so its versions do not count runs. */
  const isRewritten = [...own.values()].some(({ versions }) => versions > 1);
  const findCall = (changes: Changes, number: number): FileFinding[] =>
    [...own].map(([file, { text }]) => {
      const name = writtenBy(file, number);
      const change = changes.get(name);
      if (change === undefined) return { name, times: 0, isExplained: false };
      const versions = isRewritten ? 1 : change.versions;
      return { name, ...findInOwnFile({ ...change, versions }, writtenBy(text, number)) };
    });
  return (changes) => {
    const found = calls.map((_, index) => findCall(changes, index + 1));
    const times = found.map((files) => Math.min(...files.map((file) => file.times)));
    const explained = found.flatMap((files, index) =>
      times[index] === 0 ? [] : files.filter(({ isExplained }) => isExplained),
    );
    return { times, explained: new Set(explained.map(({ name }) => name)) };
  };
}

/** A call ran if what a complete call writes into shared files is there, anywhere in them. */
const findInSharedFiles =
  (calls: Calls, shared: readonly SharedTrace[]): FindInFiles =>
  (changes) => {
    const explained = new Set<string>();
    const timesByFile = shared.map(({ file, trace, traces, marks }) => {
      const { text } = changes.get(file) ?? { text: "" };
      const found = calls.map((_, index) =>
        Math.floor(countIn(text, writtenBy(trace, index + 1)) / traces),
      );
      if (countIn(text, anyMark) <= sum(found) * marks) explained.add(file);
      return found;
    });
    const times = calls.map((_, index) =>
      Math.min(...timesByFile.map((found) => found[index] ?? 0)),
    );
    return { times, explained };
  };

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
