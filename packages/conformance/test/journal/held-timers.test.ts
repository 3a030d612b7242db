import { setTimeout as timeoutOfModule } from "node:timers";
import { setTimeout as sleep, setInterval as ticks } from "node:timers/promises";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createHeldTimers } from "../../src/journal/held-timers.ts";

/** Each way to wait, which calls back at least once. */
const ways: Readonly<Record<string, (tick: () => void) => unknown>> = {
  setTimeout: (tick) => setTimeout(tick, 1),
  setInterval: (tick) => {
    const timer = setInterval(() => {
      clearInterval(timer);
      tick();
    }, 1);
  },
  "setTimeout of node:timers": (tick) => timeoutOfModule(tick, 1),
  "setTimeout of node:timers/promises": (tick) => sleep(1).then(tick),
  "setInterval of node:timers/promises": async (tick) => {
    for await (const _ of ticks(1)) return tick();
  },
  "a timer that was started later": (tick) => setTimeout(() => setTimeout(tick, 1), 1),
};

test.for(Object.entries(ways))("%s waits while its connection is held", async ([, start]) => {
  const stopped = createHeldTimers();
  const other = createHeldTimers();
  const called = { stopped: 0, other: 0 };
  const otherCalled = new Promise<void>((resolve) => {
    other.run(() =>
      start(() => {
        called.other++;
        resolve();
      }),
    );
  });
  const stoppedCalled = new Promise<void>((resolve) => {
    stopped.run(() =>
      start(() => {
        called.stopped++;
        resolve();
      }),
    );
  });
  stopped.hold();
  await otherCalled;
  while (stopped.waiting() === 0) await new Promise((resolve) => setImmediate(resolve));
  expect(called).toEqual({ stopped: 0, other: 1 });
  stopped.resume();
  await stoppedCalled;
  expect(called).toEqual({ stopped: 1, other: 1 });
  for (const connection of [stopped, other]) connection.dispose();
});

test("a timer that is cleared while it is held is not called", async () => {
  const stopped = createHeldTimers();
  let isCalled = false;
  const timer = stopped.run(() =>
    setTimeout(() => {
      isCalled = true;
    }, 1),
  );
  stopped.hold();
  while (stopped.waiting() === 0) await new Promise((resolve) => setImmediate(resolve));
  clearTimeout(timer);
  stopped.resume();
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(isCalled).toBe(false);
  stopped.dispose();
});

test("after the last connection the timers are the original ones, with their properties", async () => {
  const before = globalThis.setTimeout;
  const connections = [createHeldTimers(), createHeldTimers()];
  expect(globalThis.setTimeout).not.toBe(before);
  await expect(promisify(globalThis.setTimeout)(1, "waited")).resolves.toBe("waited");
  for (const { dispose } of connections) dispose();
  expect(globalThis.setTimeout).toBe(before);
});
