import { describe, expect, it } from "vitest";
import type { GuardedEvent } from "../src/guarded/play.ts";
import { fullstop, start } from "./fullstop.ts";

describe("the demo with --guarded", () => {
  it("shows the harm without the guard, and none with it", async () => {
    const { code, stdout, stderr, left } = await fullstop(["demo", "--guarded"]);
    expect(code, stdout).toBe(0);
    expect(stderr).toBe("");
    expect(left).toEqual([]);
    expect(stdout).toContain("✖ 2 databases are deleted");
    expect(stdout).toContain("✔ Without the guard 4 replies did harm. With it, none.");
    expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });

  it("prints the same as JSON lines", async () => {
    const { code, stdout } = await fullstop(["demo", "--guarded", "--json"]);
    expect(code).toBe(0);
    const events = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as GuardedEvent);
    const results = events.filter((event) => event.type === "result");
    expect(results.map(({ guarded, isSafe }) => guarded || isSafe)).toEqual([
      false,
      true,
      false,
      true,
      false,
      true,
      false,
      true,
      true,
      true,
    ]);
    expect(results.filter(({ guarded, isSafe }) => guarded && !isSafe)).toEqual([]);
    expect(events.at(-1)).toEqual({ type: "verdict", ok: true, harmed: 4 });
  });

  it("cleans up quietly if its reader leaves", async () => {
    using demo = start(["demo", "--guarded"]);
    demo.child.stdout.once("data", () => demo.child.stdout.destroy());
    expect(await demo.ended).toMatchObject({ code: 1, stderr: "" });
    expect(demo.left()).toEqual([]);
  });

  it("removes its folder if its server cannot listen", async () => {
    const noServer = `import { Server } from "node:net";
      Server.prototype.listen = function () {
        process.nextTick(() => this.emit("error", new Error("listen EMFILE")));
        return this;
      };`;
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(noServer)}`;
    using demo = start(["demo", "--guarded"], { NODE_OPTIONS });
    const { code, stderr } = await demo.ended;
    expect(code).not.toBe(0);
    expect(stderr).toContain("listen EMFILE");
    expect(demo.left()).toEqual([]);
  });

  it("ends with the exit code of a signal, and removes its folder", async () => {
    using demo = start(["demo", "--guarded"]);
    demo.child.stdout.once("data", () => demo.child.kill("SIGINT"));
    const { code, stderr } = await demo.ended;
    expect(code).toBe(130);
    expect(stderr).toBe(
      "\nInterrupted by SIGINT. The server is closed and the folder is removed.\n",
    );
    expect(demo.left()).toEqual([]);
  });
});
