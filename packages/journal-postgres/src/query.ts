import { explain } from "./database-error.ts";

/** A statement as `pg` takes it. It has no name, so it works through a pooler too. */
export interface PostgresQuery {
  readonly text: string;
  readonly values: unknown[];
  /** Milliseconds. `pg` closes a connection on which the answer takes longer. */
  readonly query_timeout: number;
}

/** What the journal needs of a `Pool` of `pg`. */
export interface PostgresPool {
  query(query: PostgresQuery): Promise<{ readonly rows: readonly unknown[] }>;
  on(event: "error", listener: (error: Error) => void): unknown;
}

/** Sends one statement. All columns are texts, so that no type parser of the pool matters. */
export type Query = (
  text: string,
  values?: readonly unknown[],
  longestMs?: number,
) => Promise<readonly Row[]>;
export type Row = Readonly<Record<string, string | null | undefined>>;

/** Where statements are sent. */
interface QueryOptions {
  readonly pool: PostgresPool;
  /** The quoted schema, for errors. */
  readonly schema: string;
  /** Milliseconds until a statement without an answer has failed. */
  readonly answerMs: number;
}

/**
 * The statements of a pool. A statement fails in time even if the network drops packets silently,
 * or no connection of the pool becomes free.
 */
export function createQuery({ pool, schema, answerMs }: QueryOptions): Query {
  listenForErrors(pool);
  return async (text, values = [], longestMs = answerMs) => {
    const answer = pool.query({ text, values: [...values], query_timeout: longestMs });
    try {
      const { rows } = await withinTime(answer, longestMs);
      return rows as readonly Row[];
    } catch (thrown) {
      throw explain(thrown, schema);
    }
  };
}

const listened = new WeakSet<PostgresPool>();
/**
 * A pool emits `error` when the server ends an idle connection, and without a listener this ends
 * the process. There is nothing to do: the pool has removed the connection.
 */
function listenForErrors(pool: PostgresPool): void {
  if (listened.has(pool)) return;
  listened.add(pool);
  pool.on("error", () => {});
}

function withinTime<T>(answer: Promise<T>, longestMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const message = `PostgreSQL did not answer within ${longestMs / 1000} s.`;
      reject(Object.assign(new Error(message), { code: "ETIMEDOUT" }));
    }, longestMs);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
