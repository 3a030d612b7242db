import { type Growth, growthLimit, growthRatio } from "./growth.ts";
import { type Cell, cpu, cpuRatio } from "./measure.ts";
import { type PeerName, peerNames } from "./peers.ts";

/** The highest CPU time of `name`, in multiples of `than`. */
interface Goal {
  readonly wires: readonly string[];
  readonly workloads: readonly string[];
  readonly name: string;
  readonly than: string;
  readonly limit: number;
  /** The value of a goal that is missed. */
  readonly reached?: number | undefined;
}

const byteWires = ["anthropic", "chat", "responses"];
/** The AWS event stream: binary frames with checksums. */
const messageWires = ["bedrock"];
/** Lines of JSON, in which an input is complete. */
const lineWires = ["ollama"];
const allWires = [...byteWires, "gemini"];
const inputWorkloads = ["64k", "256k", "1m", "8m"];
const replies = ["text", ...inputWorkloads];

/** The comment beside it says why it is missed. */
interface Missed {
  readonly limit: number;
  readonly reached: number;
}
const goal = (
  wires: readonly string[],
  workloads: readonly string[],
  [name, than]: readonly [string, string],
  limit: number | Missed,
): Goal => ({
  wires,
  workloads,
  name,
  than,
  ...(typeof limit === "number" ? { limit } : limit),
});

/** Since 1.6 pi does not parse an input anew with each piece: it takes 2.2 times as long. */
const peerGoals: Readonly<Partial<Record<PeerName, Missed>>> = {
  pi: { limit: 1 / 10, reached: 0.45 },
};

const goals: readonly Goal[] = [
  // Half of a turn is `JSON.parse`. A tenth looks for numbers that a double cannot hold, and for keys
  // that the engine misnames. The rest is flat: framing, the decoder, the gate.
  goal(byteWires, ["256k", "1m"], ["turn", "floor"], { limit: 1.4, reached: 1.6 }),
  goal(byteWires, ["text", "64k"], ["turn", "floor"], { limit: 1.5, reached: 1.65 }),
  goal(["chat", "responses"], ["256k"], ["turn", "sdk"], 1 / 1.8),
  // This SDK does little more than the floor. How much more depends on the processor.
  goal(["anthropic"], ["256k"], ["turn", "sdk"], { limit: 1 / 1.4, reached: 0.92 }),
  goal(["gemini"], ["text", "256k", "1m", "8m"], ["turn", "sdk"], 1.15),
  // Such a reply is one event of 2 ms: what a turn costs once is a large part of it.
  goal(["gemini"], ["64k"], ["turn", "sdk"], { limit: 1.15, reached: 1.3 }),
  goal(messageWires, replies, ["turn", "floor"], 1.4),
  goal(messageWires, replies, ["turn", "sdk"], 1 / 2),
  goal(lineWires, ["text"], ["turn", "floor"], 1.8),
  // The input is an object on the wire. A turn has its text, too.
  goal(lineWires, inputWorkloads, ["turn", "floor"], 2.2),
  goal(lineWires, ["text"], ["turn", "sdk"], 1),
  goal(byteWires, ["256k"], ["gate", "parse"], 1.4),
  // Its text is decoded, held, and encoded again.
  goal(byteWires, ["256k"], ["guard", "turn"], { limit: 1.5, reached: 1.6 }),
  // A third of both is the system call that writes. The gateway also decodes each chunk, reads it,
  // and encodes it again.
  goal(byteWires, ["short", "live", "live-4k"], ["gateway", "proxy"], {
    limit: 1.5,
    reached: 1.75,
  }),
  goal(["chat", "responses", ...messageWires], replies, ["events", "sdk"], 1),
  // This SDK does little more than the floor.
  goal(["anthropic"], replies, ["events", "sdk"], { limit: 1, reached: 1.3 }),
  goal(["gemini"], ["text", "256k", "1m", "8m"], ["events", "sdk"], 1.15),
  goal(["gemini"], ["64k"], ["events", "sdk"], { limit: 1.15, reached: 1.4 }),
  goal(byteWires, replies, ["loop", "turn"], 1.1),
  goal(["gemini"], replies, ["loop", "turn"], { limit: 1.1, reached: 1.2 }),
  // The turn of this protocol costs least, so the journal's part is largest.
  goal(["anthropic"], ["text", "64k"], ["sqlite", "call"], 2),
  goal(["anthropic"], ["64k"], ["file", "call"], 2),
  ...peerNames.map((than) => goal(allWires, ["256k"], ["turn", than], peerGoals[than] ?? 1 / 10)),
];

/**
 * `larger` is `times` as large as `smaller`. Up to 1.25 times the proportional cost counts as
 * linear.
 */
interface SizeGoal {
  readonly smaller: string;
  readonly larger: string;
  readonly times: number;
}
const sizeGoals: readonly SizeGoal[] = [
  { smaller: "64k", larger: "8m", times: 128 },
  { smaller: "history-250", larger: "history", times: 2 },
];

export interface Verdict {
  readonly wire: string;
  readonly workload: string;
  /** The two compared values. */
  readonly comparison: string;
  readonly measured: number;
  readonly limit: number;
  readonly reached?: number | undefined;
}

/** The contenders that the goals compare. */
export const comparedOn = (wire: string, workload: string): readonly string[] =>
  goals.flatMap(({ wires, workloads, name, than }) =>
    wires.includes(wire) && workloads.includes(workload) ? [name, than] : [],
  );

/** The measured value of each goal. */
export function verdictsOf(cells: readonly Cell[], growing: readonly Growth[]): readonly Verdict[] {
  const compared = goals.flatMap(({ wires, workloads, name, than, limit, reached }) =>
    cells
      .filter(({ wire, workload }) => wires.includes(wire) && workloads.includes(workload))
      .flatMap((cell) => verdictOf(cell, `${name} / ${than}`, cpuRatio(cell, name, than), limit))
      .map((verdict) => ({ ...verdict, reached })),
  );
  return [
    ...compared,
    ...sizeGoals.flatMap((one) => sizeVerdicts(cells, one)),
    ...growing.map(growthVerdict),
  ];
}

const verdictOf = (
  { wire, workload }: Cell,
  comparison: string,
  measured: number | undefined,
  limit: number,
): readonly Verdict[] =>
  measured === undefined ? [] : [{ wire, workload, comparison, measured, limit }];

const sizeVerdicts = (
  cells: readonly Cell[],
  { smaller, larger, times }: SizeGoal,
): readonly Verdict[] =>
  cells.flatMap((cell) => {
    const other = cells.find(({ wire, workload }) => wire === cell.wire && workload === smaller);
    const [small, large] = [other && cpu(other, "turn"), cpu(cell, "turn")];
    if (cell.workload !== larger || small === undefined || large === undefined) return [];
    return verdictOf(cell, `turn / turn on ${smaller}, by size`, large / small / times, 1.25);
  });

/** The cost of an event or a turn does not depend on how many came before it. */
function growthVerdict(growth: Growth): Verdict {
  const { wire, workload, size } = growth;
  const count = (many: number): string => many.toLocaleString("en");
  return {
    wire,
    workload,
    comparison: `${count(size)} / ${count(size / 2)}`,
    measured: growthRatio(growth),
    limit: growthLimit,
  };
}

/** The tolerance for a noisy machine. */
export const slack = 1.25;
export const isExceeded = ({ measured, limit, reached = limit }: Verdict): boolean =>
  measured > reached * slack;
