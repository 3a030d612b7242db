import { spawnSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { providerNames } from "../src/demo/providers.ts";
import { fullstop, main, start } from "./fullstop.ts";

describe("the command line", () => {
  it("teaches by its help", async () => {
    const { code, stdout, left } = await fullstop(["--help"]);
    expect(code).toBe(0);
    for (const words of ["demo", "Exit codes:", "Examples:", "--version"])
      expect(stdout).toContain(words);
    expect(left).toEqual([]);
  });

  it("teaches what the demo shows, checks and prints", async () => {
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

  it("lets whoever reads its help leave early", async () => {
    using started = start(["demo", "--help"]);
    started.child.stdout.destroy();
    expect(await started.ended).toMatchObject({ code: 0, stderr: "" });
  });

  it.skipIf(process.platform !== "linux")(
    "says in a sentence that its output cannot be written",
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
      expect(status).toBe(1);
      expect(stderr).toMatch(/^fullstop: what there is to show cannot be written: ENOSPC.*\n$/);
    },
  );

  it("says its version", async () => {
    const { code, stdout } = await fullstop(["--version"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  const wrong: readonly (readonly [args: readonly string[], words: string])[] = [
    [["demo", "--jsn"], "--jsn"],
    [["demo", "--pace", "sideways"], "sideways"],
    [["demo", "--provider", "toString"], providerNames.join(", ")],
    [["demo", "again"], "too many arguments"],
    [["demmo"], "demmo"],
    [["--jsn"], "--jsn"],
    [[], "Usage: fullstop"],
  ];
  for (const [args, words] of wrong) {
    it(`answers "fullstop ${args.join(" ")}" with 2 and a hint`, async () => {
      const { code, stdout, stderr } = await fullstop(args);
      expect(code).toBe(2);
      expect(stdout).toBe("");
      expect(stderr).toContain(words);
      expect(stderr).toContain("--help");
    });
  }
});

describe("a demo behind a proxy", () => {
  it("asks its provider without it", async () => {
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
    it(`ends with ${expected} after ${signal}, and leaves no folder and no process`, async () => {
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
      expect(demo.left()).toEqual([]);
    });
  }

  it("cleans up quietly when its reader leaves", async () => {
    using demo = start(["demo", "--pace", "slow"]);
    demo.child.stdout.once("data", () => demo.child.stdout.destroy());
    const { code, stderr } = await demo.ended;
    expect(code).toBe(1);
    expect(stderr).toBe("");
    expect(demo.left()).toEqual([]);
  });
});
