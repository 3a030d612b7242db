import { createInterface } from "node:readline/promises";
import { type Approve, run, tool } from "@fullstop/loop";
import { openai } from "@fullstop/provider-openai";
import { z } from "zod";

const pay = tool({
  name: "pay",
  description: "Pay an invoice.",
  inputSchema: z.object({ invoice: z.string(), cents: z.int() }),
  needsApproval: ({ cents }) => cents > 10_000,
  execute: async ({ invoice }) => `Paid ${invoice}.`,
});

const terminal = createInterface({ input: process.stdin, output: process.stdout });
const approve: Approve = async ({ name, input }, { signal }) =>
  (await terminal.question(`${name} ${JSON.stringify(input)}? [y/N] `, { signal })) === "y";

const agent = run({
  adapter: openai("gpt-5.5"),
  tools: [pay],
  approve,
  prompt: "Pay what is due.",
});
console.log(await agent.text());
terminal.close();
