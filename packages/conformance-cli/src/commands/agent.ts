import { availableParallelism } from "node:os";
import {
  clauses,
  type JudgeOptions,
  judge,
  type RunnerSubject,
  textForLoops,
  type Verdict,
} from "@fullstop/conformance";
import { wires } from "@fullstop/conformance/wires";
import { type Command, InvalidArgumentError } from "commander";
import type { GatewayOptions } from "../agent/gateway.ts";
import { agentSubject, defaultTimeouts } from "../agent/subject.ts";
import { describeCommand, quoteWord, withoutMachine } from "../report/machine.ts";
import { type ModelCommandOptions, readModelOptions, toModelArguments } from "./agent-model.ts";
import { findWire, parseWire } from "./agent-wire.ts";
import { CommandError, messageOf, throwCommandError } from "./exit.ts";
import { helpOf } from "./help.ts";
import {
  createJudgeCommand,
  type JudgeCommandOptions,
  judgeAndReport,
  parseCount,
  type SubjectToJudge,
} from "./judging.ts";
import { type TrafficFolder, withTraffic } from "./traffic.ts";

interface AgentCommandOptions extends Omit<JudgeCommandOptions, "clauses">, ModelCommandOptions {
  readonly wire?: string;
  readonly timeout: number;
  readonly startTimeout: number;
  readonly jobs: number;
  readonly through?: string;
  readonly throughPath?: string;
  readonly name?: string;
  readonly traffic?: string;
}

/** The longest time of a Node timer, in seconds. */
const maxSeconds = 2_147_483;
export const parseSeconds = (text: string): number => {
  const number = Number(text);
  if (!(number > 0 && number <= maxSeconds))
    throw new InvalidArgumentError(`It must be a number above 0 and at most ${maxSeconds}.`);
  return number;
};

const parsePath = (text: string): string => {
  if (!/^\/.*[^/]$/.test(text))
    throw new InvalidArgumentError("It must begin with a slash and not end with one, as /model.");
  return text;
};

const loopClauses = clauses.filter(({ loop }) => loop !== undefined).map(textForLoops);

export const agentCommand = (): Command =>
  createJudgeCommand("agent", loopClauses)
    .summary("ask a program that runs tools, in any language")
    .description(
      "Play the model for a program. Check that it runs only the calls that it may run, and what it sends next.",
    )
    .argument("<command...>", "the command that starts the program, after --")
    .option(
      "--wire <name>",
      `its protocol: ${Object.keys(wires).join(", ")}, or a module with a wire; by default detected from its first request`,
      parseWire,
    )
    .option("--tool <name>", "the tool that the model calls; by default one that writes a file")
    .option("--tool-input <file>", "the input of its first call, with canary-1 in it")
    .option("--final-tool <name>", "the tool whose call ends a run; by default a text ends it")
    .option("--final-input <file>", "the input of that call, as JSON")
    .option("--text <file>", "a finished answer, for a program that runs the text of replies")
    .option(
      "--timeout <seconds>",
      "the time limit of one run, from its first request that offers tools",
      parseSeconds,
      defaultTimeouts.run / 1000,
    )
    .option(
      "--start-timeout <seconds>",
      "the time limit until that request",
      parseSeconds,
      defaultTimeouts.start / 1000,
    )
    .option(
      "--through <command>",
      "start a gateway with this line, and give its address to the program",
    )
    .option(
      "--through-path <path>",
      "the path under which the gateway passes requests on",
      parsePath,
    )
    .option("--name <name>", "its name in reports; by default the command")
    .option(
      "--traffic <folder>",
      "write every request, response and output of each run to a new folder",
    )
    .option("--jobs <n>", "how many runs at the same time", parseCount, availableParallelism())
    .addHelpText("after", helpOf("agent"))
    .action(async (command: readonly string[], options: AgentCommandOptions) => {
      process.exitCode = await judgeAgent(command, options);
    });

const judgeAgent = (command: readonly string[], options: AgentCommandOptions): Promise<number> =>
  withTraffic(options.traffic, (traffic) => {
    const prepare = async (signal: AbortSignal): Promise<readonly SubjectToJudge[]> => [
      await prepareAgent(command, options, { traffic, signal }),
    ];
    return judgeAndReport(prepare, { ...options, clauses: loopClauses });
  });

/** Finds out how the program is judged, and says on standard error what was chosen for the user. */
async function prepareAgent(
  command: readonly string[],
  commandOptions: AgentCommandOptions,
  {
    traffic,
    signal,
  }: { readonly traffic: TrafficFolder | undefined; readonly signal: AbortSignal },
): Promise<SubjectToJudge> {
  const { wire, timeout, startTimeout } = commandOptions;
  const subject = await agentSubject(command, {
    ...readModelOptions(commandOptions),
    wire: await findWire(wire),
    timeoutMs: timeout * 1000,
    startTimeoutMs: startTimeout * 1000,
    through: parseGateway(commandOptions),
    signal,
    onPreparation: traffic?.addPreparation,
  }).catch(throwCommandError);
  if (subject.notice !== undefined) process.stderr.write(`fullstop: ${subject.notice}\n`);
  return agentToJudge(subject, { ...commandOptions, command, onRun: traffic?.add });
}

function parseGateway({ through, throughPath }: AgentCommandOptions): GatewayOptions | undefined {
  if (through !== undefined) return { command: through, path: throughPath };
  if (throughPath === undefined) return undefined;
  throw new CommandError("--through-path belongs to a gateway: name its command with --through.");
}

/** The same verdicts. An error becomes a `CommandError` with a hint, printed without a stack. */
async function* withCommandErrors(
  verdicts: AsyncIterable<Verdict>,
  hint: string,
): AsyncGenerator<Verdict> {
  try {
    yield* verdicts;
  } catch (thrown) {
    throw new CommandError(`${messageOf(thrown)}${hint}`);
  }
}

const toolHint = ({ runner, wire }: RunnerSubject): string =>
  wire.agent?.actsOnText
    ? ""
    : ` The model called the tool ${runner.calls[0].name}. If another shows its effect, name it with --tool.`;

const agentToJudge = (
  subject: RunnerSubject,
  commandOptions: AgentCommandOptions &
    Pick<JudgeOptions, "onRun"> & { readonly command: readonly string[] },
): SubjectToJudge => {
  const { command, jobs, wire, through, throughPath, all, name, onRun } = commandOptions;
  const options = [
    ...(wire === undefined ? [] : ["--wire", wire]),
    ...toModelArguments(commandOptions),
    ...(through === undefined ? [] : ["--through", through]),
    ...(throughPath === undefined ? [] : ["--through-path", throughPath]),
  ].map((word) => quoteWord(withoutMachine(word)));
  const line = describeCommand(command);
  return {
    name: name ?? line,
    wire: subject.wire.name,
    command: ["npx fullstop conformance agent", ...options, "--", line].join(" "),
    verdicts: ({ only }) =>
      withCommandErrors(judge(subject, { only, jobs, all, onRun }), toolHint(subject)),
  };
};
