// An answer as an object that a schema describes: node typed-output.ts letter.txt
import { readFile } from "node:fs/promises";
import { explain, readObject } from "@fullstop/core";
import { run } from "@fullstop/loop";
import { anthropic } from "@fullstop/provider-anthropic";
import { z } from "zod";

const Invoice = z.object({
  number: z.string(),
  lines: z.array(z.object({ article: z.string(), cents: z.int() })).min(1),
});
const adapter = anthropic("claude-sonnet-5-5");
const [file = "letter.txt"] = process.argv.slice(2);
const letter = await readFile(file, "utf8");

// In a run: a cut answer is requested again with a larger cap, and one that does not fit is corrected.
const agent = run({
  adapter,
  output: Invoice,
  prompt: `What does this invoice ask for?\n\n${letter}`,
  request: { maxTokens: 1000 },
});
for await (const event of agent) {
  // A preview for a progress bar. Nothing may act on it.
  if (event.type === "output") console.log(`so far: ${Object.keys(event.partial.complete).join()}`);
  if (event.type === "recovery") console.log(`${event.stopReason}: ${event.action}`);
}
const outcome = await agent.outcome();
if (outcome.status === "done") {
  const { number, lines } = outcome.output; // typed by the schema
  console.log(`${number}: ${lines.reduce((sum, { cents }) => sum + cents, 0)} cents`);
} else console.log(`No invoice. ${outcome.summary}`);

// One reply without a loop: what was cut is not repaired, and not given out.
const messages = [{ role: "user" as const, content: `Who sent this letter?\n\n${letter}` }];
const Sender = z.object({ name: z.string(), city: z.string().optional() });
const reply = await readObject(adapter, { messages, maxTokens: 200 }, Sender);
if (reply.status === "done") console.log(`from ${reply.value.name}`);
else if (reply.status === "invalid") console.log(`No sender: ${reply.issues.join("; ")}`);
else console.log(`No sender. ${explain(reply.turn).person}`);
