import { join } from "node:path";
import { fileJournal } from "@fullstop/journal-file";
import type { Journal } from "@fullstop/loop/journal";
import { faultNames, type Place } from "../spec.ts";
import { faultyJournal } from "./faulty.ts";

export interface OpenedJournal {
  readonly journal: Journal;
  close(): Promise<void>;
}
type OpenJournal = (place: Place) => OpenedJournal | Promise<OpenedJournal>;

const close = async (): Promise<void> => {};
const faulty: OpenJournal = ({ row, folder }) => ({
  journal: faultyJournal(row as Parameters<typeof faultyJournal>[0], folder),
  close,
});

async function openPostgres({ url, leaseMs }: Place): Promise<OpenedJournal> {
  const { postgresJournal } = await import("@fullstop/journal-postgres");
  const { default: pg } = await import("pg");
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  pool.on("error", () => {}); // the server was killed, and the next query says so
  return { journal: postgresJournal(pool, { leaseMs }), close: () => pool.end() };
}

/** The journal of each row. A program is loaded only by the workers that need it. */
const journals: Readonly<Partial<Record<Place["row"], OpenJournal>>> = {
  ...Object.fromEntries(faultNames.map((fault) => [fault, faulty])),
  file: ({ folder }) => ({ journal: fileJournals(folder), close }),
  sqlite: async ({ folder, leaseMs }) => {
    const { sqliteJournal } = await import("@fullstop/journal-sqlite");
    const journal = sqliteJournal(join(folder, "runs.db"), { leaseMs });
    return { journal, close: () => journal.close() };
  },
  postgres: openPostgres,
  dbos: openPostgres,
};

/** One file for each run, so that several processes can work side by side. */
const fileJournals = (folder: string): Journal => ({
  open: (runId, signal) => fileJournal(join(folder, `${runId}.jsonl`)).open(runId, signal),
});

export async function openJournal(place: Place): Promise<OpenedJournal> {
  const open = journals[place.row];
  if (open === undefined) throw new TypeError(`"${place.row}" has no journal of its own.`);
  return await open(place);
}
