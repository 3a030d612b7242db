import { run } from "@fullstop/loop";
import { mock } from "@fullstop/provider-mock";
import { record } from "../src/index.ts";
import { toolNamed } from "./recorded-tools.ts";

/** Runs until its process is killed in a tool. It never closes its recorder. */
const hang = toolNamed("hang", () => {
  process.stdout.write("in the tool\n");
  return new Promise(() => {});
});
// Keeps the process alive, and ends it if the test does not.
setTimeout(() => process.exit(3), 30_000);
await run({
  adapter: mock([{ text: "I begin.", calls: [{ name: "hang", id: "call_1", input: {} }] }]),
  tools: [hang],
  prompt: "Go.",
  onEvent: record(String(process.argv[2])),
}).outcome();
