import { run, tool } from "@fullstop/loop";
import { openai } from "@fullstop/provider-openai";
import { z } from "zod";

const stock = tool({
  name: "stock",
  description: "How many pieces of an article are there.",
  inputSchema: z.object({ article: z.string() }),
  timeoutMs: 5000,
  execute: async ({ article }) => {
    throw new Error(`The warehouse does not know ${article}.`); // the model gets it, and can react
  },
});

const outcome = await run({
  adapter: openai("gpt-5.5"),
  tools: [stock],
  prompt: "How many bolts are there?",
  recovery: { requests: 3, maxWaitMs: 10_000 },
}).outcome(); // does not reject
if (outcome.status === "failed") console.log(`${outcome.error.kind}: ${outcome.summary}`);
else console.log(outcome.status === "done" ? outcome.text : `not finished: ${outcome.summary}`);
