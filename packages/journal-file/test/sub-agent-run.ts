import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { fileJournal } from "@fullstop/journal-file";
import {
  type Adapter,
  agentTool,
  jsonSchema,
  type Outcome,
  type RunEvent,
  run,
  type Tool,
} from "@fullstop/loop";
import { mock, type Say } from "@fullstop/provider-mock";
import { type Point, pointed } from "./agent.ts";

const call = (name: string, mark: string) => ({ name, input: { mark } });
/** What each agent says, turn by turn. */
const scripts: Readonly<Record<string, readonly Say[]>> = {
  root: [
    { calls: [call("write", "a"), call("research", "R")] },
    { calls: [call("write", "f")] },
    { text: "Done." },
  ],
  research: [
    { calls: [call("write", "b"), call("put", "c"), call("write", "d")] },
    { calls: [call("deep", "D")] },
    { text: "Found." },
  ],
  deep: [{ calls: [call("write", "e")] }, { text: "Deep." }],
};
/** The key of each call, and what it writes. */
export const marks: Readonly<Record<string, string>> = {
  "r/1/1": "a",
  "r/1/2": "R",
  "r/1/2/1/1": "b",
  "r/1/2/1/2": "c",
  "r/1/2/1/3": "d",
  "r/1/2/2/1": "D",
  "r/1/2/2/1/1/1": "e",
  "r/2/1": "f",
};
/** Requests of all runs together. */
export const replyCount: number = Object.values(scripts).flat().length;

/**
 * Runs or resumes a run with a sub-agent that has a sub-agent. The file `world` lists the requests
 * and the effects of the tools.
 */
export async function liveNested(
  folder: string,
  point: Point = () => {},
  onEvent: (event: RunEvent) => void = () => {},
): Promise<Outcome> {
  const effect = (text: string): void => {
    point();
    appendFileSync(join(folder, "world"), `${text}\n`);
  };
  const adapter = (name: string): Adapter => {
    const says = scripts[name] ?? [];
    const reply: Parameters<typeof mock>[0][number] = ({ messages }) => {
      const turn = messages.filter(({ role }) => role === "assistant").length;
      effect(`ask ${name} ${turn + 1}`);
      return says[turn] ?? "Too far.";
    };
    return mock(says.map(() => reply));
  };
  const inputSchema = jsonSchema({ type: "object" });
  const execute = async ({ mark }: Record<string, unknown>): Promise<string> => {
    effect(`begin ${mark}`);
    await new Promise((resolve) => setImmediate(resolve));
    effect(`end ${mark}`);
    return `wrote ${mark}`;
  };
  const made = (name: string, idempotent = false): Tool => ({
    name,
    description: name,
    inputSchema,
    execute: execute as NonNullable<Tool["execute"]>,
    idempotent,
  });
  const tools = [made("write"), made("put", true)];
  const agent = (name: string, others: readonly Tool[]): Tool =>
    agentTool({
      name,
      description: name,
      inputSchema,
      run: () => ({ adapter: adapter(name), prompt: "Go.", tools: [...tools, ...others] }),
    });
  const file = fileJournal(join(folder, "run.jsonl"));
  return await run({
    adapter: adapter("root"),
    tools: [...tools, agent("research", [agent("deep", [])])],
    prompt: "Go.",
    journal: { store: pointed(file, point), runId: "r" },
    onEvent,
  }).outcome();
}
