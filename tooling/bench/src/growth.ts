import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { GrowingWorkload, Work } from "./growing.ts";
import type { BenchWire } from "./wire.ts";
import { type WireName, wires } from "./wires/index.ts";

/**
 * The cost at the full and at half the size: the best of some samples, in milliseconds of CPU time
 * of this process.
 */
export interface Growth {
  readonly wire: WireName;
  readonly workload: string;
  readonly size: number;
  readonly half: number;
  readonly whole: number;
  readonly samples: number;
}

/** The highest cost of twice the size. */
export const growthLimit = 2.3;
export const growthRatio = ({ half, whole }: Growth): number => whole / half;

/**
 * Noise makes a sample slower, never faster. So the bench repeats until the best samples meet the
 * goal, up to `mostSamples`.
 */
const fewestSamples = 2;
const mostSamples = 8;
/** CPU time of a sample at half the size, in milliseconds. Shorter work is repeated. */
const growthSampleMs = 40;
/** CPU time of the warm-up, in milliseconds: the first rounds are many times slower. */
const warmUpMs = 150;
/** If a sample is slower than this, one is enough. */
const slowSampleMs = 4000;

/** Calls `report` with a progress line for each measurement. */
export async function measureGrowth(
  names: readonly WireName[],
  workloads: readonly GrowingWorkload[],
  report: (line: string) => void,
): Promise<readonly Growth[]> {
  const found: Growth[] = [];
  for (const wire of names) {
    for (const workload of workloads) {
      const growth = await measureOne(wire, wires[wire], workload);
      if (growth === undefined) continue;
      report(
        `${wire} ${workload.name}: ${growthRatio(growth).toFixed(2)} times for twice the size`,
      );
      found.push(growth);
    }
  }
  return found;
}

async function measureOne(
  wire: WireName,
  bench: BenchWire,
  { name, size, make }: GrowingWorkload,
): Promise<Growth | undefined> {
  const [small, large] = [make(wire, bench, size / 2), make(wire, bench, size)];
  if (small === undefined || large === undefined) return undefined;
  for (let warmed = 0; warmed < warmUpMs; ) warmed += await cpuOf(small, 1);
  const repeat = Math.ceil(growthSampleMs / (await cpuOf(small, 1)));
  let growth: Growth = {
    wire,
    workload: name,
    size,
    half: Number.POSITIVE_INFINITY,
    whole: Number.POSITIVE_INFINITY,
    samples: 0,
  };
  while (!isEnough(growth)) {
    const [half, whole] = [await cpuOf(small, repeat), await cpuOf(large, repeat)];
    growth = {
      ...growth,
      half: Math.min(half, growth.half),
      whole: Math.min(whole, growth.whole),
      samples: growth.samples + 1,
    };
  }
  return growth;
}

function isEnough(growth: Growth): boolean {
  const { samples, whole } = growth;
  return (
    samples >= mostSamples ||
    (samples >= fewestSamples && growthRatio(growth) <= growthLimit) ||
    (samples > 0 && whole > slowSampleMs)
  );
}

/** Collects the garbage of earlier work, so that it does not count. */
function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}

async function cpuOf(work: Work, repeat: number): Promise<number> {
  collectGarbage();
  const before = process.cpuUsage();
  for (let time = 0; time < repeat; time++) await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / repeat;
}
