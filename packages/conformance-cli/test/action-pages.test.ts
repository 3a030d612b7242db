import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parse } from "yaml";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const readText = (file: string): string => readFileSync(`${root}${file}`, "utf8");
const pages = ["docs/agents-in-python.md", "docs/agents-in-go.md"];
const actionFile = "packages/conformance-cli/action.yml";

const optionsIn = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(/(?<![\w-])--[a-z][a-z-]+/g)].map(([option]) => option)),
];
/** Options of node, npm and tar. */
const ofOthers = new Set(["--conditions", "--version", "--yes", "--strip-components"]);
const help = execFileSync(
  process.execPath,
  ["--conditions=@fullstop/source", "apps/cli/src/main.ts", "conformance", "agent", "--help"],
  { cwd: root, encoding: "utf8" },
);
const known = new Set(optionsIn(help));

test.for([...pages, actionFile])("%s names only options that the command has", (file) => {
  const named = optionsIn(readText(file)).filter((option) => !ofOthers.has(option));
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter((option) => !known.has(option))).toEqual([]);
});

test("an option that the command does not have is found", () => {
  expect(optionsIn("use `--time-limit 3` or --jobs=2").filter((one) => !known.has(one))).toEqual([
    "--time-limit",
  ]);
});

test("the page for Python names the inputs of the action, and the defaults of the command", () => {
  const page = readText("docs/agents-in-python.md");
  const { inputs }: { readonly inputs: Readonly<Record<string, { readonly default?: string }>> } =
    parse(readText(actionFile));
  const section = page.split("## 5. ")[1]?.split("\n## ")[0] ?? "";
  for (const name of Object.keys(inputs)) expect(section).toMatch(new RegExp(`\\b${name}\\b`));
  const defaultOf = (option: string): string | undefined =>
    new RegExp(`--${option} <[^>]+>[^-]*\\(default: (\\d+)\\)`).exec(help)?.[1];
  expect(inputs["timeout"]?.default).toBe(defaultOf("timeout"));
  expect(inputs["jobs"]?.default).toBe(defaultOf("jobs"));
});
