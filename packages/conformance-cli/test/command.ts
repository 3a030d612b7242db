import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../../../apps/cli/src/main.ts", import.meta.url));
const subject = JSON.stringify(fileURLToPath(new URL("./acme.ts", import.meta.url)));
const suite = JSON.stringify(fileURLToPath(import.meta.resolve("@fullstop/conformance")));
/** The command as a shell would start it. */
export const command: readonly string[] = [
  process.execPath,
  "--conditions=@fullstop/source",
  main,
  "conformance",
];

export interface ProcessEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder with the modules of a user, and the command run in it. */
export interface UserFolder {
  readonly path: string;
  /** Writes a file. Returns its name. */
  put(name: string, content: string): string;
  start(...args: readonly string[]): ChildProcess;
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<ProcessEnd>;
  [Symbol.dispose](): void;
}

/** Modules with subjects, by file name. */
const modules: Readonly<Record<string, string>> = {
  "kept.ts": `export { default } from ${subject};`,
  "broken.ts": `import acme from ${subject}; import { clauses } from ${suite};
    export default { ...clauses.find(({ id }) => id === "stop.cut").mutants[0].subject(acme), name: "careless" };`,
  "two.ts": `import kept from "./kept.ts"; import broken from "./broken.ts"; export default [{ ...kept, name: "sound" }, broken];`,
  "same.ts": `import kept from "./kept.ts"; export default [kept, kept];`,
  "hangs.ts": `import kept from "./kept.ts"; export default { ...kept, adapter: (endpoint) => ({ ...kept.adapter(endpoint),
    open: () => { console.log("asked"); setInterval(() => {}, 1000); return new Promise(() => {}); } }) };`,
  "throws.ts": "throw new Error('no licence');",
  "wrong.js": "export const one = 1;\nexport default {;",
  "wrong.ts": "export const one = 1;\n\nenum Two { a }",
  "imports-wrong.js": 'import "./wrong.js"; console.log("runs");',
  "nothing.js": "export const subject = {};",
};

/** Creates a temporary folder with the modules. */
export function createFolder(): UserFolder {
  const path = mkdtempSync(join(tmpdir(), "conformance-test-"));
  const put = (name: string, content: string): string => {
    writeFileSync(join(path, name), content);
    return name;
  };
  for (const [name, content] of Object.entries(modules)) put(name, content);
  const start = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    spawn(command[0] ?? "", [...command.slice(1), ...args], {
      cwd: path,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        PATH: process.env["PATH"],
        NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
        ...env,
      },
    });
  return {
    path,
    put,
    start: (...args) => start(args),
    run: async (args, env) => {
      const child = start(args, env);
      const [stdout, stderr, [code]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, "close"),
      ]);
      return { code, stdout, stderr };
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true }),
  };
}
