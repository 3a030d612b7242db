import type { Journal } from "@fullstop/loop";

/** What a journal holds, in order: each a line of JSON. */
export interface JournalLine {
  readonly key: string;
  readonly kind?: string;
  readonly begun?: true;
  readonly value?: unknown;
}
export interface MemoryJournal extends Journal {
  readonly lines: JournalLine[];
}

/**
 * A journal in memory that goes on from these lines. `write` sees each line before it counts, and
 * may throw.
 */
export function memoryJournal(
  from: readonly JournalLine[] = [],
  write: (line: JournalLine) => unknown = () => {},
): MemoryJournal {
  const lines: JournalLine[] = from.map((line) => JSON.parse(JSON.stringify(line)) as JournalLine);
  const add = async (line: JournalLine): Promise<void> => {
    await write(line);
    lines.push(JSON.parse(JSON.stringify(line)) as JournalLine);
  };
  const step: Journal["step"] = async ({ key, kind }, run, inDoubt) => {
    const known = lines.filter((line) => line.key === key);
    const ended = known.find((line) => "value" in line);
    if (ended !== undefined) return ended.value as never;
    if (known.length > 0) return inDoubt();
    const value = await run(() => add({ key, begun: true }));
    await add({ key, kind, value });
    return value;
  };
  return { lines, step };
}
