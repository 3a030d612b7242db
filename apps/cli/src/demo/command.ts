import { Command, Option } from "commander";
import { demo } from "./demo.ts";
import { showJson } from "./json.ts";
import { type Pace, pacedFetch, paces } from "./pace.ts";
import { type ProviderName, providerNames, providers } from "./providers.ts";
import { showTerminal } from "./show.ts";

interface Given {
  readonly provider: ProviderName;
  readonly json?: true;
  readonly keep?: true;
  readonly pace?: Pace;
}

const adapters = providerNames.map((name) => `  ${name.padEnd(18)} ${providers[name].about}`);

const help = `
Providers:
${adapters.join("\n")}

What happens:
  An agent builds a small web page with four file tools, in a temporary folder
  that they cannot leave. It asks a provider in this process, over HTTP and in
  the provider's own protocol, that cuts one reply at the output cap, drops one,
  filters one behind a complete input, and calls one cut finished. None of these
  inputs may run. One more is dropped twice: there the tool itself goes on with
  what arrived, and tells the model so.

What is checked, whatever the loop says:
  the files on the disk, the tools' own list of executions, and the requests
  that the server got.

Lines of --json (one object each, told by "type"):
  start                    folder, provider, adapter, url, replies
  prompt                   text: what the person says; a run begins
  request                  reply, cap, messages, surprises: as the server saw it;
                           story: what happens to its reply
  text, tool-input-start, tool-input, tool-input-end
                           previews of a reply; nothing in them can be run
  turn                     reply, cap, kept, person, and turn: the gate's word,
                           with turn.calls and turn.withheld[].why
  tool-call, tool-result   call, result: a call that passed the gate
  recovery                 action, stopReason: what the loop does about a reply
  outcome                  status, summary, text: how a run ended
  file                     path, content: what is on the disk at the end
  verdict                  ok, replies, ran, heldBack, checks[].findings, seconds
  end                      folder, kept

Exit codes:
  0    nothing ran that must not, and the task is finished
  1    something is broken; the lines marked "not so" say what
  2    wrong usage
  130  interrupted; the server is closed and the folder removed

Examples:
  fullstop demo
  fullstop demo --provider google
  fullstop demo --pace slow
  fullstop demo --keep
  fullstop demo --json | jq -c 'select(.type == "verdict") | .heldBack[]'
`;

const endings = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
type Ending = keyof typeof endings;
const signals = Object.keys(endings) as Ending[];

export const demoCommand = (): Command =>
  new Command("demo")
    .summary("watch an agent at work while its replies are cut, dropped, filtered and relabelled")
    .description(
      "Watch an agent at work while its replies are cut, dropped, filtered and relabelled.\nNeeds no key, no account and no network.",
    )
    .addOption(
      new Option("--provider <provider>", "whose adapter and SDK to use")
        .choices(providerNames)
        .default("anthropic"),
    )
    .option("--json", "print the events as JSON lines")
    .option("--keep", "leave the folder with the files, and print its path")
    .addOption(
      new Option(
        "--pace <pace>",
        "how fast the replies arrive (default: watch in a terminal, else fast)",
      ).choices(Object.keys(paces)),
    )
    .addHelpText("after", help)
    .action(async (given: Given) => {
      process.exitCode = await play(given);
    });

async function play({
  provider,
  json,
  keep,
  pace = process.stdout.isTTY && !json && !process.env["CI"] ? "watch" : "fast",
}: Given): Promise<number> {
  const stop = new AbortController();
  let ending: Ending | undefined;
  const interrupt = (signal: Ending): void => {
    ending = signal;
    stop.abort();
  };
  for (const signal of signals) process.once(signal, interrupt);
  // Whoever reads may leave early (`| head`): then nobody wants to see the rest.
  process.stdout.on("error", () => stop.abort());
  // The provider is in this process: no proxy leads to it.
  for (const name of ["NO_PROXY", "no_proxy"]) process.env[name] = "127.0.0.1";
  try {
    const show = json
      ? showJson((line) => process.stdout.write(line))
      : showTerminal(process.stdout);
    const verdict = await demo({
      provider,
      show,
      signal: stop.signal,
      fetch: pacedFetch(pace),
      keep,
    });
    if (ending !== undefined)
      process.stderr.write(
        `\nInterrupted by ${ending}. The server is closed${keep ? "" : " and the folder removed"}.\n`,
      );
    if (ending !== undefined) return endings[ending];
    return verdict?.ok ? 0 : 1;
  } finally {
    for (const signal of signals) process.off(signal, interrupt);
  }
}
