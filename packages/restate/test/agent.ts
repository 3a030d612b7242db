import { appendFileSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type Approve,
  jsonSchema,
  type RunOptions,
  type Tool,
  type ToolContext,
} from "@fullstop/loop";
import { mock } from "@fullstop/provider-mock";
import type { AgentContext } from "@fullstop/restate";

/**
 * What the test says about a run. Its tools write into the file `world` of the folder, and the run
 * writes which results are recorded.
 */
export interface Task {
  readonly folder: string;
  /** The tools that the first turn calls, side by side. */
  readonly calls: readonly ToolName[];
  /** `pay` needs a decision. */
  readonly asks?: true;
  /** Options that `run` refuses. */
  readonly refused?: true;
  /** The first reply is larger than a step of the journal. */
  readonly floods?: true;
}

/** `charge` and `slow` may not be repeated. They end when the file `go` exists, `put` too. */
export type ToolName = "quick" | "charge" | "put" | "slow" | "pay" | "locate";

const execute = (name: ToolName, folder: string) => {
  const note = (word: string): void =>
    appendFileSync(join(folder, "world"), `${word} ${name} ${process.pid}\n`);
  return async (_input: unknown, { signal }: ToolContext): Promise<string> => {
    note("begin");
    const isQuick = name === "quick" || name === "pay";
    while (!isQuick && !existsSync(join(folder, "go"))) {
      if (signal.aborted) note("abort");
      signal.throwIfAborted();
      await sleep(10);
    }
    note("end");
    return `did ${name}`;
  };
};

const toolOf = (name: ToolName, folder: string): Tool => ({
  name,
  description: name,
  inputSchema: jsonSchema({ type: "object" }),
  ...(name !== "locate" && { execute: execute(name, folder) }),
  ...(name === "put" && { idempotent: true }),
});

/** An agent that calls its tools once, and then says what it got. */
export function agentFor(
  { folder, calls, asks, refused, floods }: Task,
  _context: AgentContext,
): Omit<RunOptions, "journal" | "waiting"> {
  const approve: Approve = ({ name }) => (name === "pay" ? "later" : true);
  const answer: Parameters<typeof mock>[0][number] = ({ messages }) => {
    if (floods) return "a".repeat(9_000_000);
    if (messages.length === 1) return { calls: calls.map((name) => ({ name, input: {} })) };
    writeFileSync(join(folder, "messages.json"), JSON.stringify(messages));
    return "Done.";
  };
  return {
    adapter: mock([answer, answer]),
    prompt: "Go.",
    tools: calls.map((name) => toolOf(name, folder)),
    onEvent: (event) => {
      if (event.type === "tool-result" && event.ran)
        appendFileSync(join(folder, "world"), `result ${event.call.name} ${process.pid}\n`);
    },
    ...(asks && { approve }),
    ...(refused && { limits: { turns: 0 } }),
  };
}
