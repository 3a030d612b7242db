import { setFlagsFromString } from "node:v8";
import { type Command, CommanderError } from "commander";
import { startText } from "./banner.ts";
import { readOptions } from "./config-file.ts";
import { type CommandOptions, createCommand, guardOptions } from "./options.ts";
import { selfTest, selfTestText } from "./self-test.ts";
import { type GatewayServer, startServer } from "./server.ts";
import { createService, type ServeOptions } from "./service.ts";

/** The exit codes of the command. */
const exitCodes = { stopped: 0, failed: 1, notStarted: 2 } as const;

/** `fullstop gateway` with these arguments. Its action sets the exit code of the process. */
export const gatewayCommand = (args: readonly string[]): Command =>
  createCommand().action(async () => {
    // V8 otherwise collects garbage only when the heap has grown to a multiple of what is used, so
    // that the limits of a gateway would not bound its memory.
    setFlagsFromString("--heap-growing-percent=20");
    process.exitCode = await runCommand(args);
  });

/** Resolves with the exit code. Rejects for wrong usage, which has been printed. */
async function runCommand(args: readonly string[]): Promise<number> {
  const read = (): ServeOptions => withUpstream(readOptions(args));
  const options = readOptions(args);
  try {
    return options.selfTest ? await test(options) : await serve(read);
  } catch (thrown) {
    if (thrown instanceof CommanderError) throw thrown;
    process.stderr.write(`fullstop: ${sentenceOf(thrown)}\n`);
    return exitCodes.notStarted;
  }
}

function withUpstream({ to, ...options }: CommandOptions): ServeOptions {
  if (to !== undefined) return { ...options, to };
  return createCommand().error("error: name at least one upstream, such as --to openai");
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

/** Serves until a signal. Returns the exit code. */
async function serve(read: () => ServeOptions): Promise<number> {
  let server: GatewayServer | undefined;
  const options = read();
  const service = createService(options, {
    write: writeLine,
    active: () => server?.active() ?? 0,
    isDraining: () => server?.isStopping() ?? false,
  });
  ignoreClosedOutput();
  if (options.config !== undefined) process.on("SIGHUP", () => service.reload(read));
  const signal = nextSignal();
  const { adminPort, port, token } = options;
  const shared = { host: options.host, allowedHosts: options.allowHost, onError: service.onError };
  const admin =
    adminPort === undefined
      ? undefined
      : await startServer({ ...shared, port: adminPort, handler: service.admin });
  const { handler, limits, onAnswer } = service;
  server = await startServer({ ...shared, port, token, limits, handler, onAnswer }).catch(
    async (thrown: unknown) => {
      await admin?.stop(0);
      throw thrown;
    },
  );
  process.stderr.write(startText(server, options, admin));
  const code = await drain(server, await signal, options.drainSeconds);
  await admin?.stop(0);
  return code;
}

async function drain(server: GatewayServer, name: string, seconds: number): Promise<number> {
  void nextSignal(sameSignalMs).then(() => process.exit(exitCodes.failed));
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

/** npm passes the Ctrl-C of a terminal on to a program that got it already. */
const sameSignalMs = 500;

/** The next signal that ends the process, but none in the first `ignoredMs` milliseconds. */
function nextSignal(ignoredMs = 0): Promise<string> {
  const began = performance.now();
  return new Promise((resolve) => {
    const stop = (name: string): void => {
      if (performance.now() - began < ignoredMs) return;
      for (const signal of signals) process.off(signal, stop);
      resolve(name);
    };
    for (const signal of signals) process.on(signal, stop);
  });
}

const writeLine = (line: string): void => void process.stdout.write(line);

/** The reader of the log may leave. The gateway then serves on without a log, and drains as usual. */
function ignoreClosedOutput(): void {
  process.stderr.on("error", () => undefined);
  process.stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
    if (code !== "EPIPE") process.stderr.write(`fullstop: cannot write the log: ${message}\n`);
  });
}
