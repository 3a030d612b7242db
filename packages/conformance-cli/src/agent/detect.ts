import { sep } from "node:path";
import type { Answer, OfferedTool, Received, ReplyCall } from "@fullstop/conformance";
import { finalAnswer, tryParseJson, type WireForAgents } from "@fullstop/conformance/runner";
import { noEffects } from "./evidence.ts";
import { createFinalCall, createTextCall } from "./input.ts";
import type { ProcessResult } from "./process.ts";
import { type PreparationObserver, type Program, type ProgramRun, runProgram } from "./program.ts";
import { chooseTool, describeChoice, findTool, listTools, type ToolChoice } from "./tool.ts";

/** What the model does in a run. */
export interface ModelOptions {
  readonly tool: ToolChoice;
  /** The tool whose call ends a run. */
  readonly finalTool?: ToolChoice | undefined;
  /** The text of a finished answer, for an agent that runs it. */
  readonly text?: string | undefined;
  /** Called after the run, also if it failed. */
  readonly onPreparation?: PreparationObserver | undefined;
}
export interface DetectedProgram {
  /** Its protocol, with the call that ends a run. */
  readonly wire: WireForAgents;
  readonly calls: readonly [ReplyCall, ReplyCall, ReplyCall];
  /** A call with a long input. Absent if the tool takes none. */
  readonly longCall?: ReplyCall | undefined;
  /** A sentence about a choice that the user did not make. */
  readonly notice?: string;
  /** The top-level names of the files that it writes without a call. */
  readonly ownFiles: ReadonlySet<string>;
}
type Plan = Omit<DetectedProgram, "ownFiles">;

const listOutput = (output: string): string =>
  output === "" ? " It printed nothing." : ` It printed: ${output.trim()}`;

/** Sentences about how a run ended and what it printed. */
export function describeEnd({ output, timeout, exitCode }: ProcessResult): string {
  const exit =
    exitCode === undefined ? " It was ended by a signal." : ` It ended with exit code ${exitCode}.`;
  return `${timeout === undefined ? exit : ` It ${timeout}.`}${listOutput(output)}`;
}

/**
 * The file, or the folder of a file, in the folder of the run. What a program creates without a
 * call is ignored as a whole, because names in it may differ between runs.
 */
export const topLevelName = (file: string): string => file.split(sep)[0] ?? file;

/** The wire, with the call of `--final-tool` as the model's last turn. */
function withFinalCall(
  wire: WireForAgents,
  tools: readonly OfferedTool[],
  finalTool: ToolChoice | undefined,
): WireForAgents {
  if (finalTool?.name === undefined) return wire;
  const tool = findTool(tools, finalTool.name);
  if (tool === undefined)
    throw new Error(
      `The agent offers no tool named "${finalTool.name}", which --final-tool names. It offers ${listTools(tools)}.`,
    );
  const finalCall = createFinalCall(tool, finalTool.input);
  return { ...wire, agent: { ...wire.agent, finalCall } };
}

/** Decides from the first request what the model does in all runs. */
function planRuns(
  wire: WireForAgents,
  request: Received,
  { tool, finalTool, text }: ModelOptions,
): Plan {
  if (text !== undefined) {
    const call = (number: number): ReplyCall => createTextCall(text, number);
    return { wire, calls: [call(1), call(2), call(3)] };
  }
  const tools = wire.agent.tools(tryParseJson(request.body));
  const chosen = chooseTool(tools, tool);
  return {
    wire: withFinalCall(wire, tools, finalTool),
    calls: chosen.calls,
    longCall: chosen.longCall,
    ...(tool.name === undefined && { notice: describeChoice(chosen, tools) }),
  };
}

/** Many clients do not read the address from the environment, such as the adapters of Fullstop. */
const addressAdvice =
  "If its client does not read the address from the environment, pass it in code, such as `baseURL: process.env.ANTHROPIC_BASE_URL`.";

function whyNothingDetected({ wires }: Program, run: ProgramRun): string {
  const known = wires.map(({ name }) => name).join(", ");
  const others = [...run.otherRequests].join(", ");
  const what = wires.some(({ agent }) => agent.actsOnText) ? "" : " that offers tools";
  const more = others === "" ? addressAdvice : `It requested ${others}.`;
  return `The agent made no request${what} in any of the protocols ${known}. ${more}${describeEnd(run)}`;
}

/**
 * Detects protocol, tool and own files of a program in a run without a call.
 * @throws Error if it cannot be judged so. The message names the option that settles it.
 */
export async function detectProgram(
  program: Program,
  options: ModelOptions,
): Promise<DetectedProgram> {
  const impossible = new AbortController();
  const { signal } = program;
  let plan: Plan | undefined;
  const answer = (wire: WireForAgents, request: Received): Answer => {
    try {
      plan ??= planRuns(wire, request, options);
    } catch (thrown) {
      impossible.abort(thrown);
    }
    return finalAnswer(plan?.wire ?? wire, request);
  };
  const signals = [impossible.signal, ...(signal === undefined ? [] : [signal])];
  const run = await runProgram(
    { ...program, signal: AbortSignal.any(signals) },
    {
      files: {},
      answer,
      onTraffic: (traffic) =>
        options.onPreparation?.("detection", { effects: noEffects, requests: [], traffic }),
    },
  );
  if (plan === undefined) throw new Error(whyNothingDetected(program, run));
  return { ...plan, ownFiles: new Set([...run.changes.keys()].map(topLevelName)) };
}
