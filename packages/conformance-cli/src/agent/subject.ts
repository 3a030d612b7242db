import { existsSync, statSync } from "node:fs";
import { resolve, sep } from "node:path";
import type {
  OfferedTool,
  ReplyCall,
  RequestHandler,
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
import { wires } from "@fullstop/conformance/wires";
import { findAnsweredCall, findEvidence, type RunTraces } from "./evidence.ts";
import type { GatewayOptions } from "./gateway.ts";
import { createCall, filesToRead, hasMark } from "./input.ts";
import { parseJson } from "./json.ts";
import type { ProcessResult } from "./process.ts";
import { isForAgents, type Program, runProgram, type WireForAgents } from "./program.ts";

/** How a program is judged. */
export interface AgentOptions {
  /** The protocol that it speaks; by default it is detected from the first request. */
  readonly wire?: Wire | undefined;
  /** The name of the tool that the model calls; by default the first tool that takes a text. */
  readonly tool?: string | undefined;
  /**
   * The time limit of one run, in milliseconds; 30,000 by default. A gateway has the same time to
   * answer for the first time.
   */
  readonly timeoutMs?: number | undefined;
  /** A gateway between the program and the model. Each run has a new one. */
  readonly through?: GatewayOptions | undefined;
  /** Ends the runs. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes an argument absolute if it names a file, because the program starts in another folder. A
 * program without a slash is looked up in `PATH`, and an argument without a slash that is also the
 * name of a folder, such as `.`, stays as it is.
 */
function toAbsolute(argument: string, index: number): string {
  if (!existsSync(argument)) return argument;
  const isPath = argument.includes("/") || (index > 0 && statSync(argument).isFile());
  return isPath ? resolve(argument) : argument;
}

const listTools = (tools: readonly OfferedTool[]): string =>
  tools.map(({ name }) => name).join(", ");

function chooseTool(tools: readonly OfferedTool[], name: string | undefined): OfferedTool {
  const tool = tools.find((offered) =>
    name === undefined ? hasMark(createCall(offered, 1)) : offered.name === name,
  );
  if (tool !== undefined) return tool;
  if (name !== undefined)
    throw new Error(`The agent offers no tool named "${name}". It offers ${listTools(tools)}.`);
  throw new Error(
    `No tool of the agent takes a text, so its calls cannot be distinguished. It offers ${listTools(tools)}.`,
  );
}

/** Sentences about how a run ended and what it printed. */
const describeEnd = ({ output, timeout }: ProcessResult): string =>
  `${timeout === undefined ? "" : ` It ${timeout}.`}${output === "" ? " It printed nothing." : ` It printed: ${output}`}`;

/**
 * The file, or the folder of a file, in the folder of the run. What a program creates without a
 * call is ignored as a whole, because names in it may differ between runs.
 */
const topLevelName = (file: string): string => file.split(sep)[0] ?? file;

/** What was detected about a program. */
interface DetectedProgram {
  readonly wire: WireForAgents;
  readonly tool: OfferedTool;
  /** The top-level names of the files that it writes without a call. */
  readonly ownFiles: ReadonlySet<string>;
}

/** Detects protocol, tool and own files of a program in a run without a call. */
async function detectProgram(
  program: Program,
  toolName: string | undefined,
): Promise<DetectedProgram> {
  let first: { readonly wire: WireForAgents; readonly tools: readonly OfferedTool[] } | undefined;
  const traces = await runProgram(program, {
    files: {},
    answer: (wire, request) => {
      first ??= { wire, tools: wire.agent.tools(parseJson(request.body)) };
      return finalAnswer(wire, request);
    },
  });
  if (first === undefined) {
    const known = program.wires.map(({ name }) => name).join(", ");
    const others = [...traces.otherRequests].join(", ");
    throw new Error(
      `The agent made no request that offers tools in any of the protocols ${known}.${others === "" ? "" : ` It requested ${others}.`}${describeEnd(traces)}`,
    );
  }
  return {
    wire: first.wire,
    tool: chooseTool(first.tools, toolName),
    ownFiles: new Set([...traces.changes.keys()].map(topLevelName)),
  };
}

/**
 * Makes a program a subject. Each check starts it again, in a fresh folder and against a new server
 * on the loopback.
 */
export async function agentSubject(
  command: readonly string[],
  options: AgentOptions = {},
): Promise<RunnerSubject> {
  const { wire: givenWire, tool: toolName, timeoutMs = 30_000, signal, through } = options;
  const known = (givenWire === undefined ? Object.values(wires) : [givenWire]).filter(isForAgents);
  if (known.length === 0)
    throw new Error(
      `The wire ${givenWire?.name} has no "agent", so agents cannot be judged by it.`,
    );
  const program: Program = {
    command: command.map(toAbsolute),
    wires: known,
    timeoutMs,
    signal,
    through,
  };
  const { wire, tool, ownFiles } = await detectProgram(program, toolName);
  const calls: readonly [ReplyCall, ReplyCall] = [createCall(tool, 1), createCall(tool, 2)];
  const run = async (
    answer: RequestHandler,
    enough?: AbortSignal,
  ): Promise<RunTraces & ProcessResult> => {
    const traces = await runProgram(program, {
      files: filesToRead(calls[0]),
      enough,
      answer: (_, request, index) => answer(request, index),
    });
    return {
      ...traces,
      changes: new Map([...traces.changes].filter(([file]) => !ownFiles.has(topLevelName(file)))),
    };
  };
  const first = await run(answersWithOneCall(wire, calls));
  const evidence = findEvidence(calls, wire.agent, first);
  if (evidence === undefined)
    throw new Error(
      `The agent cannot be judged: a complete call of ${describeCall(calls[0])} changed no file and gave no result.${describeEnd(first)}`,
    );
  const runner: Runner = {
    calls,
    results: ({ body }) =>
      wire.agent
        .results(parseJson(body))
        .map((result, position) =>
          describeCall(
            findAnsweredCall(calls, result, position) ?? { name: result.call, input: {} },
          ),
        ),
    whyNotCounted: evidence.whyNotCounted,
    run: async (answer, enough): Promise<ObservedRun> => {
      const { changes, requests, timeout, output } = await run(answer, enough);
      const effects = evidence.findEffects({ changes, requests });
      return { effects, requests, output, ...(timeout !== undefined && { timeout }) };
    },
  };
  return { name: command.join(" "), wire, runner };
}
