import { execFileSync, spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { providerNames } from "../src/demo/providers.ts";
import { parts } from "../src/parts.ts";
import { fullstop, main, start } from "./fullstop.ts";

const commandNames = Object.keys(parts);

describe("the command line", () => {
  it("prints help with exit codes and examples", async () => {
    const { code, stdout, left } = await fullstop(["--help"]);
    expect(code).toBe(0);
    for (const words of [...commandNames, "Exit codes", "Examples:", "--version"])
      expect(stdout).toContain(words);
    expect(left).toEqual([]);
  });

  it("prints help for the demo with its options and events", async () => {
    const { code, stdout } = await fullstop(["demo", "--help"]);
    expect(code).toBe(0);
    for (const words of [
      ...providerNames,
      "--provider",
      "--json",
      "--keep",
      "--pace",
      "fast",
      "Exit codes:",
      "Examples:",
      "verdict",
    ])
      expect(stdout).toContain(words);
  });

  it("ends quietly if the reader of the help leaves early", async () => {
    using started = start(["demo", "--help"]);
    started.child.stdout.destroy();
    expect(await started.ended).toMatchObject({ code: 0, stderr: "" });
  });

  it.skipIf(process.platform !== "linux")(
    "reports in one line that the output cannot be written",
    () => {
      const full = openSync("/dev/full", "w");
      const { status, stderr } = spawnSync(
        process.execPath,
        ["--conditions=@fullstop/source", main, "--help"],
        {
          stdio: ["ignore", full, "pipe"],
          encoding: "utf8",
        },
      );
      closeSync(full);
      expect(status).toBe(2);
      expect(stderr).toMatch(/^fullstop: .*ENOSPC.*\n$/);
    },
  );

  it("prints its version", async () => {
    const { code, stdout } = await fullstop(["--version"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  const wrongUsage: readonly (readonly [args: readonly string[], words: string])[] = [
    [["demo", "--jsn"], "--jsn"],
    [["demo", "--pace", "sideways"], "sideways"],
    [["demo", "--provider", "toString"], providerNames.join(", ")],
    [["demo", "again"], "too many arguments"],
    [["demmo"], "demmo"],
    [["--jsn"], "--jsn"],
    [["conformance", "agnt"], "Did you mean agent?"],
    [["gateway", "--tto", "openai"], "Did you mean --to?"],
    [["gateway"], "name at least one upstream"],
    [["toString"], "toString"],
    [[], "Usage: fullstop"],
  ];
  for (const [args, words] of wrongUsage) {
    it(`ends "fullstop ${args.join(" ")}" with exit code 2 and a hint`, async () => {
      const { code, stdout, stderr } = await fullstop(args);
      expect(code).toBe(2);
      expect(stdout).toBe("");
      expect(stderr).toContain(words);
      expect(stderr).toContain("--help");
    });
  }
});

const script = "/usr/bin/script";
describe("the first screen of the demo", () => {
  it.skipIf(!existsSync(script))("is the demo, and what stood there is scrolled away", () => {
    const words = [process.execPath, "--conditions=@fullstop/source", main, "demo", "--guarded"];
    const line = `stty rows 9; ${words.map((word) => `'${word}'`).join(" ")}`;
    const shown = execFileSync(script, ["-qec", line, "/dev/null"], { encoding: "utf8" });
    const [before, ...after] = shown.replaceAll("\r", "").split("\u001b[H");
    expect(before).toBe("\n".repeat(8));
    expect(stripVTControlCharacters(after.join(""))).toMatch(/^fullstop/);
  });
  it("is not scrolled for a pipe", async () => {
    const { stdout } = await fullstop(["demo", "--guarded"]);
    expect(stdout).toMatch(/^fullstop/);
  });
});

describe("a demo behind a proxy", () => {
  it("reaches its server without the proxy", async () => {
    const proxy = "http://127.0.0.1:9";
    const env = {
      NODE_USE_ENV_PROXY: "1",
      HTTP_PROXY: proxy,
      http_proxy: proxy,
      no_proxy: "intranet.example",
    };
    expect(await fullstop(["demo", "--json"], env)).toMatchObject({ code: 0 });
  });
});

describe("an interrupted demo", () => {
  for (const [signal, expected] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const) {
    it(`ends with exit code ${expected} after ${signal}, and removes its folder`, async () => {
      using demo = start(["demo", "--pace", "slow"]);
      let seen = "";
      let during: readonly string[] = [];
      demo.child.stdout.on("data", (chunk: Buffer) => {
        const before = seen;
        seen += String(chunk);
        if (before.includes("reply 2") || !seen.includes("reply 2")) return;
        during = demo.left();
        demo.child.kill(signal);
      });
      const { code, stderr } = await demo.ended;
      expect(during).toHaveLength(1);
      expect(code).toBe(expected);
      expect(stderr).toContain(`Interrupted by ${signal}`);
      expect(seen).not.toContain("reply 12");
      expect(seen).not.toContain("replies ");
      expect(demo.left()).toEqual([]);
    });
  }

  it("cleans up quietly if its reader leaves", async () => {
    using demo = start(["demo", "--pace", "slow"]);
    demo.child.stdout.once("data", () => demo.child.stdout.destroy());
    const { code, stderr } = await demo.ended;
    expect(code).toBe(1);
    expect(stderr).toBe("");
    expect(demo.left()).toEqual([]);
  });
});

it.skipIf(process.platform === "win32").each([
  ["SIGTERM", 143],
  ["SIGINT", 130],
])("a signal while a command loads (%s) ends the process with its code", async (signal, code) => {
  const hook = `import { registerHooks } from "node:module";
    registerHooks({ resolve(name, context, next) {
      if (name.endsWith("/program.ts")) process.kill(process.pid, "${signal}");
      return next(name, context);
    } });`;
  const preload = `--import=data:text/javascript,${encodeURIComponent(hook)}`;
  using started = start(["demo"], { NODE_OPTIONS: preload });
  expect((await started.ended).code).toBe(code);
});
