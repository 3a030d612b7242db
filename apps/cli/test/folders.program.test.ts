import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { fullstop } from "./fullstop.ts";

const folder = mkdtempSync(join(tmpdir(), "folders-test-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("a folder for temporary files that cannot be used", () => {
  const agent = ["conformance", "agent", "--", "node", "agent.js"];
  it.for([["demo"], ["demo", "--guarded"], agent])(
    "is named with its variable: %j",
    async (args) => {
      const gone = join(folder, "gone");
      const { code, stderr } = await fullstop(args, { TMPDIR: gone, TEMP: gone });
      const variable = process.platform === "win32" ? "TEMP" : "TMPDIR";
      expect(stderr).toBe(
        `fullstop: ${gone} cannot be used for temporary files: it does not exist. Set the variable ${variable} to another folder.\n`,
      );
      expect(code).toBe(2);
    },
  );

  it.skipIf(process.platform === "win32")("is named with the variable that is set", async () => {
    const file = join(folder, "file");
    writeFileSync(file, "");
    const { code, stderr } = await fullstop(["demo"], { TMPDIR: "", TMP: file });
    expect(stderr).toContain(`${file} cannot be used for temporary files: ENOTDIR`);
    expect(stderr).toContain("Set the variable TMP to another folder.");
    expect(code).toBe(2);
  });
});

// Node's `recursive` does not end there.
describe.skipIf(!existsSync("/proc/self"))("a folder in /proc", () => {
  const cannot = "no folder can be created in /proc";
  it.for([
    { args: ["init", "agent", "/proc/new"], sentence: `cannot write /proc/new: ${cannot}` },
    { args: ["init", "agent", "/proc/new/inner"], sentence: cannot },
    { args: ["init", "agent", "/proc"], sentence: "cannot write /proc/agent.ts" },
    {
      args: ["conformance", "agent", "--traffic", "/proc/new", "--", "node", "agent.js"],
      sentence: `--traffic /proc/new: ${cannot}.`,
    },
  ])("is refused: $args", async ({ args, sentence }) => {
    const { code, stderr } = await fullstop(args);
    expect(stderr).toContain(sentence);
    expect(code).toBe(2);
  });
});
