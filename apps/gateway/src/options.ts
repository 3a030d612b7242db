import { Command, InvalidArgumentError, Option } from "commander";
import type { GatewayOptions } from "./gateway.ts";
import { type LimitName, leastOf, limitNames, limitTable, optionOf } from "./limits.ts";
import { ConfigurationError, hostNames, parseRoute, type Route } from "./routes.ts";

/** What the command line says. */
export interface CommandOptions extends Readonly<Record<LimitName, number>> {
  readonly config: string | undefined;
  readonly to?: Readonly<Record<string, Route>>;
  readonly host: string;
  readonly port: number;
  readonly adminPort: number | undefined;
  readonly allowHost: readonly string[];
  readonly token: string | undefined;
  readonly strict: boolean;
  readonly normalizeCalls: boolean;
  readonly retries: number;
  readonly reask: boolean;
  readonly withheld: "end" | "fail";
  readonly note: boolean;
  readonly keepAlive: number;
  readonly drainSeconds: number;
  readonly logInputs: boolean;
  readonly selfTest: boolean;
}

/** The options of the guard. */
export const guardOptions = (options: CommandOptions): NonNullable<GatewayOptions["guard"]> => ({
  strict: options.strict,
  normalizeCalls: options.normalizeCalls,
  retries: options.retries,
  reask: options.reask,
  withheld: options.withheld,
  keepAliveMs: options.keepAlive === 0 ? Number.POSITIVE_INFINITY : options.keepAlive * 1000,
  ...(!options.note && { note: false }),
});

/** Adds one `--to` to those before it. Commander's own errors show the value, which may hold a key. */
function addRoute(text: string, before: CommandOptions["to"]): Readonly<Record<string, Route>> {
  const [name, route] = parseRoute(text);
  if (before !== undefined && Object.hasOwn(before, name))
    throw new ConfigurationError(`"${name}" is named twice. Give each upstream its own name.`);
  return { ...before, [name]: route };
}

const wholeNumber =
  (least: number, most: number = Number.MAX_SAFE_INTEGER): ((text: string) => number) =>
  (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(
      most === Number.MAX_SAFE_INTEGER
        ? `Write a whole number of at least ${least}.`
        : `Write a whole number from ${least} to ${most}.`,
    );
  };

const help = `
Upstreams:
  --to NAME                    a host that has a name:${wrap(hostNames)}
  --to NAME=URL                any other host, or another address of one
  --to NAME=URL,dialect=vllm   with facts about the host: dialect=NAME, mislabels-truncation,
                               done-ends, runs-custom-tools, message-stop=optional, blocks=loose,
                               finish-reason=every-chunk, vertexai, unguarded
  --to NAME=URL,strict         with options of this route alone: strict, strict=off, reask,
                               reask=off, withheld=end, withheld=fail
  In the base URL of your client, put http://127.0.0.1:4141/NAME in place of https://HOST.
  If there is only one upstream, http://127.0.0.1:4141 works too.

Paths of the gateway itself:
  /healthz   200 while the process runs
  /readyz    200, or 503 while the gateway shuts down
  /metrics   figures for Prometheus

Output: one line of JSON for each reply and request on stdout, without keys and without inputs.
Ctrl-C or SIGTERM lets running replies end, a second one ends at once.

Exit codes:
  0  stopped by a signal, and every reply ended; the self-test found no problem
  1  replies were cut; the self-test found a problem
  2  wrong usage, or the gateway could not start

Examples:
  fullstop gateway --to anthropic --to openai --to google
  fullstop gateway --to local=http://127.0.0.1:8080,dialect=llamacpp --port 8081
  ANTHROPIC_BASE_URL=http://127.0.0.1:4141/anthropic claude
`;

/** The names in lines of their own, behind the first column. */
function wrap(names: readonly string[]): string {
  const lines = [""];
  for (const name of names) {
    const last = lines.at(-1) ?? "";
    if (last.length + name.length > 46) lines.push(name);
    else lines[lines.length - 1] = last === "" ? name : `${last}, ${name}`;
  }
  return lines.map((line) => `\n${" ".repeat(31)}${line}`).join("");
}

/** What the guard does with replies. */
const addGuardOptions = (command: Command): Command =>
  command
    .option("--strict", "refuse requests that name tools and cannot be judged", false)
    .option("--normalize-calls", "write calls in the strict form of their protocol", false)
    .option(
      "--retries <number>",
      "send a request again if its reply broke unseen",
      wholeNumber(0),
      0,
    )
    .option(
      "--no-reask",
      "never ask the model to send withheld calls in smaller pieces, or calls in the text as calls",
    )
    .addOption(
      new Option("--withheld <ending>", "how a reply ends whose calls are withheld")
        .choices(["end", "fail"])
        .default("end"),
    )
    .option("--no-note", "no sentence in place of withheld calls")
    .option(
      "--keep-alive <seconds>",
      "silence before a sign of life while calls are held; 0: none",
      wholeNumber(0),
      15,
    );

/** One option for each limit. */
const addLimits = (command: Command): Command =>
  limitNames.reduce((extended, name) => {
    const [standard, unit, what] = limitTable[name];
    const least = leastOf(name);
    const text = least === 0 ? `${what}; 0: without a limit` : what;
    const read = wholeNumber(least, most[unit]);
    return extended.option(`${optionOf(name)} <${unit}>`, text, read, standard);
  }, command);
/** Timers of Node take at most 2³¹ milliseconds. */
const most = { KiB: 1024, MiB: 1024 * 1024, seconds: 86_400, number: 1_000_000 } as const;

/** Creates the command line. Parsing it throws a `CommanderError` for wrong usage. */
export function createCommand(): Command {
  const command = new Command("gateway")
    .description(
      "Stands between an agent and its LLM providers. Text goes out at once; tool calls go out only if the whole reply arrived and the provider finished it.",
    )
    .option("--config <file>", "a JSON file with these options; SIGHUP reads it again")
    .option("--to <upstream>", "NAME or NAME=URL; repeat it for each upstream", addRoute)
    .option("--host <address>", "the address to listen on", "127.0.0.1")
    .option(
      "--port <number>",
      "the port to listen on; with 0 the system chooses a free port",
      wholeNumber(0, 65535),
      4141,
    );
  return addLimits(addGuardOptions(command))
    .option(
      "--allow-host <name>",
      "a further name under which clients reach the gateway; may be repeated",
      (name: string, before: readonly string[]) => [...before, name],
      [],
    )
    .option(
      "--admin-port <number>",
      "a port of its own for /metrics and /readyz; with 0 the system chooses a free port",
      wholeNumber(0, 65535),
    )
    .addOption(
      new Option(
        "--token <text>",
        "what clients must send in the header x-fullstop-token, beside their own key",
      ).env("FULLSTOP_GATEWAY_TOKEN"),
    )
    .option(
      "--drain-seconds <seconds>",
      "how long running replies may take after SIGTERM",
      wholeNumber(0, 86_400),
      30,
    )
    .option("--log-inputs", "write the inputs of tool calls to the log", false)
    .option(
      "--self-test",
      "send finished and cut replies through a gateway with these options, and end",
      false,
    )
    .addHelpText("after", help)
    .showHelpAfterError("(see: fullstop gateway --help)")
    .exitOverride();
}
