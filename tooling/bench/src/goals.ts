import { type Growth, growthLimit, growthRatio } from "./growth.ts";
import { type Cell, cpu, cpuRatio } from "./measure.ts";
import { peerNames } from "./peers.ts";

/** The highest CPU time of `name`, in multiples of `than`. */
interface Goal {
  readonly wires: readonly string[];
  readonly workloads: readonly string[];
  readonly name: string;
  readonly than: string;
  readonly limit: number;
}

const byteWires = ["anthropic", "chat", "responses"];
/** The AWS event stream: binary frames with checksums. */
const messageWires = ["bedrock"];
/** Lines of JSON, in which an input is complete. */
const lineWires = ["ollama"];
const allWires = [...byteWires, "gemini"];
const inputWorkloads = ["64k", "256k", "1m", "8m"];

const goals: readonly Goal[] = [
  { wires: byteWires, workloads: ["256k", "1m"], name: "turn", than: "floor", limit: 1.4 },
  { wires: byteWires, workloads: ["text", "64k"], name: "turn", than: "floor", limit: 1.5 },
  { wires: ["chat", "responses"], workloads: ["256k"], name: "turn", than: "sdk", limit: 1 / 1.8 },
  // This SDK does little more than the floor. How much more depends on the processor.
  { wires: ["anthropic"], workloads: ["256k"], name: "turn", than: "sdk", limit: 1 / 1.4 },
  {
    wires: ["gemini"],
    workloads: ["text", ...inputWorkloads],
    name: "turn",
    than: "sdk",
    limit: 1.15,
  },
  {
    wires: messageWires,
    workloads: ["text", ...inputWorkloads],
    name: "turn",
    than: "floor",
    limit: 1.4,
  },
  {
    wires: messageWires,
    workloads: ["text", ...inputWorkloads],
    name: "turn",
    than: "sdk",
    limit: 1 / 2,
  },
  { wires: lineWires, workloads: ["text"], name: "turn", than: "floor", limit: 1.8 },
  // The input is an object on the wire. A turn has its text, too.
  { wires: lineWires, workloads: inputWorkloads, name: "turn", than: "floor", limit: 2.2 },
  { wires: lineWires, workloads: ["text"], name: "turn", than: "sdk", limit: 1 },
  { wires: byteWires, workloads: ["256k"], name: "gate", than: "parse", limit: 1.4 },
  { wires: byteWires, workloads: ["256k"], name: "guard", than: "turn", limit: 1.5 },
  {
    wires: byteWires,
    workloads: ["short", "live", "live-4k"],
    name: "gateway",
    than: "proxy",
    limit: 1.5,
  },
  {
    wires: [...byteWires, ...messageWires],
    workloads: ["text", ...inputWorkloads],
    name: "events",
    than: "sdk",
    limit: 1,
  },
  {
    wires: ["gemini"],
    workloads: ["text", ...inputWorkloads],
    name: "events",
    than: "sdk",
    limit: 1.15,
  },
  {
    wires: allWires,
    workloads: ["text", ...inputWorkloads],
    name: "loop",
    than: "turn",
    limit: 1.1,
  },
  // The turn of this protocol costs least, so the journal's part is largest.
  { wires: ["anthropic"], workloads: ["text", "64k"], name: "sqlite", than: "call", limit: 2 },
  { wires: ["anthropic"], workloads: ["64k"], name: "file", than: "call", limit: 2 },
  ...peerNames.map(
    (than): Goal => ({ wires: allWires, workloads: ["256k"], name: "turn", than, limit: 1 / 10 }),
  ),
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
}

/** The contenders that the goals compare. */
export const comparedOn = (wire: string, workload: string): readonly string[] =>
  goals.flatMap(({ wires, workloads, name, than }) =>
    wires.includes(wire) && workloads.includes(workload) ? [name, than] : [],
  );

/** The measured value of each goal. */
export function verdictsOf(cells: readonly Cell[], growing: readonly Growth[]): readonly Verdict[] {
  const compared = goals.flatMap(({ wires, workloads, name, than, limit: most }) =>
    cells.flatMap((cell): readonly Verdict[] => {
      const measured =
        wires.includes(cell.wire) && workloads.includes(cell.workload)
          ? cpuRatio(cell, name, than)
          : undefined;
      return measured === undefined
        ? []
        : [
            {
              wire: cell.wire,
              workload: cell.workload,
              comparison: `${name} / ${than}`,
              measured,
              limit: most,
            },
          ];
    }),
  );
  return [
    ...compared,
    ...sizeGoals.flatMap((one) => sizeVerdicts(cells, one)),
    ...growing.map(growthVerdict),
  ];
}

function sizeVerdicts(
  cells: readonly Cell[],
  { smaller, larger, times }: SizeGoal,
): readonly Verdict[] {
  return cells.flatMap((cell): readonly Verdict[] => {
    const other = cells.find(({ wire, workload }) => wire === cell.wire && workload === smaller);
    const [small, large] = [other && cpu(other, "turn"), cpu(cell, "turn")];
    if (cell.workload !== larger || small === undefined || large === undefined) return [];
    const what = `turn / turn on ${smaller}, by size`;
    return [
      {
        wire: cell.wire,
        workload: larger,
        comparison: what,
        measured: large / small / times,
        limit: 1.25,
      },
    ];
  });
}

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
export const isMissed = ({ measured, limit: most }: Verdict): boolean => measured > most * slack;
