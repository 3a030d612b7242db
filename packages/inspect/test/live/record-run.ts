/**
 * Records a run in a file, step by step: before each reply and each tool it waits for a line on
 * standard input. `kill` ends the process as a crash does.
 */
import { createInterface } from "node:readline";
import { jsonSchema, run, tool } from "@fullstop/loop";
import { mock } from "@fullstop/provider-mock";
import { record } from "../../src/index.ts";

const [path = ""] = process.argv.slice(2);
const input = createInterface({ input: process.stdin });
const lines = input[Symbol.asyncIterator]();
/** Says where the run is, and waits. */
const step = async (name: string): Promise<void> => {
  process.stdout.write(`${name}\n`);
  const { value } = await lines.next();
  if (value === "kill") process.kill(process.pid, "SIGKILL");
};

const save = tool({
  name: "save",
  description: "Saves a text.",
  inputSchema: jsonSchema({ type: "object" }),
  execute: async () => {
    await step("tool");
    return "saved";
  },
});
const adapter = mock([
  { text: "I save the first part.", calls: [{ name: "save", id: "c1", input: { part: 1 } }] },
  { calls: [{ name: "save", id: "c2", inputText: '{"part":"the secon' }], stop: "length" },
  { calls: [{ name: "save", id: "c3", input: { part: 2 } }] },
  "Both parts are saved.",
]);
const onEvent = record(path);
const outcome = await run({
  adapter,
  tools: [save],
  prompt: "Save both parts.",
  onEvent,
  beforeTurn: async () => {
    await step("turn");
    return undefined;
  },
  journal: undefined,
}).outcome();
await onEvent.close();
input.close();
process.stdout.write(`${outcome.status}\n`);
