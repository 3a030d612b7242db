import type {
  Answer,
  Exchange,
  ObservedRun,
  Opening,
  Received,
  RequestHandler,
  Wire,
} from "@fullstop/conformance";
import {
  createReplyIds,
  finalAnswer,
  jsonAnswer,
  notFound,
  tryParseJson,
  type WireForAgents,
} from "@fullstop/conformance/runner";
import { overSockets } from "@fullstop/conformance/server";
import type { RunTraces } from "./evidence.ts";
import { createWorkFolder } from "./folder.ts";
import { type GatewayOptions, type RunningGateway, readyPath, startGateway } from "./gateway.ts";
import { type ProcessResult, runProcess, withoutProxy } from "./process.ts";

const describeRequest = ({ method, path }: Received): string => `${method} ${path}`;

const answerNotFound = (request: Received): Answer =>
  notFound(`This server only plays a model. It has no ${describeRequest(request)}.`);

const modelsPath = /\/models(?:\/(?<name>.+))?$/;

/** Answers a request for models in the vendor's form. `undefined` if it is another request. */
function answerModels(wires: readonly WireForAgents[], request: Received): Answer | undefined {
  const asked = request.method === "GET" ? modelsPath.exec(request.path) : null;
  if (asked === null) return undefined;
  const known = wires.flatMap(({ agent }) => agent.models ?? []);
  const models = known.find((one) => one.isAsked(request)) ?? known[0];
  const name = asked.groups?.["name"];
  if (models === undefined) return undefined;
  const found = name === undefined ? models.list() : models.one(decodeURIComponent(name));
  return jsonAnswer(JSON.stringify(found));
}

/** What identifies the conversation of a request. */
type Identity = ReturnType<typeof readIdentity>;
/** Whether a request belongs to the conversation that is judged, and not to one beside it. */
type IsJudged = (wire: WireForAgents, body: unknown, text: string) => boolean;

/**
 * How much of the instructions is compared. A date or a reminder may change what follows; another
 * agent begins with other words.
 */
const comparedChars = 60;
/** In the ids of all calls that the model makes. */
const callIds = "call_canary_";

const beginningOf = ({ opening }: Identity): string => opening.system.slice(0, comparedChars);
function readIdentity({ agent }: WireForAgents, body: unknown) {
  const opening: Opening = agent.opening?.(body) ?? { system: "", firstMessage: "" };
  const tools = agent.tools(body).map(({ name }) => name);
  return { opening, tools: tools.toSorted().join() };
}

/**
 * A conversation goes on with the same first message or with a call that the model made in it, if
 * its instructions or its tools stay the same. If its history was replaced, both must be the same.
 * A request without a first message adds to a history that the provider keeps.
 */
function goesOn(first: Identity, next: Identity, text: string): boolean {
  const { firstMessage } = next.opening;
  if (firstMessage === "") return true;
  const sameAgent = beginningOf(first) === beginningOf(next);
  const sameTools = first.tools === next.tools;
  const sameHistory = firstMessage === first.opening.firstMessage || text.includes(callIds);
  return sameHistory ? sameAgent || sameTools : sameAgent && sameTools;
}

/** The first request that is asked about begins the conversation. */
function createJudgedConversation(): IsJudged {
  let first: Identity | undefined;
  return (wire, body, text) => {
    const next = readIdentity(wire, body);
    first ??= next;
    return first === next || goesOn(first, next, text);
  };
}

/** In the ids of all replies to requests that are not judged. */
const label = "aside";

/** The requests of a run that are not judged: a title, a summary, a conversation in the background. */
interface Asides {
  answer(wire: WireForAgents, request: Received): Answer;
  /** Whether a request goes on from a reply to one of them. */
  includes(wire: WireForAgents, body: unknown): boolean;
}

/** Answers them with replies whose ids no judged reply has. */
function createAsides(): Asides {
  const idsOf = new Map<WireForAgents, ReturnType<typeof createReplyIds>>();
  return {
    answer: (wire, request) => {
      const giveIds = idsOf.get(wire) ?? createReplyIds(wire, label);
      idsOf.set(wire, giveIds);
      return giveIds(finalAnswer(wire, request));
    },
    includes: ({ agent }, body) => agent.held?.previousReply(body)?.includes(`_${label}_`) === true,
  };
}

/** Looks at a run before the first question: without a call, or with a complete one. */
export type PreparationObserver = (name: "detection" | "evidence", run: ObservedRun) => void;

/** The same handler. Each request and its answer is kept in `traffic`, at its index. */
const recordTraffic =
  (handler: RequestHandler, traffic: Exchange[]): RequestHandler =>
  async (request, index) => {
    const given = await handler(request, index);
    const answer = { ...given, chunks: [...given.chunks] };
    traffic[index] = { request, answer };
    return answer;
  };

export const isForAgents = (wire: Wire): wire is WireForAgents => wire.agent !== undefined;

/** A program, with everything that is the same in each of its runs. */
export interface Program {
  readonly command: readonly string[];
  readonly name: string;
  readonly wires: readonly WireForAgents[];
  /** The time limit of a run, from the first request that is judged. */
  readonly timeoutMs: number;
  /** The time limit until that request. */
  readonly startTimeoutMs: number;
  /** Stands between the program and the model. */
  readonly through?: GatewayOptions | undefined;
  readonly signal?: AbortSignal | undefined;
}
interface RunSetup {
  /** Ends the run when enough was seen of it. */
  readonly enough?: AbortSignal | undefined;
  readonly files: Readonly<Record<string, string>>;
  /**
   * Answers request `index` of the judged conversation. Any other request (a title, a summary, a
   * conversation in the background) gets a final answer.
   */
  answer(wire: WireForAgents, request: Received, index: number): Answer | Promise<Answer>;
  /** Called with every request and its answer when the run ends, also if it fails. */
  readonly onTraffic?: ((traffic: readonly Exchange[]) => void) | undefined;
}
/** The traces of a run, how it ended, and the other requests that it made. */
export interface ProgramRun extends RunTraces, ProcessResult {
  readonly otherRequests: ReadonlySet<string>;
  /** Every request and its answer, also those that are not judged. */
  readonly traffic: readonly Exchange[];
}

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

/** What answers the requests of a run, and what it has seen. */
function createModel({ wires }: Program, answer: RunSetup["answer"]) {
  /** The requests of the judged conversation. `begun` resolves with the first. */
  const requests: Received[] = [];
  const otherRequests = new Set<string>();
  const begun = Promise.withResolvers<void>();
  const isJudged = createJudgedConversation();
  const asides = createAsides();
  const respond = (request: Received): Answer | Promise<Answer> => {
    const wire = wires.find(({ agent }) => agent.route.test(request.path));
    if (wire === undefined || request.method !== "POST") {
      if (request.path !== readyPath) otherRequests.add(describeRequest(request));
      return answerModels(wires, request) ?? answerNotFound(request);
    }
    const body = tryParseJson(request.body);
    if (!isTurn(wire, body) || !isJudged(wire, body, request.body) || asides.includes(wire, body)) {
      otherRequests.add(describeRequest(request));
      return asides.answer(wire, request);
    }
    begun.resolve();
    requests.push(request);
    return answer(wire, request, requests.length - 1);
  };
  return { requests, otherRequests, begun: begun.promise, respond };
}

/** Whether a request is part of the work: it offers tools, holds results or goes on from a reply. */
const isTurn = ({ agent }: WireForAgents, body: unknown): boolean =>
  agent.actsOnText === true ||
  agent.tools(body).length + agent.results(body).length > 0 ||
  agent.held?.previousReply(body) !== undefined;

/** Runs the program once, in a fresh folder and against a new server, behind a new gateway. */
export async function runProgram(
  program: Program,
  { files, answer, enough, onTraffic }: RunSetup,
): Promise<ProgramRun> {
  const { command, name, timeoutMs, startTimeoutMs, signal, through } = program;
  const folder = await createWorkFolder(files);
  const host = await overSockets();
  const { requests, otherRequests, begun, respond } = createModel(
    program,
    async (wire, request, index) => {
      await folder.look();
      return answer(wire, request, index);
    },
  );
  const answered: Exchange[] = [];
  /** A request that was not answered has left a hole. */
  const listTraffic = (): readonly Exchange[] => answered.filter(() => true);
  host.answer(recordTraffic(respond, answered));
  const server = host.endpoint.baseURL ?? "";
  let gateway: RunningGateway | undefined;
  try {
    gateway = through && (await startGateway(through, server, { timeoutMs, signal }));
    const env = { ...createEnvironment(program, gateway?.url ?? server), PWD: folder.path };
    const start = { command, name, folder: folder.path, ownsFolder: true, env };
    const limits = { begun, timeoutMs, startTimeoutMs, signal, enough };
    const result = await runProcess({ ...start, ...limits });
    gateway?.assertRunning();
    const output = result.output.replaceAll(folder.path, "{folder}");
    const changes = await folder.changes();
    const traffic = listTraffic();
    return { ...result, output, requests, otherRequests, traffic, changes };
  } finally {
    onTraffic?.(listTraffic());
    await gateway?.stop();
    await host.close();
    await folder.remove();
  }
}
