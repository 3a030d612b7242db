import type { RunningContender } from "./contender-processes.ts";
import type { Workload } from "./workloads.ts";

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
const sampleMs = 50;
/** CPU time of the warm-up, in milliseconds: the first replies of a process are many times slower. */
const warmMs = 500;
/**
 * That of a server. It runs for days, and the first hundred replies of its process cost up to four
 * times as much as later ones.
 */
const warmServerMs = 1500;
/** If a contender is slower than this, it gets one round and no larger reply. */
export const slowMs = 2000;

interface WarmContender {
  readonly name: string;
  readonly contender: RunningContender;
  readonly repeat: number;
}

/** Measures the contenders in rounds and rotates their order, so that noise affects all of them. */
export async function measure(
  workload: Workload,
  contenders: ReadonlyMap<string, RunningContender>,
  rounds: number,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const samples = new Map<string, number[]>();
  const ready: WarmContender[] = [];
  for (const [name, contender] of contenders) {
    const cold = await sampleCpu(workload, contender, 1);
    samples.set(name, cold > slowMs ? [cold] : []);
    if (cold <= slowMs)
      ready.push({ name, contender, repeat: await repeatsFor(workload, contender) });
  }
  for (let round = 0; round < rounds; round++)
    for (const { name, contender, repeat } of rotated(ready, round))
      samples.get(name)?.push(await sampleCpu(workload, contender, repeat));
  return samples;
}

/** How often a contender, when it is warm, reads a reply in one sample. */
async function repeatsFor(workload: Workload, contender: RunningContender): Promise<number> {
  const most = contender.isServer ? warmServerMs : warmMs;
  let last = 0;
  for (let spent = 0; spent < most; spent += last)
    last = workload.parallel * (await sampleCpu(workload, contender, 1));
  return Math.ceil(sampleMs / last);
}

const rotated = <Item>(items: readonly Item[], by: number): readonly Item[] => {
  const at = by % Math.max(1, items.length);
  return [...items.slice(at), ...items.slice(0, at)];
};

async function sampleCpu(
  { parallel }: Workload,
  contender: RunningContender,
  repeat: number,
): Promise<number> {
  const before = await cpuMs(contender);
  await contender.read(repeat);
  return ((await cpuMs(contender)) - before) / repeat / parallel;
}

async function cpuMs({ cpuUsage }: RunningContender): Promise<number> {
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
