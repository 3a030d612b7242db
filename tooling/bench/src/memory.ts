import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Verdict } from "./goals.ts";

/** What a reply keeps alive, measured in a process of its own after forced collections. */
export interface Memory {
  /** Bytes of the tool input that was read. */
  readonly inputBytes: number;
  /** The most heap that was alive while the reply arrived, and when it was settled, over what was alive before: by the bytes of the input. */
  readonly whileReading: number;
  readonly settled: number;
  /** By how much the heap grows for each reply, in bytes, where a thousand are read at once, again and again. */
  readonly leftPerReply: number;
}

const memoryGoals: Readonly<
  Record<Exclude<keyof Memory, "inputBytes">, readonly [comparison: string, limit: number]>
> = {
  whileReading: ["heap while it arrives / input", 3],
  settled: ["heap with its turn / input", 3],
  leftPerReply: ["heap left / reply, of 1,000 at once", 512],
};

export const memoryVerdicts = (memory: Memory): readonly Verdict[] =>
  Object.entries(memoryGoals).map(([name, [comparison, limit]]) => ({
    wire: "anthropic",
    workload: "memory",
    comparison,
    limit,
    measured: memory[name as keyof typeof memoryGoals],
  }));

export async function measureMemory(url: string): Promise<Memory> {
  const child = fork(fileURLToPath(new URL("reader.ts", import.meta.url)), [url], {
    execArgv: [...process.execArgv, "--expose-gc"],
  });
  const [message] = await Promise.race([
    once(child, "message"),
    once(child, "exit").then(([code]) => [code]),
  ]);
  if (typeof message === "number")
    throw new Error(`the process that reads for the measurement of memory ended with ${message}`);
  return message as Memory;
}
