import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

/** A run that another process records, step by step. */
export interface RunProcess {
  /** Where the run is: `turn`, `tool`, or the status of its outcome. Undefined: the process ended. */
  next(): Promise<string | undefined>;
  /** Lets the run go on to its next step. */
  go(): void;
  /** Ends the process as a crash does. */
  kill(): Promise<void>;
}

const program = fileURLToPath(new URL("record-run.ts", import.meta.url));

export function startRun(path: string): RunProcess {
  const child = spawn(process.execPath, ["--conditions=@fullstop/source", program, path], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    next: async () => (await lines.next()).value,
    go: () => void child.stdin.write("go\n"),
    kill: async () => {
      child.stdin.write("kill\n");
      await once(child, "exit");
    },
  };
}
