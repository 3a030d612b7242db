import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { sqliteJournal } from "@fullstop/journal-sqlite";
import { jsonSchema, type Outcome, run, type Tool } from "@fullstop/loop";
import type { Journal } from "@fullstop/loop/journal";
import { mock, type Say } from "@fullstop/provider-mock";

const turns: readonly Say[] = [
  { calls: ["pay", "put", "slow"].map((name) => ({ name, input: { mark: `${name} 1` } })) },
  { calls: [{ name: "pay", input: { mark: "pay 2" } }] },
  { text: "Done." },
];
/** The marks of the calls, in the order of their results. */
export const marks: readonly string[] = ["pay 1", "put 1", "slow 1", "pay 2"];
/** May be written twice, because its tool is idempotent. */
export const repeatable = "put 1";

/** Called at each point at which the process can die. */
export type Point = () => void;

/** Runs or resumes the run in this folder. The file `world` lists the effects of its tools. */
export async function live(folder: string, point: Point = () => {}): Promise<Outcome> {
  const effect = (text: string): void => {
    point();
    appendFileSync(join(folder, "world"), `${text}\n`);
  };
  const made = (name: string, ticks: number, idempotent = false): Tool => ({
    name,
    description: name,
    inputSchema: jsonSchema({ type: "object" }),
    idempotent,
    execute: (async ({ mark }: { readonly mark: string }) => {
      effect(`begin ${mark}`);
      for (let tick = 0; tick < ticks; tick++) await new Promise((next) => setImmediate(next));
      effect(`end ${mark}`);
      return `did ${mark}`;
    }) as NonNullable<Tool["execute"]>,
  });
  await using journal = sqliteJournal(join(folder, "runs.db"));
  return await run({
    adapter: mock(
      turns.map(() => ({ messages }) => {
        point();
        return turns[messages.filter(({ role }) => role === "assistant").length] ?? "Too far.";
      }),
    ),
    tools: [made("pay", 1), made("put", 1, true), made("slow", 10)],
    prompt: "Go.",
    journal: { store: pointed(journal, point), runId: "r" },
  }).outcome();
}

/** The journal, with a point before and after each write. */
const pointed = (journal: Journal, point: Point): Journal => ({
  open: async (runId, signal) => {
    const lease = await journal.open(runId, signal);
    const between = async (write: () => Promise<void>): Promise<void> => {
      point();
      const writing = write();
      point();
      await writing;
      point();
    };
    return {
      lost: lease.lost,
      read: lease.read,
      begin: (step) => between(() => lease.begin(step)),
      end: (step, json) => between(() => lease.end(step, json)),
      close: (end) => between(() => lease.close(end)),
    };
  },
});
