import type { Reporter, TestModule } from "vitest/node";
import { seed } from "./property.ts";

/**
 * Prints the seed of the properties, and `N passed, N failed` at the end. A test without a result counts as failed, and so does a
 * file that throws outside its tests. Also prints why tests were skipped.
 */
export default class PlainLine implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>, errors: ReadonlyArray<unknown>): void {
    const count = { passed: 0, failed: errors.length, skipped: 0, pending: 0 };
    const reasons = new Set<string>();
    for (const module of modules) {
      const before = count.failed + count.pending;
      for (const test of module.children.allTests()) {
        const result = test.result();
        count[result.state]++;
        if (result.state === "skipped" && result.note !== undefined) reasons.add(result.note);
      }
      if (module.state() === "failed" && count.failed + count.pending === before) count.failed++;
    }
    process.stdout.write(`seed of the properties: ${seed} (FULLSTOP_SEED=${seed} repeats it)\n`);
    for (const reason of reasons) process.stdout.write(`skipped: ${reason}\n`);
    if (count.skipped > 0) process.stdout.write(`${count.skipped} skipped\n`);
    process.stdout.write(`${count.passed} passed, ${count.failed + count.pending} failed\n`);
  }
}
