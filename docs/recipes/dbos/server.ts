// Runs that survive crashes and deployments, on DBOS and PostgreSQL, with approvals that take days.
// DATABASE_URL=postgres://… PORT=8080 node server.ts
//   POST   /orders/<id>          what the customer wants, as the body; the same id starts one run only
//   GET    /orders/<id>          the status, and the question that the run asks
//   POST   /orders/<id>/answers  { topic, decisions?, results?, settlements?, inputs? }
//   DELETE /orders/<id>          cancels the run
// Start any number of these processes. A run that one of them leaves continues in the next one that starts.
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { DBOS } from "@dbos-inc/dbos-sdk";
import { postgresJournal } from "@fullstop/journal-postgres";
import { Pool } from "pg";
import { z } from "zod";
import { orderAgent, settleOrder } from "../order-agent.ts";
import { type Answers, type Question, registerAgent, stopRuns } from "./durable-run.ts";

const databaseUrl = process.env["DATABASE_URL"];
if (databaseUrl === undefined) throw new Error("Set DATABASE_URL to a PostgreSQL database.");

const pool = new Pool({ connectionString: databaseUrl });
pool.on("error", (error) => console.error(`A connection to the journal ended: ${error.message}`));
const store = postgresJournal(pool, { leaseMs: Number(process.env["LEASE_MS"] ?? 30_000) });

const order = registerAgent("order", orderAgent, { store, settle: settleOrder });

/**
 * DBOS continues a workflow only in a process with the same `applicationVersion`. By default this is
 * a hash of the source of the workflows. The journal finds steps by key, so prompts and tools may
 * change while runs are open. Change this version only with the steps of the workflow itself.
 */
DBOS.setConfig({
  name: "orders",
  systemDatabaseUrl: databaseUrl,
  applicationVersion: process.env["WORKFLOW_VERSION"] ?? "1",
  logLevel: "warn",
});
await DBOS.launch();

const decision = z.union([
  z.boolean(),
  z.strictObject({ allow: z.record(z.string(), z.unknown()) }),
  z.strictObject({ deny: z.string() }),
]);
const settlement = z.union([
  z.strictObject({ result: z.string() }),
  z.enum(["did-not-happen", "unknown"]),
]);
const answerSchema = z.strictObject({
  topic: z.string(),
  decisions: z.record(z.string(), decision).optional(),
  results: z.record(z.string(), z.string()).optional(),
  settlements: z.record(z.string(), settlement).optional(),
  inputs: z.record(z.string(), z.unknown()).optional(),
});

interface Reply {
  readonly status: number;
  readonly body: object;
}
type Handler = (id: string, request: IncomingMessage) => Promise<Reply>;

const begin: Handler = async (id, request) => {
  await DBOS.startWorkflow(order, { workflowID: id })(await text(request));
  return { status: 202, body: { id } };
};

/** What the run asks now. DBOS queues a workflow that it recovers. */
async function questionOf(id: string, status: string | undefined): Promise<Question | null> {
  if (status !== "PENDING" && status !== "ENQUEUED") return null;
  return DBOS.getEvent<Question>(id, "question", { timeoutSeconds: 0 });
}

const show: Handler = async (id) => {
  const workflow = await DBOS.getWorkflowStatus(id);
  if (workflow === null) return { status: 404, body: { error: `The order "${id}" is unknown.` } };
  const { status, output } = workflow;
  return { status: 200, body: { status, output, question: await questionOf(id, status) } };
};

const parseJson = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
};

/** The first answer to a question counts: a second click sends nothing. */
const answer: Handler = async (id, request) => {
  const parsed = answerSchema.safeParse(parseJson(await text(request)));
  if (!parsed.success) return { status: 400, body: { error: z.prettifyError(parsed.error) } };
  const { topic, ...answers } = parsed.data;
  const question = await questionOf(id, (await DBOS.getWorkflowStatus(id))?.status);
  if (question?.topic !== topic)
    return { status: 409, body: { error: "The order does not ask this any more.", question } };
  await DBOS.send<Answers>(id, answers, topic, `${id}/${topic}`);
  return { status: 202, body: { id } };
};

const cancel: Handler = async (id) => {
  await DBOS.cancelWorkflow(id);
  return { status: 202, body: { id } };
};

const routes: Readonly<Record<string, Handler>> = {
  "POST /orders/*": begin,
  "GET /orders/*": show,
  "POST /orders/*/answers": answer,
  "DELETE /orders/*": cancel,
};

async function handle(request: IncomingMessage): Promise<Reply> {
  const [, collection = "", id = "", ...rest] = (request.url ?? "").split("/");
  const route = routes[`${request.method} /${[collection, "*", ...rest].join("/")}`];
  if (route === undefined || !/^[\w-]{1,64}$/.test(id))
    return { status: 404, body: { error: "This address is unknown." } };
  return route(id, request);
}

const server = createServer((request, response) => {
  const replied = handle(request).catch((error: unknown): Reply => {
    console.error(error);
    return { status: 500, body: { error: "It did not work. The log says why." } };
  });
  void replied.then(({ status, body }) => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
});
server.listen(Number(process.env["PORT"] ?? 8080), "127.0.0.1");
await once(server, "listening");
const address = server.address();
console.log(`port ${typeof address === "object" ? address?.port : address}`);

process.once("SIGTERM", async () => {
  server.close();
  await stopRuns(Number(process.env["GRACE_MS"] ?? 20_000));
  await DBOS.shutdown();
  await pool.end();
  process.exit();
});
