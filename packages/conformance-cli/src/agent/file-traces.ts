import type { ReplyCall } from "@fullstop/conformance";
import type { FileChange } from "./folder.ts";
import { markFor } from "./input.ts";

export type Changes = ReadonlyMap<string, FileChange>;
export type Calls = readonly [ReplyCall, ReplyCall];

/** The beginning of every mark. A text that holds it came from a call, maybe from a cut one. */
const anyMark = markFor(1).slice(0, 5);
/** Whether a change came from a call. */
export const hasTrace = (file: string, { text }: FileChange): boolean =>
  file.includes(anyMark) || anyMark.startsWith(file) || text.includes(anyMark);
/** Whether the first call chose the name of the file. */
export const isOwnFile = (file: string): boolean => file.includes(markFor(1));

const replaceMark = (text: string, number: number): string =>
  text.replaceAll(markFor(1), markFor(number));
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
export interface SharedTrace {
  readonly file: string;
  /** The longest text of its input that the file holds; otherwise all that it holds. */
  readonly trace: string;
  /** How often a complete call wrote it, and how often any mark. */
  readonly traces: number;
  readonly marks: number;
}

export function findSharedTrace(call: ReplyCall, file: string, { text }: FileChange): SharedTrace {
  const inputs = Object.values(call.input)
    .filter((value) => typeof value === "string" && value.includes(markFor(1)))
    .map((value) => withoutQuotes(JSON.stringify(value)))
    .filter((value) => text.includes(value))
    .toSorted((first, second) => second.length - first.length);
  const trace = inputs[0] ?? withoutQuotes(text);
  return { file, trace, traces: countIn(text, trace), marks: countIn(text, anyMark) };
}

export interface FileFindings {
  /** How often each call ran. */
  readonly times: readonly number[];
  /** The files that these runs explain. */
  readonly explained: ReadonlySet<string>;
}
export type FindInFiles = (changes: Changes) => FileFindings;

/** A call ran if all files that a complete call writes are there. */
export function findInOwnFiles(calls: Calls, own: Changes): FindInFiles {
  /** The tool or the program writes a file again by itself, so its versions do not count runs. */
  const isRewritten = [...own.values()].some(({ versions }) => versions > 1);
  const findCall = (changes: Changes, number: number): FileFinding[] =>
    [...own].map(([file, { text }]) => {
      const name = replaceMark(file, number);
      const change = changes.get(name);
      if (change === undefined) return { name, times: 0, isExplained: false };
      const versions = isRewritten ? 1 : change.versions;
      return { name, ...findInOwnFile({ ...change, versions }, replaceMark(text, number)) };
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
export const findInSharedFiles =
  (calls: Calls, shared: readonly SharedTrace[]): FindInFiles =>
  (changes) => {
    const explained = new Set<string>();
    const timesByFile = shared.map(({ file, trace, traces, marks }) => {
      const { text } = changes.get(file) ?? { text: "" };
      const found = calls.map((_, index) =>
        Math.floor(countIn(text, replaceMark(trace, index + 1)) / traces),
      );
      if (countIn(text, anyMark) <= sum(found) * marks) explained.add(file);
      return found;
    });
    const times = calls.map((_, index) =>
      Math.min(...timesByFile.map((found) => found[index] ?? 0)),
    );
    return { times, explained };
  };
