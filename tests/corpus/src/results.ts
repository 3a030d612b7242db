import { table } from "@tooling/docs/markdown";

/** How often each thing happened. */
export type Counts = Readonly<Record<string, number>>;

/** What one client made of the replies; `corpus.py` prints it. */
export interface ClientResult {
  readonly title: string;
  readonly protocol: string;
  /** The replies of its protocol. */
  readonly replies: number;
  /** Those that it was not asked to read. */
  readonly skipped: number;
  /** Whole replies that finished. */
  readonly finished: Counts;
  /** Whole replies whose calls must not run. */
  readonly unfinished: Counts;
  /** Replies with calls, cut; by the place of the cut. */
  readonly cut: Readonly<Record<string, Counts>>;
  readonly exceptions: Counts;
}

/** The title of a column, and the count that it shows. */
type Columns = Readonly<Record<string, string>>;

const finishedColumns: Columns = {
  "finished replies": "replies",
  "read with their calls": "as-expected",
  "read otherwise": "otherwise",
  "error raised": "error",
  crashed: "crash",
};
const unfinishedColumns: Columns = {
  "calls given out as finished": "calls-finished",
  "calls given out, not as finished": "calls-unfinished",
  "no call": "no-calls",
  "error raised": "error",
  crashed: "crash",
};

const cellsOf = (columns: Columns, counts: Counts): readonly string[] =>
  Object.values(columns).map((name) => String(counts[name] ?? 0));

/** The tables of the results, in Markdown. */
export function tablesOf(results: readonly ClientResult[]): string {
  const finished = results.map(({ title, finished: counts }) => [
    title,
    ...cellsOf(finishedColumns, counts),
  ]);
  const unfinished = results.map(({ title, unfinished: counts }) => [
    title,
    ...cellsOf({ replies: "replies", ...unfinishedColumns }, counts),
  ]);
  const cut = results.flatMap(({ title, cut: places }) =>
    Object.entries(places).map(([place, counts]) => [
      `${title}: ${place}`,
      ...cellsOf({ replies: "replies", ...unfinishedColumns, other: "other-calls" }, counts),
    ]),
  );
  const exceptions = results.flatMap(({ title, exceptions: counts }) =>
    Object.entries(counts).map(([name, count]) => [`${title}: ${name}`, count]),
  );
  return [
    "Whole replies that finished:",
    table(["client", ...Object.keys(finishedColumns)], finished),
    "Whole replies whose calls must not run:",
    table(["client", "replies", ...Object.keys(unfinishedColumns)], unfinished),
    "Replies with calls, cut:",
    table(
      [
        "client, place of the cut",
        "cuts",
        ...Object.keys(unfinishedColumns),
        "of the calls, others than the whole reply's",
      ],
      cut,
    ),
    "What was raised:",
    table(["client, exception", "times"], exceptions),
  ].join("\n\n");
}
