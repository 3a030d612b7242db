import { appendFileSync } from "node:fs";
import { postgresJournal } from "@fullstop/journal-postgres";
import { jsonSchema, type Outcome, run, type Tool } from "@fullstop/loop";
import type { Journal } from "@fullstop/loop/journal";
import { mock, type Say } from "@fullstop/provider-mock";
import pg from "pg";

const call = (name: string, mark: string) => ({ name, input: { mark } });
/** Three calls at once, of which `put` may be repeated, and then one more. */
const turns: readonly Say[] = [
  { calls: [call("write", "a"), call("put", "b"), call("write", "c")] },
  { calls: [call("write", "d")] },
  { text: "Done." },
];

/** Called at each point at which the process can die. */
export type Point = () => void;

/** Where a run lives. */
export interface Place {
  readonly url: string;
  readonly runId: string;
  /** A file with the effects of the tools. */
  readonly world: string;
}

/** Runs or resumes the run of this place. */
export async function live(
  { url, runId, world }: Place,
  point: Point = () => {},
): Promise<Outcome> {
  const effect = (text: string): void => {
    point();
    appendFileSync(world, `${text}\n`);
  };
  const execute = async ({ mark }: Record<string, unknown>): Promise<string> => {
    effect(`begin ${mark}`);
    await new Promise((resolve) => setImmediate(resolve));
    effect(`end ${mark}`);
    return `wrote ${mark}`;
  };
  const made = (name: string, idempotent = false): Tool => ({
    name,
    description: name,
    inputSchema: jsonSchema({ type: "object" }),
    execute: execute as NonNullable<Tool["execute"]>,
    idempotent,
  });
  const reply: Parameters<typeof mock>[0][number] = ({ messages }) => {
    point();
    return turns[messages.filter(({ role }) => role === "assistant").length] ?? "Too far.";
  };
  const pool = new pg.Pool({ connectionString: url });
  try {
    const store = pointed(postgresJournal(pool), point);
    return await run({
      adapter: mock(turns.map(() => reply)),
      tools: [made("write"), made("put", true)],
      prompt: "Go.",
      journal: { store, runId },
    }).outcome();
  } finally {
    await pool.end();
  }
}

/** The journal, with a point before and after each write, and before the end. */
const pointed = (journal: Journal, point: Point): Journal => ({
  open: async (runId, signal) => {
    const lease = await journal.open(runId, signal);
    const between = async (write: () => Promise<void>): Promise<void> => {
      point();
      await write();
      point();
    };
    return {
      ...lease,
      begin: (step) => between(() => lease.begin(step)),
      end: (step, json) => between(() => lease.end(step, json)),
      close: (end) => {
        point();
        return lease.close(end);
      },
    };
  },
});
