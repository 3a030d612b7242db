import { run, tool } from "@fullstop/loop";
import { openai } from "@fullstop/provider-openai";
import { z } from "zod";

const weather = tool({
  name: "weather",
  description: "The weather in a city.",
  inputSchema: z.object({ city: z.string() }),
  execute: async ({ city }) => ({ city, celsius: 4 }),
});

const agent = run({
  adapter: openai("gpt-5.5"),
  system: "Answer in one sentence.",
  tools: [weather],
  prompt: "Do I need a coat in Oslo?",
});
console.log(await agent.text());
