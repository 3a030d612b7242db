import { comparedOn, isMissed, slack, type Verdict, verdictsOf } from "./goals.ts";
import { growing } from "./growing.ts";
import { measureGrowth } from "./growth.ts";
import { measureMemory, memoryVerdicts } from "./memory.ts";
import { help, type Options, optionsOf } from "./options.ts";
import { loadPeers } from "./peers.ts";
import { judged, markdown, type Result, table, toJson, writeSpeedPage } from "./report.ts";
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
  const missed = verdictsOf(first.cells, first.growths).filter(isMissed);
  const { cells, growths } =
    asked.check && missed.length > 0 ? await measured(narrowed(asked, missed)) : first;
  const memory = asked.memory ? await withServer(measureMemory) : undefined;
  const verdicts = [...verdictsOf(cells, growths), ...(memory ? memoryVerdicts(memory) : [])];
  await print(asked, { cells, growths, verdicts, memory });
  if (!asked.check || !verdicts.some(isMissed)) return;
  tell(`A measurement was more than ${slack} times its goal, twice in a row.`);
  process.exitCode = 1;
}

/** Only what missed its goal is measured once more: the first time may have been a bad moment. */
function narrowed(asked: Options, missed: readonly Pick<Verdict, "wire" | "workload">[]): Options {
  const wires = asked.wires.filter((name) => missed.some(({ wire }) => wire === name));
  return {
    ...asked,
    wires,
    workloads: asked.workloads.filter((name) => missed.some(({ workload }) => workload === name)),
  };
}

type Measured = Pick<Result, "cells" | "growths">;
async function measured({
  wires,
  workloads: names,
  contenders,
  rounds,
  peers,
  check,
}: Options): Promise<Measured> {
  const others = peers ? await loadPeers(tell) : () => ({});
  const chosen = workloads.filter(({ name }) => names.includes(name));
  const wanted: Plan["contenders"] = (wire, workload) =>
    check ? contenders.filter((name) => comparedOn(wire, workload).includes(name)) : contenders;
  const cells =
    chosen.length > 0
      ? await measureAll(
          { wires, workloads: chosen, contenders: wanted, rounds, peers: others },
          tell,
        )
      : [];
  const growths = await measureGrowth(
    wires,
    growing.filter(({ name }) => names.includes(name)),
    tell,
  );
  return { cells, growths };
}

async function print({ print: how, write }: Options, result: Result): Promise<void> {
  const { cells, verdicts, memory } = result;
  if (write) await writeSpeedPage(markdown(cells, memory));
  if (how === "json") say(`${JSON.stringify(toJson(result), null, 2)}\n`);
  else if (how === "markdown") say(`${markdown(cells, memory)}\n`);
  else say(`${cells.length > 0 ? `${table(cells)}\n` : ""}${judged(verdicts)}`);
}
