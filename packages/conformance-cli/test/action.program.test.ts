import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { validateAction } from "@action-validator/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";

interface Step {
  readonly uses?: string;
  readonly shell?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, string>>;
}
interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}
type Inputs = Readonly<Record<string, string>>;

const root = fileURLToPath(new URL("../../..", import.meta.url));
const text = readFileSync(new URL("../action.yml", import.meta.url), "utf8");
const action: Action = parse(text);
const scripts = action.runs.steps.filter(({ run }) => run !== undefined);
const folder = mkdtempSync(join(tmpdir(), "action-"));

/** What GitHub puts in place of an expression that names an input. */
const filled = (value: string, given: Inputs): string =>
  value
    .replaceAll(/\$\{\{ github\.action_path \}\}/g, fileURLToPath(new URL("..", import.meta.url)))
    .replaceAll(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, name: string) => {
      const input = action.inputs[name];
      if (input === undefined) throw new Error(`The action has no input ${name}.`);
      return given[name] ?? input.default ?? "";
    });

interface Ran {
  readonly code: number | null;
  readonly output: string;
}

/** Runs the scripts of the steps as GitHub's runner does, with the command of this repository. */
function runSteps(given: Inputs): Ran {
  const ran = scripts.map(({ run = "", env = {} }): Ran => {
    const file = join(folder, "step.sh");
    writeFileSync(file, run);
    const { status, stdout, stderr } = spawnSync(
      "bash",
      ["--noprofile", "--norc", "-e", "-o", "pipefail", file],
      {
        cwd: folder,
        encoding: "utf8",
        env: {
          ...process.env,
          ...Object.fromEntries(Object.entries(env).map(([key, to]) => [key, filled(to, given)])),
          GITHUB_STEP_SUMMARY: join(folder, "summary.md"),
          PATH: `${join(folder, "bin")}${delimiter}${process.env["PATH"]}`,
        },
      },
    );
    return { code: status, output: `${stdout}${stderr}` };
  });
  return { code: ran.at(-1)?.code ?? null, output: ran.map(({ output }) => output).join("") };
}

const npx = `#!/usr/bin/env bash
printf '%s\\n' "$2" > package.txt
exec "${process.execPath}" --conditions=@fullstop/source "${root}apps/cli/src/main.ts" "\${@:3}"
`;

beforeAll(() => {
  cpSync(join(root, "packages/conformance-cli/examples/naive"), join(folder, "my agent"), {
    recursive: true,
  });
  mkdirSync(join(folder, "bin"));
  writeFileSync(join(folder, "bin/npx"), npx, { mode: 0o755 });
});
afterAll(() => rmSync(folder, { recursive: true }));

const command = `"${process.execPath}" "my agent/agent.mjs"`;

test("it is an action by the schema of actions", () => {
  expect(validateAction(text)).toEqual({ actionType: "action", errors: [] });
});

test.for([
  ["a step without a shell", text.replace("      shell: bash\n", "")],
  ["another runner", text.replace("using: composite", "using: composit")],
  ["no description", text.replace(/^description: .*\n/m, "")],
])("with %s it is none", ([, wrong = ""]) => {
  expect(wrong).not.toBe(text);
  expect(validateAction(wrong).errors).not.toEqual([]);
});

test("every input is used, and no script holds one as code", () => {
  const used = action.runs.steps.flatMap(({ env, with: given }) =>
    Object.values({ ...env, ...given }).flatMap((value) =>
      [...String(value).matchAll(/inputs\.([\w-]+)/g)].map(([, name]) => name),
    ),
  );
  expect([...new Set(used)].sort()).toEqual(Object.keys(action.inputs).sort());
  for (const { run } of scripts) expect(run).not.toContain("${{");
});

test("it judges a program, prints the report, and fails if a clause is broken", () => {
  const { code, output } = runSteps({
    command,
    only: "stop.cut",
    name: "my agent",
    version: "1.2.3",
  });
  expect(code, output).toBe(1);
  expect(output).toContain("stop.cut");
  expect(readFileSync(join(folder, "conformance-report.txt"), "utf8")).toContain("my agent");
  expect(readFileSync(join(folder, "package.txt"), "utf8")).toBe("fullstop@1.2.3\n");
});

test("the page of the run shows the report, and the version is that of the action", () => {
  rmSync(join(folder, "summary.md"), { force: true });
  const { code, output } = runSteps({ command, only: "stop.cut", name: "my agent" });
  expect(code, output).toBe(1);
  const report = readFileSync(join(folder, "conformance-report.txt"), "utf8").trimEnd();
  expect(readFileSync(join(folder, "summary.md"), "utf8")).toBe(`~~~~text\n${report}\n~~~~\n`);
  const { version } = JSON.parse(readFileSync(join(root, "apps/cli/package.json"), "utf8"));
  expect(readFileSync(join(folder, "package.txt"), "utf8")).toBe(`fullstop@${version}\n`);
});

test("what is expected to fail does not fail it, and the extension is the format", () => {
  writeFileSync(join(folder, "expected.txt"), "stop.cut  # known\n");
  const { code, output } = runSteps({
    command,
    only: "stop.cut",
    "expected-failures": "expected.txt",
    report: "report.json",
    options: '--wire "anthropic"',
  });
  expect(code, output).toBe(0);
  const report = JSON.parse(readFileSync(join(folder, "report.json"), "utf8"));
  expect(report.subjects).toHaveLength(1);
});

test("the text of an input is not run by the shell", () => {
  const { code } = runSteps({ command, only: "stop.cut; touch ran", name: "$(touch ran)" });
  expect(code).toBe(2);
  expect(existsSync(join(folder, "ran"))).toBe(false);
});

test("a report of an unknown format is refused before the program starts", () => {
  const { code, output } = runSteps({ command: "touch ran", report: "report.pdf" });
  expect(code).toBe(2);
  expect(output).toContain("::error::The report must end in .txt");
  expect(existsSync(join(folder, "ran"))).toBe(false);
});
