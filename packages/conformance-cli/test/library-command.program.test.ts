import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const bin = fileURLToPath(new URL("bin.ts", import.meta.resolve("@fullstop/conformance")));
const packageFolder = fileURLToPath(new URL("..", import.meta.url));

const runLibraryCommand = (args: readonly string[], cwd: string) =>
  spawnSync(process.execPath, ["--conditions=@fullstop/source", bin, ...args], {
    cwd,
    encoding: "utf8",
    env: { ...process.env, NODE_PATH: "" },
  });

test("the command of the library starts this package if it is installed", () => {
  const { status, stdout } = runLibraryCommand(["explain", "stop.cut"], packageFolder);
  expect(stdout).toContain("stop.cut");
  expect(status).toBe(0);
});

test("the command of the library otherwise prints the command to run", () => {
  const args = ["agent", "--", "node", "my-agent.js"];
  const { status, stderr } = runLibraryCommand(args, tmpdir());
  expect(stderr).toContain("npx @fullstop/conformance-cli agent -- node my-agent.js\n");
  expect(status).toBe(2);
});
