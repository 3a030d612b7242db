import type { Reporter, TestModule } from "vitest/node";

/** Closes a run with one plain line: `N passed, N failed`. A test that never ended has failed, and so has a file that broke outside its tests. */
export default class PlainLine implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>, errors: ReadonlyArray<unknown>): void {
    const count = { passed: 0, failed: errors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      const before = count.failed + count.pending;
      for (const test of module.children.allTests()) count[test.result().state]++;
      if (module.state() === "failed" && count.failed + count.pending === before) count.failed++;
    }
    if (count.skipped > 0) process.stdout.write(`${count.skipped} skipped\n`);
    process.stdout.write(`${count.passed} passed, ${count.failed + count.pending} failed\n`);
  }
}
