// A worker of Temporal that runs agents: they survive crashes and deployments, and wait for days for people.
//   temporal server start-dev
//   DATABASE_URL=postgres://… ANTHROPIC_API_KEY=… node worker.ts
// Start any number of workers. Start a run, see what it asks, answer with the number and the id from there:
//   temporal workflow start --type order --task-queue orders --workflow-id order-7 --input '"A bolt, please."'
//   temporal workflow query --workflow-id order-7 --name question
//   temporal workflow signal --workflow-id order-7 --name answer \
//     --input '{"number": 1, "decisions": {"call_1": true}}'
//   temporal workflow result --workflow-id order-7
//   temporal workflow cancel --workflow-id order-7
import { fileURLToPath } from "node:url";
import { postgresJournal } from "@fullstop/journal-postgres";
import { NativeConnection, Worker } from "@temporalio/worker";
import { Pool } from "pg";
import { orderAgent, settleOrder } from "../order-agent.ts";
import { agentActivity } from "./activity.ts";

const databaseUrl = process.env["DATABASE_URL"];
if (databaseUrl === undefined) throw new Error("Set DATABASE_URL to a PostgreSQL database.");

const pool = new Pool({ connectionString: databaseUrl });
pool.on("error", (error) => console.error(`A connection to the journal ended: ${error.message}`));
const store = postgresJournal(pool, { leaseMs: Number(process.env["LEASE_MS"] ?? 30_000) });

const worker = await Worker.create({
  connection: await NativeConnection.connect({
    address: process.env["TEMPORAL_ADDRESS"] ?? "localhost:7233",
  }),
  taskQueue: "orders",
  workflowsPath: fileURLToPath(import.meta.resolve("./workflow.ts")),
  activities: { runAgent: agentActivity(orderAgent, { store, settle: settleOrder }) },
  // After SIGTERM the runs get this time to end. Then another worker continues them.
  shutdownGraceTime: Number(process.env["GRACE_MS"] ?? 20_000),
});
console.log("Serving.");
await worker.run();
await pool.end();
