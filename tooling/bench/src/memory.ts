import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Verdict } from "./goals.ts";

/** The memory of a reply, measured in a separate process after forced garbage collections. */
export interface Memory {
  /** The size of the tool input. */
  readonly inputBytes: number;
  /**
   * The additional heap while the reply arrives (its peak) and after it, in multiples of the input
   * size.
   */
  readonly whileReading: number;
  readonly settled: number;
  /**
   * Bytes by which the heap grows for each reply, if a thousand are read in parallel repeatedly.
   */
  readonly leftPerReply: number;
}

const memoryGoals: Readonly<
  Record<Exclude<keyof Memory, "inputBytes">, readonly [comparison: string, limit: number]>
> = {
  whileReading: ["heap while the reply arrives / input", 3],
  settled: ["heap with the turn / input", 3],
  leftPerReply: ["heap growth / reply, 1,000 in parallel", 512],
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
    throw new Error(`The process of the memory measurement ended with ${message}.`);
  return message as Memory;
}
