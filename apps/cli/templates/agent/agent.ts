// An agent with one tool. A script plays the model, so it runs without a key.
import { run, tool } from "@fullstop/loop";
import { mock } from "@fullstop/provider-mock";
import { z } from "zod";

const weather = tool({
  name: "weather",
  description: "The weather in a city.",
  inputSchema: z.object({ city: z.string() }),
  execute: ({ city }) => {
    console.log(`weather runs for ${city}`);
    return { city, celsius: 4 };
  },
});

// The first reply is cut at the output cap. Its call does not run, and the loop asks again.
const model = mock([
  { calls: [{ name: "weather", inputText: '{"city":"Os' }], stop: "length" },
  { calls: [{ name: "weather", input: { city: "Oslo" } }] },
  "4 °C in Oslo: take a coat.",
]);

// A real model: `npm install @fullstop/provider-anthropic`, and `adapter: anthropic("claude-sonnet-5-5")`.
const outcome = await run({
  adapter: model,
  tools: [weather],
  prompt: "Do I need a coat in Oslo?",
}).outcome();

console.log(outcome.text);
console.log(outcome.summary);
