import { type Growth, mostGrowth, ratioOf } from "./growth.ts";
import { type Cell, cpu, ratio } from "./measure.ts";
import { peerNames } from "./peers.ts";

/** What `name` may cost, by what `than` costs. */
interface Goal {
  readonly wires: readonly string[];
  readonly workloads: readonly string[];
  readonly name: string;
  readonly than: string;
  readonly most: number;
}

const ownBytes = ["anthropic", "chat", "responses"];
const all = [...ownBytes, "gemini"];
const inputs = ["64k", "256k", "1m", "8m"];

const goals: readonly Goal[] = [
  { wires: ownBytes, workloads: ["256k", "1m"], name: "turn", than: "floor", most: 1.2 },
  { wires: ownBytes, workloads: ["text", "64k"], name: "turn", than: "floor", most: 1.5 },
  { wires: ownBytes, workloads: ["256k"], name: "turn", than: "sdk", most: 1 / 1.8 },
  { wires: ["gemini"], workloads: ["text", ...inputs], name: "turn", than: "sdk", most: 1.15 },
  { wires: ownBytes, workloads: ["256k"], name: "gate", than: "parse", most: 1.25 },
  { wires: ownBytes, workloads: ["text", ...inputs], name: "events", than: "sdk", most: 1 },
  { wires: ["gemini"], workloads: ["text", ...inputs], name: "events", than: "sdk", most: 1.15 },
  { wires: all, workloads: ["text", ...inputs], name: "loop", than: "turn", most: 1.1 },
  ...peerNames.map(
    (than): Goal => ({ wires: all, workloads: ["256k"], name: "turn", than, most: 1 / 10 }),
  ),
];

/** What `larger` may cost of `smaller`, which is so many times as large: a quarter more is linear. */
interface Sizes {
  readonly smaller: string;
  readonly larger: string;
  readonly times: number;
}
const sizes: readonly Sizes[] = [
  { smaller: "64k", larger: "8m", times: 128 },
  { smaller: "history-250", larger: "history", times: 2 },
];

export interface Verdict {
  readonly wire: string;
  readonly workload: string;
  /** For people: what is compared. */
  readonly what: string;
  readonly measured: number;
  readonly most: number;
}

/** Whom the goals compare. */
export const comparedOn = (wire: string, workload: string): readonly string[] =>
  goals.flatMap(({ wires, workloads, name, than }) =>
    wires.includes(wire) && workloads.includes(workload) ? [name, than] : [],
  );

/** What was measured of the goals. */
export function verdictsOf(cells: readonly Cell[], growing: readonly Growth[]): readonly Verdict[] {
  const compared = goals.flatMap(({ wires, workloads, name, than, most }) =>
    cells.flatMap((cell): readonly Verdict[] => {
      const measured =
        wires.includes(cell.wire) && workloads.includes(cell.workload)
          ? ratio(cell, name, than)
          : undefined;
      return measured === undefined
        ? []
        : [{ wire: cell.wire, workload: cell.workload, what: `${name} / ${than}`, measured, most }];
    }),
  );
  return [...compared, ...sizes.flatMap((one) => grown(cells, one)), ...growing.map(doubled)];
}

function grown(cells: readonly Cell[], { smaller, larger, times }: Sizes): readonly Verdict[] {
  return cells.flatMap((cell): readonly Verdict[] => {
    const other = cells.find(({ wire, workload }) => wire === cell.wire && workload === smaller);
    const [small, large] = [other && cpu(other, "turn"), cpu(cell, "turn")];
    if (cell.workload !== larger || small === undefined || large === undefined) return [];
    const what = `turn / turn on ${smaller}, by size`;
    return [
      { wire: cell.wire, workload: larger, what, measured: large / small / times, most: 1.25 },
    ];
  });
}

/** Neither an event nor a turn may cost more because many came before it. */
function doubled(growth: Growth): Verdict {
  const { wire, workload, size } = growth;
  const count = (many: number): string => many.toLocaleString("en");
  return {
    wire,
    workload,
    what: `${count(size)} / ${count(size / 2)}`,
    measured: ratioOf(growth),
    most: mostGrowth,
  };
}

/** What a noisy machine may add. */
export const slack = 1.25;
export const isMissed = ({ measured, most }: Verdict): boolean => measured > most * slack;
