import { clauses, judge, type Subject } from "@fullstop/conformance";
import type { Command } from "commander";
import { quoteWord, withoutMachine } from "../report/machine.ts";
import { CommandError } from "./exit.ts";
import { helpOf } from "./help.ts";
import {
  createJudgeCommand,
  type JudgeCommandOptions,
  judgeAndReport,
  parseCount,
  type SubjectToJudge,
} from "./judging.ts";
import { loadDefaultExport } from "./load-module.ts";
import { type TrafficFolder, withTraffic } from "./traffic.ts";

interface AdapterCommandOptions extends Omit<JudgeCommandOptions, "clauses"> {
  readonly exhaustive?: true;
  readonly sample?: number;
  readonly traffic?: string;
}

export const adapterCommand = (): Command =>
  createJudgeCommand("adapter", clauses)
    .summary("ask the adapters of a module every clause")
    .description(
      "Ask the adapters of a module every clause. No request leaves this process: the suite plays the provider.",
    )
    .argument("<module>", "a module whose default export is a subject, or an array of subjects")
    .option("--exhaustive", "cut every reply at every byte, instead of where readers usually fail")
    .option("--sample <n>", "try at most <n> places of each reply", parseCount)
    .option("--traffic <folder>", "write the requests and responses of each run of a loop")
    .addHelpText("after", helpOf("adapter"))
    .action(async (path: string, options: AdapterCommandOptions) => {
      const subjects = await loadSubjects(path);
      if (options.traffic !== undefined && subjects.every((subject) => "adapter" in subject))
        throw new CommandError("--traffic writes the runs of loops, and the module has no loop.");
      process.exitCode = await withTraffic(options.traffic, (traffic) => {
        const all = subjects.map((subject) =>
          adapterToJudge(subject, path, { ...options, traffic }),
        );
        return judgeAndReport(async () => all, { ...options, clauses });
      });
    });

const nameOf = ({ name, wire }: Subject): string => name ?? wire.name;

const adapterToJudge = (
  subject: Subject,
  path: string,
  {
    exhaustive,
    sample,
    all,
    only: selected,
    traffic,
  }: Omit<AdapterCommandOptions, "traffic"> & { readonly traffic: TrafficFolder | undefined },
): SubjectToJudge => ({
  name: nameOf(subject),
  wire: subject.wire.name,
  command: `npx fullstop conformance adapter ${quoteWord(withoutMachine(path))}${exhaustive ? " --exhaustive" : ""}${selected === undefined ? "" : ` --only ${selected}`}`,
  verdicts: ({ only, signal }) =>
    judge(subject, {
      only,
      exhaustive,
      sample,
      all,
      signal,
      onRun: (script, run) =>
        traffic?.add({ ...script, id: `${nameOf(subject)}/${script.id}` }, run),
    }),
});

export const loadSubjects = (path: string): Promise<readonly Subject[]> =>
  loadDefaultExport(path, { isSubject, form: "export default { wire, adapter }" });

const isSubject = (value: unknown): value is Subject =>
  typeof value === "object" &&
  value !== null &&
  "wire" in value &&
  typeof value.wire === "object" &&
  ["adapter", "loop", "runner"].some((kind) => kind in value);
