import { readResults } from "./blocks.ts";
import { table } from "./markdown.ts";

/** What ran after one reply. */
export interface Runs {
  /** How many of its calls ran. */
  readonly ran: number;
  /** How many runs there were beyond one of each call. */
  readonly repeated: number;
}

/** What ran after a reply, without the gateway and behind it. */
export interface ComparedReply {
  /** The name of the reply in the corpus. */
  readonly reply: string;
  /** The number of its calls. */
  readonly calls: number;
  readonly alone: Runs;
  readonly behind: Runs;
}

/** One configuration of a system. */
export interface ComparedSubject {
  readonly name: string;
  readonly wire: string;
  /** Finished replies that leave the gateway byte for byte. */
  readonly unchanged: number;
  /** Finished replies whose calls could not be replaced by calls of the program. */
  readonly skipped: number;
  /** Finished replies that the gateway writes anew. */
  readonly replies: readonly ComparedReply[];
}

/** The results of `pnpm field --corpus`. */
export interface CorpusRuns {
  /** When the measurement ended, as ISO 8601. */
  readonly at: string;
  readonly subjects: readonly ComparedSubject[];
}

/** The results as data, from the root of the repository. */
export const corpusRunsFile = "tooling/field/corpus.json";
export const readCorpusRuns = (): CorpusRuns | undefined => readResults(corpusRunsFile);

/** What is counted, in the words of the table. */
const columns: Readonly<Record<string, (reply: ComparedReply) => boolean>> = {
  "each call once, alone": ({ alone, calls }) => alone.ran === calls && alone.repeated === 0,
  "behind it": ({ behind, calls }) => behind.ran === calls && behind.repeated === 0,
  "a call twice, alone": ({ alone }) => alone.repeated > 0,
  "twice behind it": ({ behind }) => behind.repeated > 0,
  "fewer calls behind it": ({ alone, behind }) => behind.ran < alone.ran,
};

/** The replies of which a call ran twice behind the gateway: `AI SDK, Chat: NAME`. */
export const repeatedCalls = ({ subjects }: Pick<CorpusRuns, "subjects">): readonly string[] =>
  subjects.flatMap(({ name, replies }) =>
    replies.filter(({ behind }) => behind.repeated > 0).map(({ reply }) => `${name}: ${reply}`),
  );

/** How often calls ran with and without the gateway, as a section of the report. */
export function corpusRunsText({ at, subjects }: CorpusRuns): string {
  const asked = subjects.filter(({ replies }) => replies.length > 0);
  const rowOf = (name: string, replies: readonly ComparedReply[]): readonly (string | number)[] => [
    name,
    replies.length,
    ...Object.values(columns).map((holds) => replies.filter(holds).length),
  ];
  const rows = asked.map(({ name, replies }) => rowOf(name, replies));
  const all = asked.flatMap(({ replies }) => replies);
  return `### How often a call runs

A finished reply that says its calls in an unusual form leaves the gateway in the usual form. \`pnpm field --corpus\` plays each such reply of [the corpus](corpus.md) to configurations that stream, with the calls of their own tool, and counts how often each call runs. A configuration that does not start is missing. Every other finished reply leaves the gateway byte for byte.

${table(["configuration", "replies", ...Object.keys(columns)], [...rows, rowOf("all", all)])}

Measured on ${at.slice(0, 10)}. As data: [corpus.json](../${corpusRunsFile}).`;
}
