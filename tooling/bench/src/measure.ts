import type { Contender } from "./contenders.ts";
import { charactersOf, type Workload } from "./workloads.ts";

/**
 * The cost of one workload of one protocol: for each contender the CPU time of its process for one
 * reply, in milliseconds, by round.
 */
export interface Cell {
  readonly wire: string;
  readonly workload: string;
  readonly samples: ReadonlyMap<string, readonly number[]>;
}

/** CPU time of a sample, in milliseconds. Shorter work is repeated. */
const sampleMs = 20;
const warmUpRounds = 6;
/**
 * Replies of the warm-up that measures how often a sample repeats: the first are many times slower.
 */
const warmReplies = 8;
/**
 * CPU time of the warm-up of a server, in milliseconds. It runs for days, and the first hundred replies
 * of its process cost up to four times as much as later ones.
 */
const warmServerMs = 1500;
/** If a contender is slower than this, it gets one round and no larger reply. */
export const slowMs = 2000;

interface PreparedContender {
  readonly name: string;
  readonly contender: Contender;
  readonly repeat: number;
}

/** Measures the contenders in rounds and rotates their order, so that noise affects all of them. */
export async function measure(
  workload: Workload,
  contenders: Readonly<Record<string, Contender>>,
  rounds: number,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const samples = new Map<string, number[]>();
  const ready: PreparedContender[] = [];
  for (const [name, contender] of Object.entries(contenders)) {
    const cold = await sampleCpu(workload, contender, 1);
    samples.set(name, cold > slowMs ? [cold] : []);
    if (cold <= slowMs)
      ready.push({ name, contender, repeat: await repeatsFor(workload, contender, cold) });
  }
  for (let round = -warmUpRounds; round < rounds; round++) {
    for (const { name, contender, repeat } of rotated(ready, round + warmUpRounds)) {
      const medianCpu = await sampleCpu(workload, contender, repeat);
      if (round >= 0) samples.get(name)?.push(medianCpu);
    }
  }
  return samples;
}

/** How often a contender reads a reply in one sample. */
async function repeatsFor(workload: Workload, contender: Contender, cold: number): Promise<number> {
  const { parallel } = workload;
  const isServer = contender.cpuUsage !== undefined;
  for (let spent = isServer ? 0 : warmServerMs; spent < warmServerMs; )
    spent += parallel * (await sampleCpu(workload, contender, 1));
  if (cold < 2 * sampleMs) await sampleCpu(workload, contender, Math.ceil(warmReplies / parallel));
  return Math.ceil(sampleMs / (parallel * (await sampleCpu(workload, contender, 1))));
}

const rotated = <Item>(items: readonly Item[], by: number): readonly Item[] => {
  const at = by % Math.max(1, items.length);
  return [...items.slice(at), ...items.slice(0, at)];
};

async function sampleCpu(
  { reply, parallel }: Workload,
  contender: Contender,
  repeat: number,
): Promise<number> {
  const characters = charactersOf(reply);
  const before = await cpuMs(contender);
  for (let time = 0; time < repeat; time++) {
    const found = await Promise.all(Array.from({ length: parallel }, contender));
    const wrong = found.find((count) => count !== characters);
    if (wrong !== undefined)
      throw new Error(`${contender.name} found ${wrong} of ${characters} characters`);
  }
  return ((await cpuMs(contender)) - before) / repeat / parallel;
}

async function cpuMs({ cpuUsage = async () => process.cpuUsage() }: Contender): Promise<number> {
  const { user, system } = await cpuUsage();
  return (user + system) / 1000;
}

/**
 * The cost of `name` in multiples of `other`, each in its fastest round: other programs on the
 * machine can only add to a measured time.
 */
export function cpuRatio({ samples }: Cell, name: string, other: string): number | undefined {
  const [own = [], against = []] = [samples.get(name), samples.get(other)];
  return own.length === 0 || against.length === 0
    ? undefined
    : Math.min(...own) / Math.min(...against);
}

export const cpu = ({ samples }: Cell, name: string): number | undefined => {
  const own = samples.get(name) ?? [];
  return own.length === 0 ? undefined : median(own);
};

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return (
    ((sorted[middle] ?? Number.NaN) +
      (sorted[sorted.length % 2 === 0 ? middle - 1 : middle] ?? Number.NaN)) /
    2
  );
};
