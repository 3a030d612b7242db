import { once } from "node:events";
import { createServer, type Http2Server, type ServerHttp2Session } from "node:http2";
import { type AgentHandlers, agentWorkflow } from "@fullstop/restate";
import {
  createEndpointHandler,
  type LoggerTransport,
  type WorkflowDefinition,
} from "@restatedev/restate-sdk";
import { connect } from "@restatedev/restate-sdk-clients";
import { type Engine, longestStopMs, type WorkOptions } from "./engine.ts";

/** Where Restate is, and where it finds the workers. */
export interface RestateOptions {
  /** Takes invocations, such as `http://127.0.0.1:8080`. */
  readonly ingressUrl: string;
  /** Takes deployments and queries, such as `http://127.0.0.1:9070`. */
  readonly adminUrl: string;
  /**
   * One address for all workers: Restate calls them. Workers of one machine share its port; in front
   * of several machines stands a load balancer or a name with several addresses.
   */
  readonly workersUrl: string;
  /** The address of the network that a worker listens on. */
  readonly host: string;
}

const name = "runs" as const;
/** What the commands call. */
const workflow: WorkflowDefinition<typeof name, AgentHandlers<void, unknown>> = { name };

/** Restate calls a worker for each run, and again after the worker ended or a person answered. */
export async function restateEngine(options: RestateOptions): Promise<Engine> {
  const ingress = connect({ url: options.ingressUrl });
  const clientOf = (runId: string) => ingress.workflowClient(workflow, runId);
  return {
    start: async (runId) => {
      await clientOf(runId).workflowSubmit();
    },
    answer: async (runId, answers) => {
      await clientOf(runId).answer(answers);
    },
    listQueued: () => listIdleRuns(options),
    work: (work) => serveRuns(work, options),
    close: async () => {},
  };
}

/** The runs that Restate calls no worker for at this moment, although it could. */
async function listIdleRuns({ adminUrl }: RestateOptions): Promise<readonly string[]> {
  const query = `select target_service_key as run from sys_invocation
    where target_service_name = '${name}' and target_handler_name = 'run'
    and status in ('pending', 'ready', 'backing-off')`;
  const { rows } = (await callAdmin(`${adminUrl}/query`, { query })) as {
    readonly rows: readonly { readonly run: string }[];
  };
  return rows.map(({ run }) => run);
}

async function serveRuns(work: WorkOptions, options: RestateOptions): Promise<void> {
  const { journal, createAgent, signal, report, untilIdle } = work;
  const runs = agentWorkflow<typeof name>({
    name,
    journal: { store: journal, settle: () => "later" },
    agent: (_input, { runId }) => ({
      ...createAgent(runId),
      signal,
      onEvent: (event) => report({ type: "event", runId, event }),
    }),
    options: { retryPolicy: { initialInterval: 200, maxInterval: 2000 } },
  });
  const logger = createLogger(signal);
  const handler = createEndpointHandler({ services: [runs], logger });
  const { server, sessions } = await listen(handler, options);
  await callAdmin(`${options.adminUrl}/deployments`, { uri: options.workersUrl });
  report({ type: "ready" });
  if (!signal.aborted) await once(signal, "abort");
  // No new calls are taken. A run that waits for a person keeps its call open, and may be cut.
  server.close();
  for (const session of sessions) session.close();
  await untilIdle(longestStopMs);
  for (const session of sessions) session.destroy();
}

/** Prints errors of the SDK. It also reports the calls that this process cuts at its end. */
const createLogger =
  (signal: AbortSignal): LoggerTransport =>
  ({ level }, ...parts) => {
    // The SDK declares the enum of levels, and does not export it.
    if (String(level) === "error" && !signal.aborted)
      process.stderr.write(`restate: ${parts.map(String).join(" ")}\n`);
  };

interface Listening {
  readonly server: Http2Server;
  readonly sessions: ReadonlySet<ServerHttp2Session>;
}

/** Listens on the port of `workersUrl`, together with the other workers of this machine. */
async function listen(
  handler: ReturnType<typeof createEndpointHandler>,
  { workersUrl, host }: RestateOptions,
): Promise<Listening> {
  const server = createServer(handler);
  const sessions = new Set<ServerHttp2Session>();
  server.on("session", (session) => {
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen({ port: Number(new URL(workersUrl).port), host, reusePort: true }, resolve);
  await promise;
  return { server, sessions };
}

async function callAdmin(url: string, body: object): Promise<unknown> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify(body),
  }).catch((cause: unknown) => {
    throw new Error(`Restate cannot be reached at ${url}. Check --restate-admin.`, { cause });
  });
  if (!answer.ok) throw new Error(`Restate refused ${url}: ${await answer.text()}`);
  return answer.json();
}
