// The process whose heap is measured. Its argument is the URL of the server.
import { setTimeout } from "node:timers/promises";
import { readTurn, type Turn } from "@fullstop/core";
import type { Memory } from "./memory.ts";
import { apiKey } from "./wire.ts";
import { wires } from "./wires/index.ts";
import { charactersOf, workloads } from "./workloads.ts";

const url = process.argv[2] ?? "";
const large = workloads.find(({ name }) => name === "8m");
const many = 1000;
const warmUps = 5;

function alive(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const read = (workload: string, onPreview?: () => void): Promise<Turn> =>
  readTurn(
    wires.anthropic.adapter({ baseURL: `${url}/anthropic/${workload}`, apiKey }),
    { messages: [{ role: "user", content: "Go." }] },
    { onPreview },
  );

async function readMany(): Promise<number> {
  const turns = await Promise.all(Array.from({ length: many }, () => read("parallel")));
  if (turns.some(({ stopReason }) => stopReason !== "tool-use"))
    throw new Error("a reply was not read");
  turns.length = 0;
  // Connections and compiled code are given up over some turns of the event loop.
  for (let time = 0; time < 4; time++) {
    alive();
    await setTimeout(20);
  }
  return alive();
}

async function ofOne(): Promise<Pick<Memory, "inputBytes" | "whileReading" | "settled">> {
  const inputBytes = large === undefined ? 0 : charactersOf(large.reply);
  const events = large?.reply.pieces.length ?? 0;
  const before = alive();
  let seen = 0;
  let peak = 0;
  const turn = await read("8m", () => {
    if (++seen % Math.ceil(events / 16) === 0) peak = Math.max(peak, alive());
  });
  const after = alive();
  if (turn.stopReason !== "tool-use") throw new Error(`the gate says ${turn.stopReason}`);
  return {
    inputBytes,
    whileReading: (peak - before) / inputBytes,
    settled: (after - before) / inputBytes,
  };
}

await read("parallel");
const one = await ofOne();
for (let time = 0; time < warmUps; time++) await readMany();
const earlier = await readMany();
const times = 4;
let later = earlier;
for (let time = 0; time < times; time++) later = await readMany();
process.send?.({
  ...one,
  leftPerReply: Math.max(0, later - earlier) / many / times,
} satisfies Memory);
process.exit();
