import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { wires } from "@fullstop/conformance/wires";
import { runProcess } from "@fullstop/conformance-cli/process";
import type { CoderEffect, CoderRun } from "@tooling/docs/coders";
import { root } from "@tooling/publish/process";
import { effectFile, wholeEffect } from "./action.ts";
import type { CoderWay, Launch, Setting } from "./coder.ts";
import { playScenario } from "./provider.ts";
import type { Scenario } from "./scenarios.ts";

/** Something between an agent and its provider. */
export interface Between {
  /** The base URL for the agent. */
  readonly url: string;
  close(): Promise<void>;
}

/** One run, and what is the same in all runs. */
export interface ObservedCoder {
  readonly run: CoderRun;
  /** Whether its requests named an output cap. */
  readonly namesCap: boolean;
}

/** How the runs of an agent are made. */
export interface RunOptions {
  /** The path of an installed program. */
  readonly program: Setting["program"];
  readonly timeoutMs: number;
  /** Starts something between the agent and the provider; nothing by default. */
  readonly between?: ((server: string) => Promise<Between>) | undefined;
}

/** The effect of a run by the text that its calls left. */
export function effectOf(left: string): CoderEffect {
  const text = left.replaceAll(/\s/g, "");
  if (text === "") return "none";
  if (text === wholeEffect) return "whole";
  return text.replaceAll(wholeEffect, "") === "" ? "twice" : "damaged";
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    // The call did not run.
    return "";
  }
}

const maxLastChars = 400;
/** What the guard says about a call that did not run. */
const guardWords = /held back/i;

/** An output without colours and without names that only this machine has. */
function cleanOutput(output: string, { home, folder }: Pick<Setting, "home" | "folder">): string {
  const text = [
    [folder, "."],
    [home, "~"],
    [tmpdir(), "/tmp"],
    [root, "."],
  ].reduce((changed, [path = "", name = ""]) => changed.replaceAll(path, name), output);
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals are controlled by them
      .replaceAll(/\u001b(\[[\d;?]*[A-Za-z]|\][^\u0007]*\u0007)/g, "")
      .replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:0")
      .replaceAll("\r", "\n")
      .trim()
  );
}

/** The last words of the guard in an output, or else its end. */
function lastWordsOf(output: string): string {
  const lines = output.split("\n").map((line) => line.trim());
  const ofGuard = lines.findLast((line) => guardWords.test(line));
  if (ofGuard !== undefined) return ofGuard.slice(0, maxLastChars);
  return lines
    .filter((line) => line !== "")
    .join("\n")
    .slice(-maxLastChars);
}

/** The environment of an agent: no key, no proxy and no home of this machine. */
function environmentOf(
  way: CoderWay,
  launch: Launch,
  { server, home, folder }: Setting,
): Readonly<Record<string, string | undefined>> {
  const dead = "http://127.0.0.1:9";
  return {
    PATH: process.env["PATH"],
    NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
    LANG: "C.UTF-8",
    TERM: "dumb",
    NO_COLOR: "1",
    HOME: home,
    TMPDIR: join(home, "tmp"),
    PWD: folder,
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_DATA_HOME: join(home, ".local/share"),
    XDG_STATE_HOME: join(home, ".local/state"),
    XDG_CACHE_HOME: join(home, ".cache"),
    // An agent reaches only the loopback: no telemetry, no updates, no real provider.
    HTTP_PROXY: dead,
    HTTPS_PROXY: dead,
    http_proxy: dead,
    https_proxy: dead,
    NO_PROXY: "127.0.0.1,localhost",
    no_proxy: "127.0.0.1,localhost",
    ...wires[way.wire].agent?.env(server),
    // The SDK of Gemini warns if there are two keys.
    GOOGLE_API_KEY: undefined,
    ...launch.env,
  };
}

function writeFiles(home: string, files: Launch["files"] = {}): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }
}

/** Runs an agent once in an empty home and an empty folder. Rejects if it cannot be started. */
export async function runCoder(
  way: CoderWay,
  scenario: Scenario,
  { program, timeoutMs, between }: RunOptions,
): Promise<ObservedCoder> {
  const scratch = mkdtempSync(join(tmpdir(), "coder-"));
  const home = join(scratch, "home");
  const folder = join(scratch, "work");
  for (const name of [join(home, "tmp"), folder]) mkdirSync(name, { recursive: true });
  const provider = await playScenario(way, scenario);
  let middle: Between | undefined;
  try {
    middle = await between?.(provider.url);
    const setting: Setting = { server: middle?.url ?? provider.url, home, folder, program };
    const launch = way.launch(setting);
    writeFiles(home, launch.files);
    const { exitCode, timeout, output } = await runProcess({
      command: launch.command,
      folder,
      env: environmentOf(way, launch, setting),
      timeoutMs,
    });
    const run: CoderRun = {
      effect: effectOf(readIfThere(join(folder, effectFile))),
      requests: provider.count(),
      at: new Date().toISOString(),
      ...(exitCode !== undefined && { exitCode }),
      ...(timeout !== undefined && { timedOut: true as const }),
      last: lastWordsOf(cleanOutput(output, setting)),
    };
    return { run, namesCap: provider.namesCap() };
  } finally {
    await provider.close();
    rmSync(scratch, { recursive: true, force: true, maxRetries: 3 });
    await middle?.close();
  }
}
