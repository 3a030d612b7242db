import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type ComparedSubject,
  corpusRunsFile,
  readCorpusRuns,
  repeatedCalls,
} from "@tooling/docs/corpus-runs";
import { root, scratch } from "@tooling/publish/process";
import { prepareSystem } from "../prepare.ts";
import type { System } from "../system.ts";
import { compareOnCorpus } from "./compare.ts";

async function* compareSystem(system: System): AsyncGenerator<ComparedSubject> {
  const { title, ways, finalTool } = system;
  const { command } = await prepareSystem(system);
  for (const [way, words] of Object.entries(ways))
    yield await compareOnCorpus(`${title}, ${way}`, [...command, ...words], { finalTool });
}

/** The results of earlier measurements, with the new one in its place. */
function writeRuns(subject: ComparedSubject): void {
  const { subjects = [] } = readCorpusRuns() ?? {};
  const isOther = ({ name }: ComparedSubject): boolean => name !== subject.name;
  const runs = {
    at: new Date().toISOString(),
    subjects: [...subjects.filter(isOther), subject],
  };
  const lines = runs.subjects.map((one) => JSON.stringify(one)).join(",\n");
  const text = `{"at":${JSON.stringify(runs.at)},"subjects":[\n${lines}\n]}\n`;
  writeFileSync(join(root, corpusRunsFile), text);
}

/** Compares each configuration, and writes the results after each. */
export async function measureCorpusRuns(
  asked: readonly System[],
  writeReport: () => void,
): Promise<void> {
  process.env["TMPDIR"] = scratch("field");
  for (const system of asked)
    try {
      for await (const subject of compareSystem(system)) {
        writeRuns(subject);
        const { name, replies, unchanged, skipped } = subject;
        process.stderr.write(
          `${name}: ${replies.length} replies, ${unchanged} leave unchanged, ${skipped} skipped\n`,
        );
      }
    } catch (thrown) {
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      process.stderr.write(`${system.title}: not compared: ${reason}\n`);
    }
  writeReport();
  const repeated = repeatedCalls(readCorpusRuns() ?? { subjects: [] });
  const result = ["Run more than once behind the gateway:", ...repeated].join("\n");
  process.stdout.write(
    repeated.length === 0 ? "No call ran more than once behind the gateway.\n" : `${result}\n`,
  );
}
