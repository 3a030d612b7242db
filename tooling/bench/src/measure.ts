import { fork } from "node:child_process";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { contenders, type Name, names } from "./contenders.ts";
import { type Workload, workloads } from "./workloads.ts";

export interface Row {
  readonly workload: string;
  readonly bytes: number;
  readonly rounds: number;
  /** Median CPU of this process for one reply, in milliseconds. */
  readonly cpuMs: Readonly<Record<Name, number>>;
  /** What a reply costs with Fullstop, by what it costs without: the median of the rounds, each compared with itself. */
  readonly ratio: { readonly toFloor: number; readonly toSdk: number };
}

const warmUps = 12;

export async function measure(chosen: readonly Workload[], rounds: number): Promise<readonly Row[]> {
  const server = fork(fileURLToPath(new URL("server.ts", import.meta.url)));
  try {
    const [{ port }] = (await once(server, "message")) as [AddressInfo];
    const rows: Row[] = [];
    for (const workload of chosen) rows.push(await row(workload, rounds, `http://127.0.0.1:${port}/${workloads.indexOf(workload)}`));
    return rows;
  } finally {
    server.disconnect();
  }
}

async function row(workload: Workload, rounds: number, baseURL: string): Promise<Row> {
  const samples: Record<Name, number[]> = { floor: [], sdk: [], fullstop: [] };
  for (let round = -warmUps; round < rounds; round++) {
    for (const at of names.keys()) {
      const name = names[(at + round + warmUps) % names.length] ?? "floor";
      const cpu = await sample(name, workload, baseURL);
      if (round >= 0) samples[name].push(cpu);
    }
  }
  const cpuMs = { floor: median(samples.floor), sdk: median(samples.sdk), fullstop: median(samples.fullstop) };
  const against = (other: readonly number[]): number => median(samples.fullstop.map((cpu, round) => cpu / (other[round] ?? Number.NaN)));
  const ratio = { toFloor: against(samples.floor), toSdk: against(samples.sdk) };
  return { workload: workload.name, bytes: workload.body.length, rounds, cpuMs, ratio };
}

async function sample(name: Name, { characters, repeat }: Workload, baseURL: string): Promise<number> {
  const before = process.cpuUsage();
  for (let time = 0; time < repeat; time++) {
    const found = await contenders[name](baseURL);
    if (found !== characters) throw new Error(`${name} found ${found} of ${characters} characters`);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / repeat;
}

const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return ((sorted[middle] ?? Number.NaN) + (sorted[sorted.length % 2 === 0 ? middle - 1 : middle] ?? Number.NaN)) / 2;
};
