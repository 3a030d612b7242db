import { availableParallelism } from "node:os";
import { judge, type RunnerSubject, runClauses, type Verdict } from "@fullstop/conformance";
import { wires } from "@fullstop/conformance/wires";
import { type Command, InvalidArgumentError, Option } from "commander";
import { agentSubject } from "../agent/subject.ts";
import { CommandError } from "./exit.ts";
import { type JudgedSubject, judgeAndReport, parseCount, type JudgeCommandOptions, createJudgeCommand } from "./verdicts.ts";

interface AgentCommandOptions extends Omit<JudgeCommandOptions, "clauses"> {
  readonly wire?: keyof typeof wires;
  readonly tool?: string;
  readonly timeout: number;
  readonly jobs: number;
}

const agentHelp = `
The program:
  Any, in any language. It is started some thirty times, each time in a fresh folder, against
  a server on the loopback that plays the model. It must work without questions, send its
  requests where these variables say, and end when the model is done:

  ANTHROPIC_BASE_URL      Anthropic's SDKs; the AI SDK (@ai-sdk/anthropic)
  OPENAI_BASE_URL         OpenAI's SDKs and Agents; LangChain; the AI SDK (@ai-sdk/openai)
  OPENAI_API_BASE         LiteLLM; older LangChain
  GOOGLE_GEMINI_BASE_URL  Google's Gen AI SDKs

  with ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY, GOOGLE_API_KEY and
  GOOGLE_GENERATIVE_AI_API_KEY, none of them a key. It may offer any tools. The model calls
  one of them: a call ran where a file is other than before, else where its result is in the
  next request.

Examples:
  conformance agent -- node my-agent.js
  conformance agent --wire openai-chat --only stop -- python agent.py
  conformance agent --tool write_file --timeout 120 -- ./my-agent
`;

/** What a timer can hold, in seconds. */
const maxSeconds = 2_147_483;
const parseSeconds = (text: string): number => {
  const number = Number(text);
  if (!(number > 0 && number <= maxSeconds))
    throw new InvalidArgumentError(`It must be a number above 0, and ${maxSeconds} at most.`);
  return number;
};

/** `conformance agent`: the clauses for whatever runs calls, on a program. */
export const agentCommand = (): Command =>
  createJudgeCommand("agent", runClauses)
    .summary("ask a program that runs tools, in any language")
    .description(
      "Play the model for a program: did it run a call that it must not, and what did it send next?",
    )
    .argument("<command...>", "what starts it, behind --")
    .addOption(
      new Option(
        "--wire <name>",
        "its protocol; found out from its first request unless given",
      ).choices(Object.keys(wires)),
    )
    .option(
      "--tool <name>",
      "the tool that the model calls; the first that takes a text unless given",
    )
    .option("--timeout <seconds>", "how long one run may take", parseSeconds, 30)
    .option("--jobs <n>", "runs at the same time", parseCount, availableParallelism())
    .addHelpText("after", agentHelp)
    .action(async (command: readonly string[], given: AgentCommandOptions) => {
      const prepare = async (signal: AbortSignal): Promise<readonly JudgedSubject[]> => {
        const { wire, tool, timeout } = given;
        const options = { wire: wire && wires[wire], tool, timeoutMs: timeout * 1000, signal };
        return [toJudgedAgent(await agentSubject(command, options).catch(throwCommandError), { command, ...given })];
      };
      process.exitCode = await judgeAndReport(prepare, { ...given, clauses: runClauses });
    });

function throwCommandError(thrown: unknown): never {
  throw new CommandError(thrown instanceof Error ? thrown.message : String(thrown));
}

/** A program that cannot be judged is told to a person as the others that cannot. */
async function* explained(verdicts: AsyncIterable<Verdict>): AsyncGenerator<Verdict> {
  try {
    yield* verdicts;
  } catch (thrown) {
    throwCommandError(thrown);
  }
}

const toJudgedAgent = (
  subject: RunnerSubject,
  { command, jobs, tool, wire, all }: AgentCommandOptions & { command: readonly string[] },
): JudgedSubject => {
  const options = [
    ...(wire === undefined ? [] : ["--wire", wire]),
    ...(tool === undefined ? [] : ["--tool", tool]),
  ];
  return {
    name: command.join(" "),
    wire: subject.wire.name,
    command: ["npx @fullstop/conformance-cli agent", ...options, "--", ...command].join(" "),
    verdicts: ({ only }) => explained(judge(subject, { only, jobs, all })),
  };
};
