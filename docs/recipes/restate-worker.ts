// An agent as a Restate workflow: it continues after a crash, and waits for days for an approval.
//   npx @restatedev/restate-server
//   ANTHROPIC_API_KEY=… node restate-worker.ts
//   curl localhost:9070/deployments --json '{"uri": "http://localhost:9080"}'
// Start a run, see what it waits for, decide with the id from there, and wait for the outcome:
//   curl localhost:8080/Refunds/order-7/run/send --json '"Refund order 7, it came broken."'
//   curl -X POST localhost:8080/Refunds/order-7/waitingCalls
//   curl localhost:8080/Refunds/order-7/answer --json '{"decisions": {"call_1": true}}'
//   curl localhost:8080/restate/workflow/Refunds/order-7/attach
import { createServer } from "node:http2";
import { tool } from "@fullstop/loop";
import { anthropic } from "@fullstop/provider-anthropic";
import { agentWorkflow, restateJournal } from "@fullstop/restate";
import { createEndpointHandler } from "@restatedev/restate-sdk";
import { z } from "zod";

const look = tool({
  name: "look",
  description: "Look at an order.",
  inputSchema: z.object({ order: z.int() }),
  execute: ({ order }) => ({ order, cents: 4200 }),
  idempotent: true,
});
const refund = tool({
  name: "refund",
  description: "Refund an order.",
  inputSchema: z.object({ order: z.int(), cents: z.int() }),
  execute: ({ order, cents }) => `Refunded ${cents} cents of order ${order}.`,
  needsApproval: true,
});

/** After SIGTERM another process continues the runs of this one. */
const stop = new AbortController();

const journal = restateJournal({
  ingressUrl: process.env["RESTATE_INGRESS_URL"] ?? "http://localhost:8080",
});
const refunds = agentWorkflow({
  name: "Refunds",
  // A person says what became of a refund that was under way when the process was killed.
  journal: { store: journal, settle: () => "later" },
  agent: (request: string) => ({
    adapter: anthropic("claude-sonnet-5-5"),
    system: "You refund orders that came broken.",
    prompt: request,
    tools: [look, refund],
    signal: stop.signal,
  }),
});

const server = createServer(createEndpointHandler({ services: [refunds, journal.object] }));
server.listen(Number(process.env["PORT"] ?? 9080), "127.0.0.1", () => console.log("Serving."));
process.once("SIGTERM", () => {
  stop.abort();
  setTimeout(() => process.exit(), 1000);
});
