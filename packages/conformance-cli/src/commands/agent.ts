import { availableParallelism } from "node:os";
import {
  clauses,
  judge,
  type RunnerSubject,
  textForLoops,
  type Verdict,
} from "@fullstop/conformance";
import { wires } from "@fullstop/conformance/wires";
import { type Command, InvalidArgumentError, Option } from "commander";
import { type GatewayOptions, readyPath } from "../agent/gateway.ts";
import { agentSubject } from "../agent/subject.ts";
import { CommandError, throwCommandError } from "./exit.ts";
import { createJudgeCommand, type JudgeCommandOptions, parseCount } from "./judge-command.ts";
import { judgeAndReport, type SubjectToJudge } from "./judging.ts";

interface AgentCommandOptions extends Omit<JudgeCommandOptions, "clauses"> {
  readonly wire?: keyof typeof wires;
  readonly tool?: string;
  readonly timeout: number;
  readonly jobs: number;
  readonly through?: string;
  readonly throughPath?: string;
}

const agentHelp = `
The program:
  Any program, in any language. It is started about thirty times, each time in a fresh folder,
  against a server on the loopback that plays the model. It must work without asking questions,
  send its requests to the server that these variables name, and end when the model is done:

  ANTHROPIC_BASE_URL      Anthropic's SDKs; the AI SDK (@ai-sdk/anthropic)
  OPENAI_BASE_URL         OpenAI's SDKs and Agents; LangChain; the AI SDK (@ai-sdk/openai)
  OPENAI_API_BASE         LiteLLM; older LangChain
  GOOGLE_GEMINI_BASE_URL  Google's Gen AI SDKs

  with ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY, GOOGLE_API_KEY and
  GOOGLE_GENERATIVE_AI_API_KEY, which have no real key. It may offer any tools, and the model
  calls one of them. A call ran if it changed files as a complete call does. If a complete call
  changes no file, the call ran if its result is in the next request.

A gateway:
  --through judges the program behind a gateway. The line is started by the shell for each run and
  stays in the foreground. It listens at {port} of 127.0.0.1 and passes requests to {upstream},
  which plays the model. The variables above then name the gateway, with --through-path at the end.
  The program is started when ${readyPath} of the gateway answers, with 404 too.

Examples:
  conformance agent -- node my-agent.js
  conformance agent --wire openai-chat --only stop -- python agent.py
  conformance agent --tool write_file --timeout 120 -- ./my-agent
  conformance agent --through "npx @fullstop/gateway --port {port} --to model={upstream}" \\
    --through-path /model -- node my-agent.js
`;

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

/** The clauses that loops and agents are asked. */
const loopClauses = clauses.filter(({ loop }) => loop !== undefined).map(textForLoops);

/** `conformance agent`: judges a program that runs tool calls. */
export const agentCommand = (): Command =>
  createJudgeCommand("agent", loopClauses)
    .summary("ask a program that runs tools, in any language")
    .description(
      "Play the model for a program. Check that it runs only the calls that it may run, and what it sends next.",
    )
    .argument("<command...>", "the command that starts the program, after --")
    .addOption(
      new Option(
        "--wire <name>",
        "its protocol; by default detected from its first request",
      ).choices(Object.keys(wires)),
    )
    .option(
      "--tool <name>",
      "the tool that the model calls; by default the first that takes a text",
    )
    .option("--timeout <seconds>", "the time limit of one run", parseSeconds, 30)
    .option(
      "--through <command>",
      "start a gateway with this line, and give its address to the program",
    )
    .option(
      "--through-path <path>",
      "the path under which the gateway passes requests on",
      parsePath,
    )
    .option("--jobs <n>", "how many runs at the same time", parseCount, availableParallelism())
    .addHelpText("after", agentHelp)
    .action(async (command: readonly string[], commandOptions: AgentCommandOptions) => {
      const prepare = async (signal: AbortSignal): Promise<readonly SubjectToJudge[]> => {
        const { wire, tool, timeout } = commandOptions;
        const options = {
          wire: wire && wires[wire],
          tool,
          timeoutMs: timeout * 1000,
          through: parseGateway(commandOptions),
          signal,
        };
        return [
          agentToJudge(await agentSubject(command, options).catch(throwCommandError), {
            command,
            ...commandOptions,
          }),
        ];
      };
      process.exitCode = await judgeAndReport(prepare, { ...commandOptions, clauses: loopClauses });
    });

function parseGateway({ through, throughPath }: AgentCommandOptions): GatewayOptions | undefined {
  if (through !== undefined) return { command: through, path: throughPath };
  if (throughPath === undefined) return undefined;
  throw new CommandError("--through-path belongs to a gateway: name its command with --through.");
}

/** The same verdicts. An error becomes a `CommandError`, which is printed without a stack. */
async function* withCommandErrors(verdicts: AsyncIterable<Verdict>): AsyncGenerator<Verdict> {
  try {
    yield* verdicts;
  } catch (thrown) {
    throwCommandError(thrown);
  }
}

const agentToJudge = (
  subject: RunnerSubject,
  {
    command,
    jobs,
    tool,
    wire,
    through,
    throughPath,
    all,
  }: AgentCommandOptions & { command: readonly string[] },
): SubjectToJudge => {
  const options = [
    ...(wire === undefined ? [] : ["--wire", wire]),
    ...(tool === undefined ? [] : ["--tool", tool]),
    ...(through === undefined ? [] : ["--through", JSON.stringify(through)]),
    ...(throughPath === undefined ? [] : ["--through-path", throughPath]),
  ];
  return {
    name: command.join(" "),
    wire: subject.wire.name,
    command: ["npx @fullstop/conformance-cli agent", ...options, "--", ...command].join(" "),
    verdicts: ({ only }) => withCommandErrors(judge(subject, { only, jobs, all })),
  };
};
