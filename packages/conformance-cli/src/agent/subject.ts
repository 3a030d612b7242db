import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { ReplyCall, RequestHandler, RunnerSubject, Wire } from "@fullstop/conformance";
import {
  answersWithOneCall,
  describeCall,
  forTextAgents,
  type ObservedRun,
  type Runner,
  tryParseJson,
  type WireForAgents,
} from "@fullstop/conformance/runner";
import { wires } from "@fullstop/conformance/wires";
import { describeCommand } from "../report/machine.ts";
import { type DetectedProgram, describeEnd, detectProgram, topLevelName } from "./detect.ts";
import {
  type Calls,
  type Evidence,
  findAnsweredCall,
  findEvidence,
  noEffects,
} from "./evidence.ts";
import type { GatewayOptions } from "./gateway.ts";
import { filesToRead } from "./input.ts";
import type { ProcessResult } from "./process.ts";
import {
  isForAgents,
  type PreparationObserver,
  type Program,
  type ProgramRun,
  runProgram,
} from "./program.ts";

/** How a program is judged. */
export interface AgentOptions {
  /** The protocol that it speaks; by default it is detected from the first request. */
  readonly wire?: Wire | undefined;
  /**
   * The name of the tool that the model calls. By default one that writes a file, otherwise one that
   * runs a command, otherwise one that takes a text.
   */
  readonly tool?: string | undefined;
  /**
   * The input of `tool`: JSON, or the text itself for a tool that takes text. It holds `canary-1`,
   * which becomes `canary-2` for a second call.
   */
  readonly toolInput?: string | undefined;
  /** The name of the tool whose call ends a run; by default a text ends it. */
  readonly finalTool?: string | undefined;
  /** The input of `finalTool`; by default one that fits its schema. */
  readonly finalInput?: string | undefined;
  /** The text of a finished answer, for an agent that offers no tools and runs what a reply says. */
  readonly text?: string | undefined;
  /**
   * The time limit of one run from its first request, in milliseconds; 120,000 by default. A gateway
   * has the same time to answer for the first time.
   */
  readonly timeoutMs?: number | undefined;
  /** The time limit until the first request, in milliseconds; 300,000 by default. */
  readonly startTimeoutMs?: number | undefined;
  /** A gateway between the program and the model. Each run has a new one. */
  readonly through?: GatewayOptions | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called after each run that comes before the first question. */
  readonly onPreparation?: PreparationObserver | undefined;
}

/** A program that can be judged. */
export interface AgentSubject extends RunnerSubject {
  /** A sentence about what was chosen for the user: the tool. */
  readonly notice?: string;
}

/** The time limits of a run by default, in milliseconds. */
export const defaultTimeouts = { run: 120_000, start: 300_000 } as const;

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

/** The protocols that the program may speak. */
function findWires({ wire, text }: AgentOptions): readonly WireForAgents[] {
  const known = (wire === undefined ? Object.values(wires) : [wire]).filter(isForAgents);
  if (known.length === 0)
    throw new Error(`The wire ${wire?.name} has no "agent", so agents cannot be judged by it.`);
  return text === undefined ? known : known.map(forTextAgents);
}

function createAgentProgram(command: readonly string[], options: AgentOptions): Program {
  const { timeoutMs = defaultTimeouts.run, startTimeoutMs = defaultTimeouts.start } = options;
  return {
    command: command.map(toAbsolute),
    name: command[0] ?? "",
    wires: findWires(options),
    timeoutMs,
    startTimeoutMs,
    signal: options.signal,
    through: options.through,
  };
}

/** Runs a program, and leaves out the changes that it makes without a call. */
async function runDetected(
  program: Program,
  { calls, ownFiles }: DetectedProgram,
  answer: RequestHandler,
  enough?: AbortSignal,
): Promise<ProgramRun> {
  const traces = await runProgram(program, {
    files: filesToRead(calls[0]),
    enough,
    answer: (_, request, index) => answer(request, index),
  });
  return {
    ...traces,
    changes: new Map([...traces.changes].filter(([file]) => !ownFiles.has(topLevelName(file)))),
  };
}

/** Why a program cannot be judged whose complete call left nothing behind. */
function whyWithoutEvidence(call: ReplyCall, { agent }: WireForAgents, end: ProcessResult): string {
  if (agent.actsOnText)
    return `The agent cannot be judged: it read the text of --text as a finished answer, and changed no file.${describeEnd(end)}`;
  return `The agent cannot be judged: a complete call of ${describeCall(call)} changed no file and gave no result. If another tool shows its effect, name it with --tool.${describeEnd(end)}`;
}

/** The calls by their numbers: the first has the number 1. */
const allCalls = ({ calls, longCall }: DetectedProgram): Calls =>
  longCall === undefined ? calls : [...calls, longCall];

/** Learns from a run with one complete call how to see that a call ran. */
async function learnEvidence(
  program: Program,
  detected: DetectedProgram,
  onPreparation: PreparationObserver | undefined,
): Promise<Evidence> {
  const { wire, calls } = detected;
  const first = await runDetected(program, detected, answersWithOneCall(wire, calls));
  const evidence = findEvidence(allCalls(detected), wire.agent, first);
  onPreparation?.("evidence", { ...first, effects: evidence?.findEffects(first) ?? noEffects });
  if (evidence === undefined) throw new Error(whyWithoutEvidence(calls[0], wire, first));
  return evidence;
}

function createProgramRunner(
  program: Program,
  detected: DetectedProgram,
  evidence: Evidence,
): Runner {
  const { wire, calls, longCall } = detected;
  return {
    calls,
    ...(longCall && { longCall }),
    results: ({ body }) =>
      wire.agent.results(tryParseJson(body)).map((result, position) =>
        describeCall(
          findAnsweredCall(allCalls(detected), result, position) ?? {
            name: result.call,
            input: {},
          },
        ),
      ),
    whyNotCounted: evidence.whyNotCounted,
    run: async (answer, enough): Promise<ObservedRun> => {
      const run = await runDetected(program, detected, answer, enough);
      const { requests, timeout, output, traffic } = run;
      const effects = evidence.findEffects(run);
      const hasFailed = timeout === undefined && (run.exitCode ?? 0) !== 0;
      return {
        effects,
        requests,
        output,
        traffic,
        ...(timeout !== undefined && { timeout }),
        ...(hasFailed && { exception: true }),
      };
    },
  };
}

/**
 * Makes a program a subject. Each check starts it again, in a fresh folder and against a new server
 * on the loopback.
 * @throws Error if it cannot be judged. The message says why, and what to do.
 */
export async function agentSubject(
  command: readonly string[],
  options: AgentOptions = {},
): Promise<AgentSubject> {
  const { tool, toolInput, finalTool, finalInput, text, onPreparation } = options;
  const program = createAgentProgram(command, options);
  const detected = await detectProgram(program, {
    tool: { name: tool, input: toolInput },
    finalTool: { name: finalTool, input: finalInput },
    text,
    onPreparation,
  });
  const { wire, notice } = detected;
  const evidence = await learnEvidence(program, detected, onPreparation);
  return {
    name: describeCommand(command),
    wire,
    runner: createProgramRunner(program, detected, evidence),
    ...(notice !== undefined && { notice }),
  };
}
