import { existsSync, statSync } from "node:fs";
import { resolve, sep } from "node:path";
import type {
  AgentWire,
  Answer,
  Answering,
  OfferedTool,
  Received,
  ReplyCall,
  RunnerSubject,
  Wire,
} from "@fullstop/conformance";
import {
  answersWithOneCall,
  describeCall,
  finalAnswer,
  type ObservedRun,
  type Runner,
} from "@fullstop/conformance/runner";
import { overSockets } from "@fullstop/conformance/server";
import { wires } from "@fullstop/conformance/wires";
import { findAnsweredCall, findEvidence, type RunTraces } from "./evidence.ts";
import { createWorkFolder } from "./folder.ts";
import { createCall, filesToRead, hasMark } from "./input.ts";
import { parseJson } from "./json.ts";
import { type ProcessResult, runProcess } from "./process.ts";

/** How a program is asked. */
export interface AgentOptions {
  /** The protocol that it speaks; found out from its first request unless given. */
  readonly wire?: Wire | undefined;
  /** The tool of its own that it is made to call; the first that takes a text unless given. */
  readonly tool?: string | undefined;
  /** How long one run of it may take; 30,000 unless given. */
  readonly timeoutMs?: number | undefined;
  /** Ends what runs. */
  readonly signal?: AbortSignal | undefined;
}

type WireForAgents = Wire & { readonly agent: AgentWire };
const isForAgents = (wire: Wire): wire is WireForAgents => wire.agent !== undefined;

/** A program, and what is the same in every run of it. */
interface Program {
  readonly command: readonly string[];
  readonly wires: readonly WireForAgents[];
  readonly options: AgentOptions;
}
/** What is other from run to run. */
interface RunSetup {
  readonly files: Readonly<Record<string, string>>;
  /** What the model says to a request that offers tools or holds results; any other (a title, a summary) is told that all is done. */
  answer(wire: WireForAgents, request: Received, n: number): Answer | Promise<Answer>;
}

const encoder = new TextEncoder();
const describeRequest = ({ method, path }: Received): string => `${method} ${path}`;
const answerNotFound = (request: Received): Answer => {
  const message = `This server only plays a model. It has no ${describeRequest(request)}.`;
  const chunks = [encoder.encode(JSON.stringify({ error: { type: "not_found_error", message } }))];
  return { status: 404, headers: { "content-type": "application/json" }, chunks };
};

/** The protocols' own keys are replaced, and proxies passed by. */
const createEnvironment = (
  program: Program,
  server: string,
): Readonly<Record<string, string | undefined>> => ({
  ...process.env,
  ...Object.assign({}, ...program.wires.map(({ agent }) => agent.env(server))),
  NO_PROXY: "127.0.0.1,localhost",
  no_proxy: "127.0.0.1,localhost",
});

/** One run of the program in a fresh folder, against a server of its own. */
async function runOnce(
  program: Program,
  { files, answer }: RunSetup,
): Promise<RunTraces & ProcessResult & { readonly others: ReadonlySet<string> }> {
  const { command, options } = program;
  const folder = await createWorkFolder(files);
  const host = await overSockets();
  const requests: Received[] = [];
  const others = new Set<string>();
  host.answer((request) => {
    const wire = program.wires.find(({ agent }) => agent.route.test(request.path));
    const body = parseJson(request.body);
    const isTurn = wire && wire.agent.tools(body).length + wire.agent.results(body).length > 0;
    if (!isTurn) others.add(describeRequest(request));
    if (wire === undefined || request.method !== "POST") return answerNotFound(request);
    if (!isTurn) return finalAnswer(wire, request);
    requests.push(request);
    return answer(wire, request, requests.length - 1);
  });
  try {
    const { timeoutMs = 30_000, signal } = options;
    const env = { ...createEnvironment(program, host.endpoint.baseURL ?? ""), PWD: folder.path };
    const ended = await runProcess({ command, folder: folder.path, env, timeoutMs, signal });
    return { ...ended, requests, others, changes: await folder.changes() };
  } finally {
    await host.close();
    await folder.remove();
  }
}

/**
 * A program is started in another folder, so its files must be named in full. A bare name of a program is looked up as a shell does,
 * and a bare word that is the name of a folder too, such as `.`, is a word.
 */
function toAbsolute(part: string, n: number): string {
  if (!existsSync(part)) return part;
  return part.includes("/") || (n > 0 && statSync(part).isFile()) ? resolve(part) : part;
}

const listTools = (tools: readonly OfferedTool[]): string => tools.map(({ name }) => name).join(", ");

function chooseTool(tools: readonly OfferedTool[], name: string | undefined): OfferedTool {
  const tool = tools.find((one) =>
    name === undefined ? hasMark(createCall(one, 1)) : one.name === name,
  );
  if (tool !== undefined) return tool;
  if (name !== undefined)
    throw new Error(`The agent offers no tool named "${name}". It offers ${listTools(tools)}.`);
  throw new Error(
    `No tool of the agent takes a text, so its calls cannot be told apart. It offers ${listTools(tools)}.`,
  );
}

const describeEnd = ({ output, timeout }: ProcessResult): string =>
  `${timeout === undefined ? "" : ` It ${timeout}.`}${output === "" ? " It printed nothing." : ` It printed: ${output}`}`;

/** What a program writes unasked is its own: a file, or all of a folder, where names may differ from run to run. */
const topLevelName = (file: string): string => file.split(sep)[0] ?? file;

/** What the program is, from a run in which the model asks for nothing. */
async function detectProgram(
  program: Program,
): Promise<{ wire: WireForAgents; tool: OfferedTool; own: ReadonlySet<string> }> {
  let met: { readonly wire: WireForAgents; readonly tools: readonly OfferedTool[] } | undefined;
  const traces = await runOnce(program, {
    files: {},
    answer: (wire, request) => {
      met ??= { wire, tools: wire.agent.tools(parseJson(request.body)) };
      return finalAnswer(wire, request);
    },
  });
  if (met === undefined) {
    const known = program.wires.map(({ name }) => name).join(", ");
    const others =
      traces.others.size === 0 ? "" : ` It asked for ${[...traces.others].join(", ")}.`;
    throw new Error(
      `The agent made no request that offers tools, in none of the protocols ${known}.${others}${describeEnd(traces)}`,
    );
  }
  return {
    wire: met.wire,
    tool: chooseTool(met.tools, program.options.tool),
    own: new Set([...traces.changes.keys()].map(topLevelName)),
  };
}

/** A program as a subject: started anew for each thing that is tried, in a folder of its own, against a server on the loopback. */
export async function agentSubject(
  command: readonly string[],
  options: AgentOptions = {},
): Promise<RunnerSubject> {
  const spoken = (options.wire === undefined ? Object.values(wires) : [options.wire]).filter(
    isForAgents,
  );
  if (spoken.length === 0)
    throw new Error(`The wire ${options.wire?.name} does not say how agents speak it.`);
  const program: Program = { command: command.map(toAbsolute), wires: spoken, options };
  const { wire, tool, own } = await detectProgram(program);
  const calls: readonly [ReplyCall, ReplyCall] = [createCall(tool, 1), createCall(tool, 2)];
  const run = async (answer: Answering): Promise<RunTraces & ProcessResult> => {
    const traces = await runOnce(program, {
      files: filesToRead(calls[0]),
      answer: (_, request, n) => answer(request, n),
    });
    return {
      ...traces,
      changes: new Map([...traces.changes].filter(([file]) => !own.has(topLevelName(file)))),
    };
  };
  const first = await run(answersWithOneCall(wire, calls));
  const evidence = findEvidence(calls, wire.agent, first);
  if (evidence === undefined)
    throw new Error(
      `The agent cannot be judged: a whole call of ${describeCall(calls[0])} changed no file and gave no result.${describeEnd(first)}`,
    );
  const runner: Runner = {
    calls,
    results: ({ body }) =>
      wire.agent
        .results(parseJson(body))
        .map((result, place) =>
          describeCall(findAnsweredCall(calls, result, place) ?? { name: result.call, input: {} }),
        ),
    run: async (answer): Promise<ObservedRun> => {
      const { changes, requests, ...ended } = await run(answer);
      return { ran: evidence.findCalls({ changes, requests }), requests, ...ended };
    },
  };
  return { name: command.join(" "), wire, runner };
}
