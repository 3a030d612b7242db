import { constants } from "node:os";
import { help, type Options, parseOptions } from "./options.ts";
import type { ProtocolName } from "./protocols.ts";
import { formatCounterexample, formatDoubts, formatSummary } from "./report.ts";
import { fuzz, type Tally } from "./run.ts";

const writeOut = (text: string): void => void process.stdout.write(text);
const writeError = (text: string): void => void process.stderr.write(text);

// The reader of the output may close the pipe.
process.stdout.on("error", () => process.exit());

const options = parseOptions(process.argv.slice(2));
if (options === "help") writeOut(help);
else if ("wrong" in options) {
  writeError(`${options.wrong}\nSee pnpm fuzz --help.\n`);
  process.exitCode = 2;
} else process.exitCode = await runProtocols(options);

async function runProtocols({ protocols, doubts: listed, ...asked }: Options): Promise<number> {
  let failed = 0;
  for (const protocol of protocols) {
    const progress = createProgress(protocol, asked);
    const result = await fuzz({ protocol, ...asked }, progress.watch);
    progress.stop();
    writeOut(formatSummary(protocol, result));
    if (listed) writeOut(formatDoubts(result.tally));
    if (result.counterexample === undefined) continue;
    writeOut(`\n${formatCounterexample(protocol, result.counterexample)}\n`);
    failed++;
  }
  return failed > 0 ? 1 : 0;
}

interface Progress {
  readonly watch: (tally: Tally) => void;
  stop(): void;
}

/** A progress line on a terminal. A signal prints the progress before it ends the process. */
function createProgress(
  protocol: ProtocolName,
  { runs, seed }: Pick<Options, "runs" | "seed">,
): Progress {
  let seen: Tally | undefined;
  let next = 0;
  const line = (): string => `${protocol}: ${seen?.replies ?? 0} of ${runs}, seed ${seed}`;
  const clear = (): void => {
    if (process.stderr.isTTY) writeError("\r\u001b[K");
  };
  const stopped = (signal: "SIGINT" | "SIGTERM"): never => {
    clear();
    writeError(`Stopped at ${line()}.\n`);
    process.exit(128 + constants.signals[signal]);
  };
  process.on("SIGINT", stopped).on("SIGTERM", stopped);
  if (!process.stderr.isTTY) writeError(`${protocol}: ${runs} replies, seed ${seed}\n`);
  return {
    watch(tally) {
      seen = tally;
      if (!process.stderr.isTTY || performance.now() < next) return;
      next = performance.now() + 250;
      writeError(`\r${line()}`);
    },
    stop() {
      clear();
      process.off("SIGINT", stopped).off("SIGTERM", stopped);
    },
  };
}
