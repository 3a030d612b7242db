import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../../cli/src/main.ts", import.meta.url));

/** The command as a process of its own. */
export interface Started extends Disposable {
  readonly child: ChildProcess;
  stdout(): string;
  stderr(): string;
  readonly exitCode: Promise<number | null>;
  /** The lines of the log, of one kind. */
  lines(event: string): readonly Readonly<Record<string, unknown>>[];
}

export function start(args: readonly string[]): Started {
  const child = spawn(
    process.execPath,
    ["--conditions=@fullstop/source", main, "gateway", ...args],
    {
      stdio: ["ignore", "pipe", "pipe"],
      env: { PATH: process.env["PATH"], NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] },
    },
  );
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (text) => {
    stdout += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text) => {
    stderr += text;
  });
  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    exitCode: once(child, "close").then(([code]) => code),
    lines: (event) =>
      stdout
        .split("\n")
        // The last line may not have arrived completely.
        .slice(0, -1)
        .map((line) => JSON.parse(line))
        .filter((line) => line.event === event),
    [Symbol.dispose]: () => void child.kill("SIGKILL"),
  };
}

/** A gateway that listens, and its address. */
export interface StartedGateway extends Started {
  readonly url: string;
}

export async function startGateway(args: readonly string[]): Promise<StartedGateway> {
  const started = start(["--port", "0", ...args]);
  for (;;) {
    const [, url] = /listens on (http:\S+)\./.exec(started.stderr()) ?? [];
    if (url !== undefined) return { ...started, url };
    await Promise.race([
      once(started.child.stderr ?? started.child, "data"),
      started.exitCode.then((code) => {
        throw new Error(`The gateway ended with ${code}: ${started.stderr()}`);
      }),
    ]);
  }
}
