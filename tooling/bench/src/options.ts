import { parseArgs } from "node:util";
import { formatRows, type Parsed, parsed, parseInteger, parseNames } from "@tooling/test/options";
import { contenderDescriptions } from "./contenders.ts";
import { growingDescriptions } from "./growing.ts";
import { peerDescriptions } from "./peers.ts";
import { benchTables, type SpeedTable } from "./report.ts";
import { type WireName, wires } from "./wires/index.ts";
import { workloadDescriptions } from "./workloads.ts";

export interface Options {
  readonly wires: readonly WireName[];
  readonly workloads: readonly string[];
  readonly contenders: readonly string[];
  readonly rounds: number;
  readonly peers: boolean;
  readonly memory: boolean;
  readonly "first-byte": boolean;
  readonly journals: boolean;
  readonly import: boolean;
  readonly check: boolean;
  /** Measures and writes every table that compares with other projects. */
  readonly publish: boolean;
  readonly print: "table" | "json" | "markdown";
  /** Writes the table to docs/speed.md. */
  readonly write: boolean;
  /** Which of its tables. */
  readonly table: SpeedTable;
}

const optionSpec = {
  workload: { type: "string" },
  wire: { type: "string" },
  contender: { type: "string" },
  rounds: { type: "string" },
  peers: { type: "boolean", default: false },
  memory: { type: "boolean", default: false },
  "first-byte": { type: "boolean", default: false },
  journals: { type: "boolean", default: false },
  import: { type: "boolean", default: false },
  check: { type: "boolean", default: false },
  publish: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
  markdown: { type: "boolean", default: false },
  write: { type: "boolean", default: false },
  table: { type: "string", default: "bench" },
  help: { type: "boolean", short: "h", default: false },
} as const;
const checkedWorkloads = [
  "text",
  "64k",
  "256k",
  "short",
  "live",
  "live-4k",
  ...Object.keys(growingDescriptions),
].join();
const defaults = {
  measured: { workload: "text,64k,256k,1m", rounds: "15" },
  checked: { workload: checkedWorkloads, rounds: "9" },
};

export const help = `pnpm bench [options]

Measures the CPU time of one reply, from the request to the result of the contender. Each contender, the server and each proxy have a process of their own, on the loopback.
The contenders take turns in each round. A ratio compares the fastest rounds: ratios are reliable on a busy machine, times are not.
Tool input comes in pieces of 16 bytes; with Gemini and Ollama it comes complete.

  --workload a,b    the replies (default: ${defaults.measured.workload})
${formatRows(workloadDescriptions, 12)}
                    and work in the process of the bench, measured also at half its size; a goal limits the cost of twice the size:
${formatRows(growingDescriptions, 12)}
  --wire a,b        protocols: ${Object.keys(wires).join(", ")} (default: all)
  --contender a,b   the readers (default: all except the peers)
${formatRows(contenderDescriptions, 12)}
  --peers           also other libraries, with Anthropic's protocol; installs them into node_modules/.cache the first time
${formatRows(peerDescriptions, 12)}
  --rounds n        the number of rounds (default: ${defaults.measured.rounds})
  --memory          also the memory of a reply
  --first-byte      only the time to the first text, through the gateway and through a plain proxy
  --journals        only the time of a turn and of a step with each journal, also with PostgreSQL if this machine has it
  --import          builds the packages, and measures only how long an import takes, as a ratio to the vendor's SDK
  --check           fails if a ratio exceeds 1.25 times its goal, or 1.25 times what goals.ts has for a goal that is missed, in three consecutive runs: ${defaults.checked.workload} in ${defaults.checked.rounds} rounds
  --json            prints all results as JSON
  --markdown        prints the table of docs/speed.md
  --write           writes that table, or that of --import, to docs/speed.md, if each release of another project in it is the newest
  --publish         measures each table of docs/speed.md that names other projects, and writes it; takes about ten minutes, and needs a machine that does nothing else
  --table name      which table of docs/speed.md --write writes: ${benchTables.join(", ")} (default: bench)
  --help            this

Exit codes: 0 measured, and with --check within the goals; 1 a goal is exceeded, or nothing was written; 2 an invalid option.

  pnpm bench --wire anthropic --workload 256k --contender floor,sdk,turn
  pnpm bench --peers --workload 256k --wire anthropic
`;

/** Options as they were typed, or a sentence on what is wrong with them. */
export const parseOptions = (args: readonly string[]): Parsed<Options> =>
  parsed(() => {
    const { values } = parseArgs({ args: [...args], options: optionSpec });
    if (values.help) return "help";
    const { json, markdown, help: _, ...flags } = values;
    const [table = "bench"] = parseNames("table", flags.table, benchTables);
    const { workload, rounds } = flags.check ? defaults.checked : defaults.measured;
    return {
      ...flags,
      wires: parseNames("wire", flags.wire, Object.keys(wires) as WireName[]),
      workloads: parseNames(
        "workload",
        flags.workload ?? workload,
        Object.keys({ ...workloadDescriptions, ...growingDescriptions }),
      ),
      contenders: parseNames(
        "contender",
        flags.contender,
        Object.keys(
          flags.peers ? { ...contenderDescriptions, ...peerDescriptions } : contenderDescriptions,
        ),
      ),
      rounds: parseInteger("rounds", flags.rounds ?? rounds, 1),
      table,
      print: formatOf({ json, markdown: markdown || flags.write }),
    };
  });

function formatOf({ json, markdown }: { json: boolean; markdown: boolean }): Options["print"] {
  if (json) return "json";
  return markdown ? "markdown" : "table";
}
