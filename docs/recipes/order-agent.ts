// The agent of an order, for dbos/server.ts and temporal/worker.ts: a tool that may run twice, a tool
// that asks a person, and a tool that may run once only.
import { type RunOptions, type Settle, type ToolContext, tool } from "@fullstop/loop";
import { anthropic } from "@fullstop/provider-anthropic";
import { z } from "zod";

const shop = async (
  path: string,
  body: object,
  { idempotencyKey, signal }: ToolContext,
): Promise<unknown> => {
  const response = await fetch(`https://shop.example/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": idempotencyKey },
    body: JSON.stringify(body),
    signal,
  });
  if (!response.ok) throw new Error(`The shop answered with ${response.status}.`);
  return response.json();
};

const reserve = tool({
  name: "reserve",
  description: "Reserve an article for 24 hours.",
  inputSchema: z.object({ article: z.string() }),
  idempotent: true, // the shop counts an idempotency key once
  execute: (input, context) => shop("reservations", input, context),
});
const charge = tool({
  name: "charge",
  description: "Charge the card of the customer.",
  inputSchema: z.object({ cents: z.int().positive() }),
  needsApproval: ({ cents }) => cents > 10_000,
  execute: (input, context) => shop("charges", input, context),
});
const notify = tool({
  name: "notify",
  description: "Write to the customer.",
  inputSchema: z.object({ message: z.string() }),
  execute: (input, context) => shop("notices", input, context),
});

/** The messages depend on the prompt alone, so that any process can continue the run. */
export const orderAgent = (prompt: string): Omit<RunOptions, "journal" | "waiting" | "signal"> => ({
  adapter: anthropic("claude-sonnet-5-5"),
  tools: [reserve, charge, notify],
  prompt,
  limits: { turns: 20 },
  onEvent: (event) => {
    if (event.type === "tool-result") console.log(`${event.runId}: ${event.call.name} ended`);
    if (event.type === "end") console.log(`${event.runId}: ${event.outcome.status}`);
  },
});

/**
 * Asked about a call that had started when its process ended, and whose result is not known. A
 * message may be lost. A charge is settled by a person, who looks at the account first.
 */
export const settleOrder: Settle = ({ name }) => (name === "notify" ? "unknown" : "later");
