import { run } from "@fullstop/loop";
import { mock } from "@fullstop/provider-mock";
import { expect, test, vi } from "vitest";
import { recorder } from "./tools.ts";

// The files of `pnpm test` share a process, and others add listeners too. `test:all` isolates files.
test("each abort listener of a run is removed, however its tools end", async () => {
  const added = vi.spyOn(AbortSignal.prototype, "addEventListener");
  const removed = vi.spyOn(AbortSignal.prototype, "removeEventListener");
  const late = { ...recorder("late", () => new Promise<string>(() => {})), timeoutMs: 1 };
  const fails = recorder("fails", () => Promise.reject(new Error("No.")));
  const calls = ["read", "late", "fails"].map((name) => ({ name, input: { n: 1 } }));
  await run({
    adapter: mock([{ calls }, "Done."]),
    prompt: "Go.",
    tools: [recorder("read"), late, fails],
    signal: new AbortController().signal,
  }).outcome();
  const listeners = (calls: readonly (readonly unknown[])[]) =>
    new Set(calls.map(([, listener]) => listener));
  expect(listeners(added.mock.calls).size).toBeGreaterThanOrEqual(4);
  expect(listeners(removed.mock.calls)).toEqual(listeners(added.mock.calls));
});
