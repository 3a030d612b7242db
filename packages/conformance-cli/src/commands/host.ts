import { writeFileSync } from "node:fs";
import { tryParseJson } from "@fullstop/conformance/runner";
import { isFields } from "@fullstop/core/adapter";
import { Command, InvalidArgumentError, Option } from "commander";
import { type ApiName, apis, type Target } from "../host/apis.ts";
import { describeReply, type Reply } from "../host/evidence.ts";
import { jsonReport, learn, type Report, textReport } from "../host/report.ts";
import { type Budget, type Extent, largest, openAccount, runPlan } from "../host/run.ts";
import { CommandError, exitCodes, runInterruptibly, throwCommandError } from "./exit.ts";
import { helpOf } from "./help.ts";
import { parseCount } from "./judging.ts";

interface HostCommandOptions extends Extent {
  readonly model: string;
  readonly api?: ApiName;
  readonly keyEnv?: string;
  readonly budget?: Budget;
  readonly yes?: true;
  readonly params: object;
  readonly json?: string;
}

function parseBudget(text: string): Budget {
  const [, requests, tokens] = /^([1-9]\d*)\/([1-9]\d*)$/.exec(text) ?? [];
  if (requests === undefined)
    throw new InvalidArgumentError("Write requests/output tokens, such as 40/8000.");
  return { requests: Number(requests), tokens: Number(tokens) };
}

function parseParams(text: string): object {
  const value = tryParseJson(text);
  if (isFields(value)) return value;
  throw new InvalidArgumentError('Write a JSON object, such as {"temperature":0}.');
}

function parseUrl(text: string): string {
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return text;
  throw new InvalidArgumentError("Give an address as an SDK takes it: http://127.0.0.1:8080/v1.");
}

export const hostCommand = (): Command =>
  new Command("host")
    .summary("ask a live host, and print the options that an adapter needs for it")
    .description(
      "Ask a live host with many output caps, and print what it calls a cut reply, whether it counts tokens, and the options that an adapter needs for it.",
    )
    .argument("<url>", "the address as an SDK takes it", parseUrl)
    .requiredOption("--model <name>", "the model")
    .addOption(
      new Option("--api <name>", "its protocol; by default each is tried").choices(
        Object.keys(apis),
      ),
    )
    .option("--key-env <name>", "the environment variable that holds the key")
    .option("--budget <requests/tokens>", "ask at most this much", parseBudget)
    .option("--yes", "ask as much as the plan needs")
    .option("--caps <n>", "how many caps below the length of each reply", parseCount, 6)
    .option("--max-tokens <n>", "the largest cap", parseCount, 512)
    .option("--params <json>", "parameters of the API for every request", parseParams, {})
    .option("--json <file>", "write the report for programs")
    .addHelpText("after", helpOf("host"))
    .action(async (url: string, options: HostCommandOptions) => {
      process.exitCode = await runInterruptibly((signal) => askHost(url, options, signal));
    });

function readKey(variable: string | undefined): string {
  if (variable === undefined) return "none";
  const key = process.env[variable];
  if (key) return key;
  throw new CommandError(`The environment variable ${variable} is not set, or empty.`);
}

const describeBudget = ({ requests, tokens }: Budget): string =>
  `${requests} requests, ${tokens} output tokens`;

async function askHost(
  url: string,
  options: HostCommandOptions,
  signal: AbortSignal,
): Promise<number> {
  const { model, api, keyEnv, params, yes } = options;
  const target: Target = { url, model, apiKey: readKey(keyEnv), params };
  const most = largest(api, options);
  process.stderr.write(`The plan needs at most ${describeBudget(most)}.\n`);
  if (options.budget === undefined && yes === undefined)
    throw new CommandError(
      "Nothing was asked. Confirm the plan with --yes, or ask less with --budget requests/tokens.",
    );
  const budget = options.budget ?? most;
  process.stderr.write(`The budget is ${describeBudget(budget)}.\n`);
  const account = openAccount(budget);
  const onReply = (reply: Reply): void => {
    if (!process.stderr.isTTY) return;
    const { requests } = account.spent;
    process.stderr.write(`${requests} of ${budget.requests}: ${describeReply(reply)}\n`);
  };
  const plan = { target, api, extent: options, account, signal, onReply };
  const learnt = await runPlan(plan).catch(throwCommandError);
  const row = await learn(target, learnt);
  const report: Report = {
    target,
    learnt,
    row,
    spent: account.spent,
    ...(keyEnv !== undefined && { keyVariable: keyEnv }),
  };
  process.stdout.write(textReport(report));
  if (options.json !== undefined) writeFileSync(options.json, jsonReport(report));
  return row.tier === 1 || row.tier === 2 ? exitCodes.passed : exitCodes.broken;
}
