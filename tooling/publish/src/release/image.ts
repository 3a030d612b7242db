import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root, runProgram, scratch, start } from "../install/process.ts";

/** Where the image installs the gateway from. */
interface Published {
  readonly registry: string;
  readonly version: string;
}

const dockerfile = (): string => readFileSync(join(root, "apps/cli/Dockerfile"), "utf8");

/** What an instruction says, with the lines that continue it. */
function instruction(name: string): string {
  const [, text] = new RegExp(`^${name} ((?:.*\\\\\n)*.+)`, "m").exec(dockerfile()) ?? [];
  if (text === undefined) throw new Error(`The Dockerfile of the gateway has no ${name}.`);
  return text;
}

/** A command that stands there as a list. */
function commandOf(name: string): [string, ...string[]] {
  const [program, ...args] = JSON.parse(instruction(name).replace(/^[^[]*/, "")) as string[];
  if (program === undefined) throw new Error(`${name} of the Dockerfile is empty.`);
  return [program, ...args];
}

/**
 * Runs the steps of the gateway's image one after the other, as a script in a folder of its own: not
 * every machine has a container runtime. Only the base image and the user are not tried. Resolves
 * with what the gateway printed.
 */
export async function tryImage({ registry, version }: Published): Promise<string> {
  const cwd = scratch("image");
  const env = {
    VERSION: version,
    NODE_ENV: "production",
    // The Node of this process stands for that of the base image.
    PATH: [join(cwd, "bin"), dirname(process.execPath), process.env["PATH"]].join(":"),
    npm_config_registry: registry,
    npm_config_prefix: cwd,
    npm_config_cache: join(cwd, "cache"),
  };
  await runProgram(["sh", "-ec", instruction("RUN")], { cwd, env });
  const [program, ...fixed] = commandOf("ENTRYPOINT");
  const here = ["--host", "127.0.0.1", "--port", "0"];
  const gateway = start([program, ...fixed, ...commandOf("CMD"), ...here], { cwd, env });
  const printed = await untilListening(gateway);
  const [, address = ""] = /listens on (http:\S+)\./.exec(printed) ?? [];
  const [health, ...args] = commandOf("HEALTHCHECK");
  const own = args.map((arg) => arg.replace("http://127.0.0.1:4141", address));
  await runProgram([health, ...own], { cwd, env });
  const closed = once(gateway, "close");
  gateway.kill(instruction("STOPSIGNAL") as NodeJS.Signals);
  const [code] = (await closed) as [number | null];
  if (code !== 0) throw new Error(`The gateway of the image ended with ${code}.`);
  return printed.trim();
}

/** What a gateway prints until it listens. Rejects with it if the gateway ends before. */
async function untilListening(gateway: ChildProcess): Promise<string> {
  let printed = "";
  gateway.stderr?.on("data", (piece: Buffer) => {
    printed += piece.toString();
  });
  const ended = once(gateway, "close").then(() => {
    throw new Error(`The gateway of the image ended:\n${printed}`);
  });
  while (!/figures: \S+ /.test(printed))
    await Promise.race([ended, once(gateway.stderr ?? gateway, "data")]);
  ended.catch(() => undefined);
  return printed;
}
