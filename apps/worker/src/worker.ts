import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import type { WorkNews } from "./engines/engine.ts";
import { startModel } from "./model/server.ts";
import type { Setup } from "./setup.ts";
import { createAgent } from "./task.ts";
import { watchLeases } from "./watch-leases.ts";
import { toLogLine } from "./work-log.ts";

/** The options of the command `worker`. */
export interface WorkerOptions {
  readonly concurrency: number;
  readonly site: string;
  readonly model?: string;
  readonly uploadSeconds: number;
  readonly announceSeconds: number;
}

/** Takes runs until a signal ends this process. */
export async function runWorker(
  { concurrency, site: folder, model, ...durations }: WorkerOptions,
  { journal, engine }: Setup,
): Promise<void> {
  const signal = abortOnSignals();
  const site = resolve(folder);
  mkdirSync(site, { recursive: true });
  const played = model === undefined ? await startModel() : undefined;
  const settings = { site, modelUrl: model ?? played?.url ?? "", ...durations };
  try {
    log({ type: "started", site });
    await engine.work({
      ...watchLeases(journal, (runId, { status }) => report({ type: "end", runId, status })),
      createAgent: (runId) => createAgent(runId, settings),
      concurrency,
      signal,
      report,
    });
    log({ type: "ended" });
  } finally {
    await played?.close();
  }
}

/** A deployment sends SIGTERM, a person at a terminal SIGINT. */
function abortOnSignals(): AbortSignal {
  const controller = new AbortController();
  for (const name of ["SIGTERM", "SIGINT"] as const)
    process.on(name, () => controller.abort(new Error(`The worker got ${name}.`)));
  return controller.signal;
}

function report(news: WorkNews): void {
  const line = toLogLine(news);
  if (line !== undefined) log(line);
}

const log = (fields: Readonly<Record<string, unknown>>): void =>
  void process.stdout.write(
    `${JSON.stringify({ at: new Date().toISOString(), worker: process.pid, ...fields })}\n`,
  );
