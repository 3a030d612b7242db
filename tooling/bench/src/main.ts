import { comparedOn, isMissed, slack, verdictsOf } from "./goals.ts";
import type { Cell } from "./measure.ts";
import { measureMemory, memoryVerdicts } from "./memory.ts";
import { help, type Options, optionsOf } from "./options.ts";
import { loadPeers } from "./peers.ts";
import { judged, markdown, type Result, table, toJson, writeReadme } from "./report.ts";
import { measureAll, type Plan, withServer } from "./session.ts";
import { workloads } from "./workloads.ts";

const tell = (line: string): void => void process.stderr.write(`${line}\n`);
const say = (text: string): void => void process.stdout.write(text);

const options = optionsOf(process.argv.slice(2));
if (options === "help") say(help);
else if ("wrong" in options) {
  tell(`${options.wrong}\nSee pnpm bench --help.`);
  process.exitCode = 2;
} else await bench(options);

async function bench(asked: Options): Promise<void> {
  const first = await measured(asked);
  const missed = verdictsOf(first).filter(isMissed);
  const cells = asked.check && missed.length > 0 ? await measured(narrowed(asked, missed)) : first;
  const memory = asked.memory ? await withServer(measureMemory) : undefined;
  const verdicts = [...verdictsOf(cells), ...(memory ? memoryVerdicts(memory) : [])];
  await print(asked, { cells, verdicts, memory });
  if (!asked.check || !verdicts.some(isMissed)) return;
  tell(`A measurement was more than ${slack} times its goal, twice in a row.`);
  process.exitCode = 1;
}

/** Only what missed its goal is measured once more: the first time may have been a bad moment. */
function narrowed(asked: Options, missed: readonly Pick<Cell, "wire" | "workload">[]): Options {
  const wires = asked.wires.filter((name) => missed.some(({ wire }) => wire === name));
  return { ...asked, wires, workloads: asked.workloads.filter((name) => missed.some(({ workload }) => workload === name)) };
}

async function measured({ wires, workloads: names, contenders, rounds, peers, check }: Options): Promise<readonly Cell[]> {
  const others = peers ? await loadPeers(tell) : () => ({});
  const chosen = workloads.filter(({ name }) => names.includes(name));
  const wanted: Plan["contenders"] = (wire, workload) =>
    check ? contenders.filter((name) => comparedOn(wire, workload).includes(name)) : contenders;
  return measureAll({ wires, workloads: chosen, contenders: wanted, rounds, peers: others }, tell);
}

async function print({ print: how, write }: Options, { cells, verdicts, memory }: Result): Promise<void> {
  if (write) await writeReadme(markdown(cells, memory));
  if (how === "json") say(`${JSON.stringify(toJson({ cells, verdicts, memory }), null, 2)}\n`);
  else if (how === "markdown") say(`${markdown(cells, memory)}\n`);
  else say(`${table(cells)}\n${judged(verdicts)}`);
}
