// The process whose heap is measured. The argument is the URL of the server.
import { setTimeout } from "node:timers/promises";
import { readTurn, type Turn } from "@fullstop/core";
import type { Memory } from "./memory.ts";
import { apiKey } from "./wire.ts";
import { wires } from "./wires/index.ts";
import { charactersOf, workloads } from "./workloads.ts";

const url = process.argv[2] ?? "";
const largeWorkload = workloads.find(({ name }) => name === "8m");
const parallelReplies = 1000;
const warmUps = 5;

function heapInUse(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const readReply = (workload: string, onPreview?: () => void): Promise<Turn> =>
  readTurn(
    wires.anthropic.adapter({ baseURL: `${url}/anthropic/${workload}`, apiKey }),
    { messages: [{ role: "user", content: "Go." }] },
    { onPreview },
  );

async function readMany(): Promise<number> {
  const turns = await Promise.all(
    Array.from({ length: parallelReplies }, () => readReply("parallel")),
  );
  if (turns.some(({ stopReason }) => stopReason !== "tool-use"))
    throw new Error("A reply has no tool call.");
  turns.length = 0;
  // Connections and compiled code are released after some turns of the event loop.
  for (let time = 0; time < 4; time++) {
    heapInUse();
    await setTimeout(20);
  }
  return heapInUse();
}

async function measureOneReply(): Promise<Pick<Memory, "inputBytes" | "whileReading" | "settled">> {
  const inputBytes = largeWorkload === undefined ? 0 : charactersOf(largeWorkload.reply);
  const events = largeWorkload?.reply.pieces.length ?? 0;
  const before = heapInUse();
  let seen = 0;
  let peak = 0;
  const turn = await readReply("8m", () => {
    if (++seen % Math.ceil(events / 16) === 0) peak = Math.max(peak, heapInUse());
  });
  const after = heapInUse();
  if (turn.stopReason !== "tool-use") throw new Error(`Unexpected stop reason: ${turn.stopReason}`);
  return {
    inputBytes,
    whileReading: (peak - before) / inputBytes,
    settled: (after - before) / inputBytes,
  };
}

await readReply("parallel");
const oneReply = await measureOneReply();
for (let time = 0; time < warmUps; time++) await readMany();
const earlier = await readMany();
const measuredRounds = 4;
let later = earlier;
for (let time = 0; time < measuredRounds; time++) later = await readMany();
process.send?.({
  ...oneReply,
  leftPerReply: Math.max(0, later - earlier) / parallelReplies / measuredRounds,
} satisfies Memory);
process.exit();
