import { readFileSync } from "node:fs";
import { CommanderError } from "commander";
import { startText } from "./banner.ts";
import { createGateway } from "./gateway.ts";
import { limitsOf } from "./limits.ts";
import { createLog } from "./log.ts";
import { createMetrics } from "./metrics.ts";
import { type CommandOptions, createCommand, guardOptions } from "./options.ts";
import { createAdmin } from "./own-paths.ts";
import { selfTest, selfTestText } from "./self-test.ts";
import { type GatewayServer, startServer } from "./server.ts";
import { createUpstreamFetch } from "./upstream-fetch.ts";

/** The exit codes of the command. */
const exitCodes = { stopped: 0, failed: 1, usage: 2 } as const;

function readVersion(): string {
  const manifest = JSON.parse(
    readFileSync(new URL("../package.json", import.meta.url), "utf8"),
  ) as { readonly version: string };
  return manifest.version;
}

/** Runs the command with the arguments of this process, and sets its exit code. */
export async function runCommand(): Promise<void> {
  try {
    const command = createCommand(readVersion()).parse();
    const options = command.opts<CommandOptions>();
    if (options.selfTest) process.exitCode = await test(options);
    else if (options.to !== undefined)
      process.exitCode = await serve({ ...options, to: options.to });
    else command.error("error: name at least one upstream, such as --to openai");
  } catch (thrown) {
    process.exitCode = exitCodeOf(thrown);
    // Commander has printed its own errors already.
    if (!(thrown instanceof CommanderError))
      process.stderr.write(`gateway: ${sentenceOf(thrown)}\n`);
  }
}

function exitCodeOf(thrown: unknown): number {
  if (!(thrown instanceof CommanderError)) return exitCodes.failed;
  return thrown.exitCode === 0 ? exitCodes.stopped : exitCodes.usage;
}

const listenErrors: Readonly<Record<string, string>> = {
  EADDRINUSE: "The port is in use. Choose another with --port, or 0 for any free one.",
  EACCES: "This user may not listen on the port. Choose one above 1023 with --port.",
  EADDRNOTAVAIL: "This machine does not have the address. Choose another with --host.",
  ENOTFOUND: "The address is not known. Choose another with --host.",
};
function sentenceOf(thrown: unknown): string {
  const { code = "", message } = thrown as NodeJS.ErrnoException;
  return Object.hasOwn(listenErrors, code)
    ? `${listenErrors[code]} (${message})`
    : String(message ?? thrown);
}

/** Tests the guard with these options. Returns the exit code. */
async function test(options: CommandOptions): Promise<number> {
  const tested = await selfTest(guardOptions(options), options.to);
  process.stdout.write(selfTestText(tested));
  return tested.every(({ problem }) => problem === undefined)
    ? exitCodes.stopped
    : exitCodes.failed;
}

type ServeOptions = CommandOptions & Required<Pick<CommandOptions, "to">>;

/** Serves until a signal. Returns the exit code. */
async function serve(options: ServeOptions): Promise<number> {
  let server: GatewayServer | undefined;
  const limits = limitsOf(options);
  const log = createLog({ write: writeLine, hasInputs: options.logInputs });
  const metrics = createMetrics({ active: () => server?.active() ?? 0 });
  const state = {
    isDraining: () => server?.isStopping() ?? false,
    metrics: metrics.respond,
  };
  const handler = createGateway({
    ...state,
    hasAdmin: options.adminPort !== undefined,
    routes: options.to,
    guard: guardOptions(options),
    limits,
    fetch: createUpstreamFetch({ silenceMs: limits.silence }),
    onReply(route, report) {
      metrics.countReply(route, report);
      log.reply(route, report);
    },
    onUnguarded: log.unguarded,
    onUnreachable(route, code) {
      metrics.countUnreachable(route);
      log.unreachable(route, code);
    },
    onError: log.error,
  });
  ignoreClosedOutput();
  const signal = nextSignal();
  const names = { host: options.host, allowedHosts: options.allowHost };
  const onError = (thrown: unknown): void => log.error(undefined, thrown);
  const { adminPort, port, token } = options;
  const admin =
    adminPort === undefined
      ? undefined
      : await startServer({ ...names, port: adminPort, handler: createAdmin(state), onError });
  const served = { ...names, port, token, limits, handler, onAnswer: log.answer, onError };
  server = await startServer(served).catch(async (thrown: unknown) => {
    await admin?.stop(0);
    throw thrown;
  });
  process.stderr.write(startText(server, options, admin));
  const code = await drain(server, await signal, options.drainSeconds);
  await admin?.stop(0);
  return code;
}

async function drain(server: GatewayServer, name: string, seconds: number): Promise<number> {
  void nextSignal().then(() => process.exit(exitCodes.failed));
  const active = server.active();
  if (active > 0)
    process.stderr.write(
      `${name}: waiting up to ${seconds} s for the end of ${active} replies. Send it again to end at once.\n`,
    );
  const cut = await server.stop(seconds * 1000);
  if (cut === 0) return exitCodes.stopped;
  process.stderr.write(`${cut} replies were cut.\n`);
  return exitCodes.failed;
}

const signals = ["SIGINT", "SIGTERM"] as const;

/** The next signal that ends the process. */
function nextSignal(): Promise<string> {
  return new Promise((resolve) => {
    const stop = (name: string): void => {
      for (const signal of signals) process.off(signal, stop);
      resolve(name);
    };
    for (const signal of signals) process.on(signal, stop);
  });
}

const writeLine = (line: string): void => void process.stdout.write(line);

/** The reader of the log may leave. The gateway then serves on without a log. */
function ignoreClosedOutput(): void {
  process.stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
    if (code !== "EPIPE") process.stderr.write(`gateway: cannot write the log: ${message}\n`);
  });
}
