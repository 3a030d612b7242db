import { parsePlainJson } from "@fullstop/core/adapter";
import type { Journal } from "@fullstop/loop";
import type { RunEnd } from "@fullstop/loop/journal";

/** What a journal holds, in order: each a line of JSON. */
export interface JournalLine {
  readonly key: string;
  readonly kind?: string;
  readonly begun?: true;
  readonly value?: unknown;
}
export interface MemoryJournal extends Journal {
  readonly lines: JournalLine[];
  /** How each lease was given back. */
  readonly ends: (RunEnd | undefined)[];
}

/**
 * A journal in memory that goes on from these lines. `write` sees each line before it counts, and
 * may throw.
 */
export function memoryJournal(
  from: readonly JournalLine[] = [],
  write: (line: JournalLine) => unknown = () => {},
): MemoryJournal {
  const lines: JournalLine[] = from.map(
    (line) => parsePlainJson(JSON.stringify(line)) as JournalLine,
  );
  const ends: (RunEnd | undefined)[] = [];
  const add = async (line: JournalLine): Promise<void> => {
    await write(line);
    lines.push(line);
  };
  const open: Journal["open"] = async () => ({
    lost: new AbortController().signal,
    read: async (key) => {
      const known = lines.filter((line) => line.key === key);
      const ended = known.find((line) => "value" in line);
      if (ended !== undefined) return { state: "ended", json: JSON.stringify(ended.value) };
      return known.length > 0 ? { state: "begun" } : undefined;
    },
    begin: ({ key }) => add({ key, begun: true }),
    end: ({ key, kind }, json) => add({ key, kind, value: parsePlainJson(json) }),
    close: async (end) => {
      ends.push(end);
    },
  });
  return { lines, ends, open };
}
