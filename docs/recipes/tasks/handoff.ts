import { run, tool } from "@fullstop/loop";
import { openai } from "@fullstop/provider-openai";
import { z } from "zod";

const refund = tool({
  name: "refund",
  description: "Refund an order.",
  inputSchema: z.object({ order: z.string() }),
  execute: async ({ order }) => `Refunded ${order}.`,
});
const toBilling = tool({
  name: "to_billing",
  description: "Hand the conversation over to the billing agent.",
  inputSchema: z.object({}),
  execute: () => "You are the billing agent now.",
});
const billing = { system: "You are the billing agent.", tools: [refund] };

const agent = run({
  adapter: openai("gpt-5.5"),
  system: "You find out what the customer needs.",
  tools: [toBilling, refund],
  prompt: "I want my money back for order 7.",
  // Called before each turn: from the handover on, it is another agent with the same conversation.
  beforeTurn: ({ messages }) =>
    messages.some(
      ({ role, content }) =>
        role === "tool" && content.some((block) => block.name === "to_billing" && !block.isError),
    )
      ? billing
      : { tools: [toBilling] },
});
console.log(await agent.text());
