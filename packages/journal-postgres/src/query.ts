import { explain } from "./database-error.ts";

/** What the journal needs of a `Pool` of `pg`. */
export interface PostgresPool {
  connect(): Promise<PostgresClient>;
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "connect", listener: (client: PostgresClient) => void): unknown;
}

/** What the journal needs of a client that the pool lends. */
export interface PostgresClient {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
  /** Gives the client back. True: its connection is closed. */
  release(destroy?: boolean): void;
  on(event: "error", listener: (error: Error) => void): unknown;
  off(event: "error", listener: (error: Error) => void): unknown;
}

/**
 * Sends one statement without a name, so that it works through a pooler. All columns are texts, so
 * that no type parser of the pool matters.
 */
export type Query = (
  text: string,
  values?: readonly unknown[],
  longestMs?: number,
) => Promise<readonly Row[]>;
export type Row = Readonly<Record<string, string | null | undefined>>;

interface QueryOptions {
  readonly pool: PostgresPool;
  readonly schema: string;
  /** Milliseconds until a statement without an answer has failed. */
  readonly answerMs: number;
}

export function createQuery({ pool, schema, answerMs }: QueryOptions): Query {
  listenForErrors(pool);
  return async (text, values = [], longestMs = answerMs) => {
    try {
      return await send(pool, { text, values }, longestMs);
    } catch (thrown) {
      throw explain(thrown, schema);
    }
  };
}

const listened = new WeakSet<PostgresPool>();
/** Without a listener, an idle connection that the server ends would end the process. */
function listenForErrors(pool: PostgresPool): void {
  if (listened.has(pool)) return;
  listened.add(pool);
  pool.on("error", ignore);
  // The server may end a connection in the packet that says it is ready, before it is lent.
  pool.on("connect", (client) => client.on("error", ignore));
}
const ignore = (): void => {};

interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * Fails in time even if the network drops packets silently, or no client of the pool becomes free.
 * A statement that was not sent until then is never sent, and one that was sent is cancelled.
 */
async function send(
  pool: PostgresPool,
  { text, values }: Statement,
  longestMs: number,
): Promise<readonly Row[]> {
  const mark = `/* ${crypto.randomUUID()} */`;
  const marked = { text: `${mark} ${text}`, values };
  return sendWithin(pool, marked, longestMs, () => {
    const cancel = { text: cancelText, values: [mark, mark.length] };
    sendWithin(pool, cancel, longestMs, ignore).catch(ignore);
  });
}

/**
 * A server that waits for a lock does not notice that the connection was closed. The statement is
 * found by its text, because a pooler has process ids of its own.
 */
const cancelText =
  "select pg_cancel_backend(pid)::text from pg_stat_activity where left(query, $2::int) = $1";

async function sendWithin(
  pool: PostgresPool,
  { text, values }: Statement,
  longestMs: number,
  onLate: () => void,
): Promise<readonly Row[]> {
  const deadline = startDeadline(longestMs);
  try {
    const connecting = pool.connect();
    connecting.then((late) => deadline.hasPassed() && late.release(), ignore);
    const client = await deadline.before(connecting);
    client.on("error", ignore); // the statement fails with the same error
    try {
      const { rows } = await deadline.before(client.query(text, [...values]));
      client.release();
      return rows as readonly Row[];
    } catch (thrown) {
      client.release(true);
      if (deadline.hasPassed()) onLate();
      throw thrown;
    } finally {
      client.off("error", ignore);
    }
  } finally {
    deadline.stop();
  }
}

function startDeadline(longestMs: number) {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(ignore); // it may pass between two results
  let hasPassed = false;
  const pass = (): void => {
    hasPassed = true;
    const message = `PostgreSQL did not answer within ${longestMs / 1000} s.`;
    reject(Object.assign(new Error(message), { code: "ETIMEDOUT" }));
  };
  // After a pause of the process, answers that have arrived are read before the deadline counts.
  const timer = setTimeout(() => setImmediate(pass), longestMs);
  return {
    hasPassed: (): boolean => hasPassed,
    /** The result, unless the deadline passes first. */
    before: <T>(result: Promise<T>): Promise<T> => Promise.race([result, promise]),
    stop: (): void => clearTimeout(timer),
  };
}
