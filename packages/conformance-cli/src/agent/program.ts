import type { AgentWire, Answer, Received, Wire } from "@fullstop/conformance";
import { finalAnswer } from "@fullstop/conformance/runner";
import { overSockets } from "@fullstop/conformance/server";
import type { RunTraces } from "./evidence.ts";
import { createWorkFolder } from "./folder.ts";
import { type GatewayOptions, type RunningGateway, readyPath, startGateway } from "./gateway.ts";
import { parseJson } from "./json.ts";
import { type ProcessResult, runProcess, withoutProxy } from "./process.ts";

/** A wire that describes how agents speak its protocol. */
export type WireForAgents = Wire & { readonly agent: AgentWire };
export const isForAgents = (wire: Wire): wire is WireForAgents => wire.agent !== undefined;

/** A program, with everything that is the same in each of its runs. */
export interface Program {
  readonly command: readonly string[];
  readonly wires: readonly WireForAgents[];
  readonly timeoutMs: number;
  /** Stands between the program and the model. */
  readonly through?: GatewayOptions | undefined;
  /** Ends the run. */
  readonly signal?: AbortSignal | undefined;
}
/** What differs between runs. */
interface RunSetup {
  /** Ends the run when enough was seen of it. */
  readonly enough?: AbortSignal | undefined;
  /** The files in the folder of the run. */
  readonly files: Readonly<Record<string, string>>;
  /**
   * Answers request `index` of those that offer tools or hold results. Any other request (a title,
   * a summary) gets a final answer.
   */
  answer(wire: WireForAgents, request: Received, index: number): Answer | Promise<Answer>;
}
/** The traces of a run, how it ended, and the other requests that it made. */
export interface ProgramRun extends RunTraces, ProcessResult {
  readonly otherRequests: ReadonlySet<string>;
}

const encoder = new TextEncoder();
const describeRequest = ({ method, path }: Received): string => `${method} ${path}`;
const answerNotFound = (request: Received): Answer => {
  const message = `This server only plays a model. It has no ${describeRequest(request)}.`;
  const chunks = [encoder.encode(JSON.stringify({ error: { type: "not_found_error", message } }))];
  return { status: 404, headers: { "content-type": "application/json" }, chunks };
};

/**
 * The environment of this process. The variables of the protocols name the server, or the gateway
 * before it, and no real key. Proxies are not used.
 */
export const createEnvironment = (
  program: Pick<Program, "wires">,
  server: string,
): Readonly<Record<string, string | undefined>> => ({
  ...process.env,
  ...Object.assign({}, ...program.wires.map(({ agent }) => agent.env(server))),
  ...withoutProxy,
});

/** Runs the program once, in a fresh folder and against a new server, behind a new gateway. */
export async function runProgram(
  program: Program,
  { files, answer, enough }: RunSetup,
): Promise<ProgramRun> {
  const { command, timeoutMs, signal, through } = program;
  const folder = await createWorkFolder(files);
  const host = await overSockets();
  const requests: Received[] = [];
  const otherRequests = new Set<string>();
  host.answer((request) => {
    const wire = program.wires.find(({ agent }) => agent.route.test(request.path));
    const body = parseJson(request.body);
    const isTurn = wire && wire.agent.tools(body).length + wire.agent.results(body).length > 0;
    if (!isTurn && request.path !== readyPath) otherRequests.add(describeRequest(request));
    if (wire === undefined || request.method !== "POST") return answerNotFound(request);
    if (!isTurn) return finalAnswer(wire, request);
    const index = requests.push(request) - 1;
    return folder.look().then(() => answer(wire, request, index));
  });
  const server = host.endpoint.baseURL ?? "";
  let gateway: RunningGateway | undefined;
  try {
    gateway = through && (await startGateway(through, server, { timeoutMs, signal }));
    const env = { ...createEnvironment(program, gateway?.url ?? server), PWD: folder.path };
    const result = await runProcess({
      command,
      folder: folder.path,
      env,
      timeoutMs,
      signal,
      enough,
    });
    gateway?.assertRunning();
    return { ...result, requests, otherRequests, changes: await folder.changes() };
  } finally {
    await gateway?.stop();
    await host.close();
    await folder.remove();
  }
}
