import { anyText, checkOptions, type OptionKinds, positiveInteger } from "@fullstop/core/adapter";
import { type LeaseOptions, leasedJournal, type StoredJournal } from "@fullstop/loop/journal";
import { journalTable } from "./journal-table.ts";
import { migrate } from "./migrations.ts";
import { createQuery, type PostgresPool } from "./query.ts";
import { deleteRuns, listRuns } from "./stored-runs.ts";
import { nameTables } from "./tables.ts";

/** Options of `postgresJournal`. */
export interface PostgresJournalOptions extends LeaseOptions {
  /**
   * The schema of the tables, with any characters. It is created if it does not exist. Default:
   * `fullstop`.
   */
  readonly schema?: string | undefined;
  /**
   * The largest result of a step, in bytes. Default: 16 MiB, which is about four million tokens of
   * text. A step is in memory several times while it is sent and stored, here and in the server, and
   * PostgreSQL takes at most 1 GB.
   */
  readonly maxStepBytes?: number | undefined;
}

/** A journal in PostgreSQL. */
export interface PostgresJournal extends StoredJournal {
  /**
   * Creates the schema and the tables, or brings them up to date. The first use of the journal does
   * it too. Call it with another role, for example in a deployment, if the role of the runs may not
   * create tables.
   */
  migrate(): Promise<void>;
}

const optionKinds: OptionKinds<PostgresJournalOptions> = {
  leaseMs: positiveInteger,
  schema: anyText,
  maxStepBytes: positiveInteger,
};
const defaultMaxStepBytes = 16 * 1024 * 1024;
/** The longest wait for an answer, so that a second attempt has time before the lease would end. */
const answerMs = (leaseMs = 30_000): number => Math.max(leaseMs / 2, 1000);

/**
 * A journal in PostgreSQL 12 or newer, through a `Pool` of `pg`. Any number of processes can use the
 * same tables; each run has one writer. End the pool after the last run: the journal does not.
 * @throws TypeError or RangeError for options that cannot work.
 */
export function postgresJournal(
  pool: PostgresPool,
  options: PostgresJournalOptions = {},
): PostgresJournal {
  checkOptions(options, optionKinds, { of: "postgresJournal" });
  if (typeof pool?.connect !== "function")
    throw new TypeError("`postgresJournal` needs a pool: `new Pool({ connectionString })` of pg.");
  const { schema = "fullstop", maxStepBytes = defaultMaxStepBytes, leaseMs } = options;
  const tables = nameTables(schema);
  const query = createQuery({ pool, schema: tables.schema, answerMs: answerMs(leaseMs) });
  let migrated: Promise<void> | undefined;
  const prepare = (): Promise<void> => {
    migrated ??= migrate(query, tables).catch((thrown: unknown) => {
      migrated = undefined;
      throw thrown;
    });
    return migrated;
  };
  const table = journalTable({ query, tables, maxStepBytes, prepare });
  return {
    ...leasedJournal(table, { leaseMs }),
    listRuns: async (options) => {
      await prepare();
      return listRuns(query, tables, options);
    },
    deleteRuns: async (options) => {
      await prepare();
      return deleteRuns(query, tables, options);
    },
    migrate: prepare,
  };
}
