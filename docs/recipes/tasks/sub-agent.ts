import { agentTool, run } from "@fullstop/loop";
import { openai } from "@fullstop/provider-openai";
import { z } from "zod";

const translate = agentTool({
  name: "translate",
  description: "Translate a text.",
  inputSchema: z.object({ text: z.string(), language: z.string() }),
  run: ({ text, language }) => ({
    adapter: openai("gpt-5.5-mini"),
    system: `Translate into ${language}. Answer with the translation only.`,
    prompt: text,
  }),
});

const agent = run({
  adapter: openai("gpt-5.5"),
  tools: [translate],
  prompt: "Greet the world in Norwegian.",
});
console.log(await agent.text());
