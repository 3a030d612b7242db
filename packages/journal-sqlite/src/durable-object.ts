import {
  checkGiven,
  checkOptions,
  type OptionKinds,
  positiveInteger,
} from "@fullstop/core/adapter";
import { JournalError, type LeaseOptions, type StoredJournal } from "@fullstop/loop/journal";
import type { Connection } from "./journal-table.ts";
import { versions } from "./migrations.ts";
import { prepareStatements, type Statement } from "./statements.ts";
import { storedJournal } from "./stored-journal.ts";

export type { DeleteRunsOptions, ListRunsOptions, StoredJournal } from "@fullstop/loop/journal";

/** What the journal uses of the `ctx.storage` of a Durable Object with SQLite. */
export interface ObjectStorage {
  readonly sql: {
    exec(
      query: string,
      ...bindings: readonly (string | number | Uint8Array | null)[]
    ): { toArray(): Record<string, unknown>[]; readonly rowsWritten: number };
  };
  transactionSync<T>(work: () => T): T;
  sync(): Promise<void>;
}

/** Options of `durableObjectJournal`. */
export interface DurableObjectJournalOptions extends LeaseOptions {
  /**
   * Milliseconds after which a run may be taken that does not renew its lease in the same instance of
   * the object. Default: 30,000. The runs of an instance that has ended are free at once.
   */
  readonly leaseMs?: number | undefined;
}
const objectOptionKinds: OptionKinds<DurableObjectJournalOptions> = { leaseMs: positiveInteger };

/** A row has at most 2 MB there, and a text that is not well-formed takes two bytes for one. */
const maxStepBytes = 1_000_000;

/**
 * A journal in the SQLite storage of one of Cloudflare's Durable Objects. Its tables have names that
 * begin with `journal_`, and are created at the first use. A step has at most 1 MB. `storage` is the
 * `ctx.storage` of the object.
 */
export function durableObjectJournal(
  storage: ObjectStorage,
  options: DurableObjectJournalOptions = {},
): StoredJournal {
  checkGiven(storage, "durableObjectJournal", "the storage of an object: `ctx.storage`");
  checkOptions(options, objectOptionKinds, { of: "durableObjectJournal" });
  const thisHolder = instanceOf(storage);
  return storedJournal(connectTo(storage), {
    leaseMs: options.leaseMs,
    maxStepBytes,
    thisHolder: () => thisHolder,
    // An object has one instance at a time, so each other one has ended.
    hasEnded: (holder) => holder !== thisHolder,
  });
}

const instances = new WeakMap<ObjectStorage, string>();
/** The name of this instance of an object. Each instance has a storage of its own. */
function instanceOf(storage: ObjectStorage): string {
  const name = instances.get(storage) ?? crypto.randomUUID();
  instances.set(storage, name);
  return name;
}

function connectTo(storage: ObjectStorage): Connection {
  const statements = prepareStatements((text) => statementOf(storage, text));
  const use = <T>(work: (own: typeof statements) => T): T => {
    const attempt = (): T => storage.transactionSync(() => work(statements));
    try {
      return attempt();
    } catch {
      // The tables are not there yet, or were removed with `deleteAll`.
      for (const tables of versions) storage.sql.exec(tables);
      return attempt();
    }
  };
  return {
    read: async (work) => explained(() => use(work)),
    write: (work) =>
      explained(async () => {
        const result = use(work);
        await storage.sync();
        return result;
      }),
  };
}

/** SQLite numbers the named values by their first places, and the storage takes them by number. */
function statementOf({ sql }: ObjectStorage, text: string): Statement {
  const names = [...new Set(text.match(/:\w+/g))].map((name) => name.slice(1));
  const exec: (...given: Parameters<Statement["all"]>) => ReturnType<typeof sql.exec> = (values) =>
    sql.exec(text, ...names.map((name) => values[name] ?? null));
  return {
    get: (values) => exec(values).toArray()[0],
    all: (values) => exec(values).toArray(),
    run: (values) => ({ changes: exec(values).rowsWritten }),
  };
}

async function explained<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new JournalError(
      "unavailable",
      `The journal in this Durable Object cannot be used: ${why}. Correct the cause and start again: what was recorded counts.`,
      { cause },
    );
  }
}
