import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expectedFiles } from "fullstop/demo";
import { expect } from "vitest";
import type { LogLine, WorkerProcess } from "./processes.ts";
import type { Team } from "./team.ts";

/** The call that a person decides about. */
export const publish = "toolu_demo_10_1";
/** The calls of the task, each once. */
export const allCalls: readonly string[] = "1_1 1_2 3_1 5_1 7_1 8_1 8_2 8_3 9_1 10_1"
  .split(" ")
  .map((name) => `toolu_demo_${name}`);

/** Whether a line says that the run ended with this status. */
export const hasEnded =
  (runId: string, status: string) =>
  (line: LogLine): boolean =>
    line.type === "end" && line.runId === runId && line["status"] === status;

/** The ids of the calls that these workers started, in order. */
export const startedCalls = (...workers: readonly WorkerProcess[]): readonly string[] =>
  workers.flatMap(({ lines }) =>
    lines.flatMap(({ type, call }) => (type === "tool-call" && call !== undefined ? [call] : [])),
  );

/** The page is as the customer wants it in the folder that the subscribers see, and they heard once. */
export function expectPublished({ site, publications }: Team, runId: string): void {
  for (const [path, content] of expectedFiles)
    if (path !== "README.md")
      // the demo writes it in another run
      expect(readFileSync(join(site, "public", runId, path), "utf8")).toBe(content);
  expect(publications(runId)).toHaveLength(1);
}

/** A reply of the model that waits. */
interface HeldReply {
  /** Resolves when a worker asks for it. */
  readonly asked: Promise<void>;
  /** Lets it go, and the same reply to another worker. */
  readonly release: () => void;
}

/** Holds the reply at this position of the script. */
export function holdReply(team: Team, held: number): HeldReply {
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  team.hold = (position) => {
    if (position !== held) return undefined;
    asked.resolve();
    return released.promise;
  };
  return { asked: asked.promise, release: released.resolve };
}
