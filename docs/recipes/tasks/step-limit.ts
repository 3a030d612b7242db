import { run, tool } from "@fullstop/loop";
import { openai } from "@fullstop/provider-openai";
import { z } from "zod";

const roll = tool({
  name: "roll",
  description: "Roll a die.",
  inputSchema: z.object({}),
  polls: true, // the same result again is not a model that repeats itself
  execute: () => 1 + Math.floor(Math.random() * 6),
});

const outcome = await run({
  adapter: openai("gpt-5.5"),
  tools: [roll],
  prompt: "Roll until you have three sixes.",
  limits: { turns: 5, toolCalls: 20, outputTokens: 10_000, deadlineMs: 60_000 },
}).outcome();
if (outcome.status === "limit") console.log(`${outcome.limit}: ${outcome.summary}`);
