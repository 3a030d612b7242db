/** Other names of options, and the option of `run` for each. */
const otherNames: Readonly<Record<string, string>> = {
  maxsteps: "limits.turns",
  maxturns: "limits.turns",
  deadline: "limits.deadlineMs",
  deadlinems: "limits.deadlineMs",
  timeout: "limits.deadlineMs",
  idlems: "limits.idleMs",
  firsteventms: "limits.firstEventMs",
  price: "limits.price",
  concurrency: "limits.concurrency",
  maxresultchars: "limits.resultChars",
  attempts: "recovery",
  maxretries: "recovery.requests",
  retries: "recovery.requests",
  compact: "recovery.compact",
  fallback: "recovery.fallback",
  abortsignal: "signal",
  instructions: "system",
  systemprompt: "system",
  input: "prompt",
  history: "messages",
  toolchoice: "request.toolChoice",
  maxtokens: "request.maxTokens",
  maxoutputtokens: "request.maxTokens",
  maxcompletiontokens: "request.maxTokens",
  effort: "request.effort",
  reasoningeffort: "request.effort",
  cache: "request.cache",
  needsapproval: "approve",
  steer: "beforeTurn",
  preparestep: "beforeTurn",
  runid: "journal.runId",
  step: "journal.store",
};
const adapterOptions: ReadonlySet<string> = new Set([
  "temperature",
  "topp",
  "topk",
  "seed",
  "stopsequences",
  "params",
  "apikey",
  "baseurl",
  "model",
]);
const letters = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, "");

/** A sentence about what an unknown option may mean. */
export function suggestOption(unknown: string, known: readonly string[]): string {
  const given = letters(unknown);
  const nearest = known
    .map((name) => ({ name, distance: editDistance(given, letters(name)) }))
    .toSorted((one, other) => one.distance - other.distance)
    .find(({ name, distance }) => distance <= (name.length < 6 ? 1 : 2));
  const suggestion = nearest?.name ?? otherNames[given];
  if (suggestion !== undefined) return `Did you mean \`${suggestion}\`?`;
  return adapterOptions.has(given)
    ? "Options of the provider belong to the adapter."
    : `The options are: ${known.join(", ")}.`;
}

/**
 * How many letters must be added, removed, changed or swapped with the next one (optimal string
 * alignment).
 */
function editDistance(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= one.length; row++) {
    const cells = [row];
    for (let column = 1; column <= other.length; column++)
      cells.push(nextCell(rows, cells, { one, other, row, column }));
    rows.push(cells);
  }
  return rows[one.length]?.[other.length] ?? 0;
}

interface CellPosition {
  readonly one: string;
  readonly other: string;
  readonly row: number;
  readonly column: number;
}
function nextCell(
  rows: readonly (readonly number[])[],
  cells: readonly number[],
  { one, other, row, column }: CellPosition,
): number {
  const cell = (up: number, left: number): number =>
    (up === 0 ? cells : rows[row - up])?.[column - left] ?? Number.POSITIVE_INFINITY;
  const isSame = one[row - 1] === other[column - 1];
  const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
  return Math.min(
    cell(1, 0) + 1,
    cell(0, 1) + 1,
    cell(1, 1) + (isSame ? 0 : 1),
    isSwapped ? cell(2, 2) + 1 : Number.POSITIVE_INFINITY,
  );
}
