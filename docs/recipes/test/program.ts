import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

/** A recipe that runs in its own process, in its own empty folder. */
export interface Program {
  readonly folder: string;
  /** What it has printed so far. */
  output(): string;
  /** Resolves with the output when it contains the text. Rejects if the program ends before. */
  printed(text: string): Promise<string>;
  /** The same for the standard error. */
  warned(text: string): Promise<string>;
  write(line: string): void;
  kill(signal: NodeJS.Signals): void;
  /** Resolves with the output when the program has ended by itself. Rejects if it failed. */
  ended(): Promise<string>;
}

export interface Start {
  /** Where all requests of the program go. */
  readonly model: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** A folder of an earlier start. */
  readonly folder?: string;
}

const redirect = fileURLToPath(import.meta.resolve("@tooling/docs/redirect"));

/** The keys that the SDKs look for. */
const keys = {
  ANTHROPIC_API_KEY: "none",
  OPENAI_API_KEY: "none",
  GEMINI_API_KEY: "none",
  GOOGLE_API_KEY: "",
};

/** Starts a recipe as its first line says. It is killed at the end of the test, if it still runs. */
export function start(recipe: string, { model, args = [], env = {}, ...rest }: Start): Program {
  const folder = rest.folder ?? mkdtempSync(join(tmpdir(), "fullstop-recipe-"));
  const file = fileURLToPath(new URL(`../${recipe}.ts`, import.meta.url));
  const child = spawn(
    process.execPath,
    ["--conditions=@fullstop/source", `--import=${redirect}`, file, ...args],
    { cwd: folder, env: { ...process.env, ...keys, ...env, PROVIDER_URL: model } },
  );
  onTestFinished(() => {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });
  return { folder, ...control(child, recipe) };
}

const streams = ["stdout", "stderr"] as const;
function control(child: ChildProcess, recipe: string): Omit<Program, "folder"> {
  const texts = { stdout: "", stderr: "" };
  let all = "";
  for (const name of streams)
    child[name]?.on("data", (piece: Buffer) => {
      texts[name] += piece.toString();
      all += piece.toString();
    });
  const closed = once(child, "close");
  closed.catch(() => undefined);
  const failed = (what: string): Error => new Error(`${recipe} ${what}. It printed:\n${all}`);
  const waitFor = (name: keyof typeof texts, text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (texts[name].includes(text)) resolve(texts[name]);
      };
      child[name]?.on("data", look);
      closed.then(() => reject(failed(`ended before it printed "${text}"`)), reject);
      look();
    });
  return {
    output: () => texts.stdout,
    write: (line) => void child.stdin?.write(`${line}\n`),
    kill: (signal) => void child.kill(signal),
    printed: (text) => waitFor("stdout", text),
    warned: (text) => waitFor("stderr", text),
    ended: async () => {
      const [code, signal] = (await closed) as [number | null, string | null];
      if (code !== 0) throw failed(`ended with ${code ?? signal}`);
      return texts.stdout;
    },
  };
}
