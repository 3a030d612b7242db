import type { Options } from "./options.ts";
import { formatFaulty } from "./report.ts";
import { cores, type RowResult, type ScenarioSummary } from "./results.ts";
import { type StartedRow, withRow } from "./rows.ts";
import { type ScenarioName, scenarios } from "./scenarios/index.ts";
import type { RowName } from "./spec.ts";
import { writeError } from "./write.ts";

/** Disturbs the runs of one row in all ways, and counts. */
export async function measureRow(row: RowName, options: Options): Promise<RowResult> {
  const { seed } = options;
  const result = await withRow(row, "durable", async (started) => {
    const began = performance.now();
    const results: Partial<Record<ScenarioName, ScenarioSummary | null>> = {};
    for (const name of options.scenarios) results[name] = await runScenario(name, started, options);
    const seconds = (performance.now() - began) / 1000;
    return { version: started.version, cores: cores(), seconds, scenarios: results };
  });
  return { row, seed, date: new Date().toISOString().slice(0, 10), ...result };
}

async function runScenario(
  name: ScenarioName,
  row: StartedRow,
  { seed, mode }: Pick<Options, "seed" | "mode">,
): Promise<ScenarioSummary | null> {
  const { scenario, times, quickTimes } = scenarios[name];
  const wanted = mode === "quick" ? quickTimes : times;
  const line = createLine(`${row.place.row}, ${name}`, wanted);
  const measured = await scenario({ row, seed, times: wanted, onProgress: line.show });
  if (measured === undefined) {
    line.end("not applicable");
    return null;
  }
  const { faulty, crashes, ...result } = measured;
  line.end(`${result.times} times, ${result.runs} runs, ${result.kills} workers killed`);
  if (crashes.length > 0)
    writeError(
      `${crashes.length} workers crashed, and were started again. The first: ${crashes[0]}\n`,
    );
  for (const run of faulty)
    writeError(formatFaulty(run, { row: row.place.row, scenario: name, seed }));
  return result;
}

interface ProgressLine {
  readonly show: (done: number) => void;
  readonly end: (text: string) => void;
}
/** One line, which a terminal sees change. */
function createLine(title: string, wanted: number): ProgressLine {
  const began = performance.now();
  return {
    show: (done) => {
      if (process.stderr.isTTY) writeError(`\r\u001b[K${title}: ${done} of ${wanted}`);
    },
    end: (text) => {
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      writeError(`${process.stderr.isTTY ? "\r\u001b[K" : ""}${title}: ${text}, ${seconds} s\n`);
    },
  };
}
