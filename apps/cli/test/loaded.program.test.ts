import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { main } from "./fullstop.ts";

/** Prints the address of each module that is loaded. */
const listing = `import { registerHooks } from "node:module"; import { writeSync } from "node:fs";
registerHooks({ load(url, context, next) { writeSync(2, "loads " + url + "\\n"); return next(url, context); } });`;

/** What the other commands need, too: folders, and errors without a stack. */
const shared = String.raw`(?!packages/conformance-cli/src/(?:folders|commands/exit)\.ts\n)`;
const part = new RegExp(
  String.raw`^loads file:.*/${shared}(packages|apps)/([^/]+)/src/([^/\n]+)`,
  "gm",
);

/** The parts of the repository that a command loads: `packages/lint`, `apps/cli/src/demo`, … */
function loadedBy(...args: readonly string[]): readonly string[] {
  const { stderr } = spawnSync(
    process.execPath,
    [
      `--import=data:text/javascript,${encodeURIComponent(listing)}`,
      "--conditions=@fullstop/source",
      main,
      ...args,
    ],
    { encoding: "utf8" },
  );
  const found = [...stderr.matchAll(part)];
  return [
    ...new Set(
      found.map(([, folder, name, first]) =>
        name === "cli" ? `cli/${first}` : `${folder}/${name}`,
      ),
    ),
  ];
}
const shell = [
  "cli/main.ts",
  "cli/interruptible.ts",
  "cli/old-node.ts",
  "cli/program.ts",
  "cli/files.ts",
  "cli/own-package.ts",
  "cli/parts.ts",
];

describe("a command loads only its own part", () => {
  it("the help of all commands loads none of them", () => {
    expect(loadedBy("--help")).toEqual(shell);
  });
  it.for([
    ["lint", "packages/lint"],
    ["inspect", "packages/inspect"],
    ["gateway", "apps/gateway"],
    ["conformance", "packages/conformance-cli"],
    ["demo", "packages/loop"],
  ] as const)("%s", ([name, own], { expect: expectHere }) => {
    const loaded = loadedBy(name, "--help");
    expectHere(loaded).toContain(own);
    const others = ["packages/lint", "apps/gateway", "packages/conformance-cli", "packages/loop"];
    expectHere(loaded.filter((one) => others.includes(one))).toEqual(
      others.filter((one) => one === own),
    );
  });
});
