import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { fileJournal } from "@fullstop/journal-file";
import { jsonSchema, type Outcome, run, type Tool } from "@fullstop/loop";
import type { Journal } from "@fullstop/loop/journal";
import { mock, type Say } from "@fullstop/provider-mock";

const call = (name: string, mark: string) => ({ name, input: { mark } });
const turns: readonly (string | Say)[] = [
  { text: "Two at a time.", calls: [call("write", "a"), call("write", "b"), call("nowhere", "c")] },
  { calls: [call("alone", "d"), call("write", "e")] },
  { calls: [call("write", "f"), call("put", "g"), call("denied", "h")] },
  "Done.",
];
/** Marks that may be written twice. */
export const repeatable: ReadonlySet<string> = new Set(["g"]);

/** Called at each point at which the process can die. */
export type Point = () => void;

/** Runs or resumes the run in this folder. The file `world` lists the effects of its tools. */
export async function live(folder: string, point: Point = () => {}): Promise<Outcome> {
  const effect = (text: string): void => {
    point();
    appendFileSync(join(folder, "world"), `${text}\n`);
  };
  const execute = async ({ mark }: Record<string, unknown>): Promise<string> => {
    effect(`begin ${mark}`);
    await new Promise((resolve) => setImmediate(resolve));
    effect(`end ${mark}`);
    return `wrote ${mark}`;
  };
  const made = (name: string, more: Partial<Tool> = {}): Tool => ({
    name,
    description: name,
    inputSchema: jsonSchema({ type: "object" }),
    execute: execute as NonNullable<Tool["execute"]>,
    ...more,
  });
  const tools = [
    made("write"),
    made("denied"),
    made("alone", { exclusive: true }),
    made("put", { idempotent: true }),
  ];
  const answer: Parameters<typeof mock>[0][number] = ({ messages }) => {
    point();
    return turns[messages.filter(({ role }) => role === "assistant").length] ?? "Too far.";
  };
  const file = fileJournal(join(folder, "run.jsonl"));
  const approve = ({ name }: { readonly name: string }): boolean => name !== "denied";
  const options = {
    tools,
    approve,
    prompt: "Go.",
    journal: { store: pointed(file, point), runId: "r" },
  };
  return await run({ adapter: mock(turns.map(() => answer)), ...options }).outcome();
}

/** The journal, with a point before and after each write, and before the end. */
export const pointed = (journal: Journal, point: Point): Journal => ({
  open: async (runId, signal) => {
    const lease = await journal.open(runId, signal);
    const between = async (write: () => Promise<void>): Promise<void> => {
      point();
      await write();
      point();
    };
    return {
      lost: lease.lost,
      read: lease.read,
      begin: (step) => between(() => lease.begin(step)),
      end: (step, json) => between(() => lease.end(step, json)),
      close: (end) => {
        point();
        return lease.close(end);
      },
    };
  },
});

/** Kills this process at the point with this number; 0: at none. */
export function dieAt(number: number): Point {
  let points = 0;
  return () => {
    if (++points === number) process.kill(process.pid, "SIGKILL");
  };
}
