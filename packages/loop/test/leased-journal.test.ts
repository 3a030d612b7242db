import {
  JournalError,
  type JournalTable,
  leasedJournal,
  type RunLease,
} from "@fullstop/loop/journal";
import { afterEach, expect, test, vi } from "vitest";
import { countTimers } from "./count-timers.ts";
import { ConnectionError, memoryTable } from "./memory-table.ts";

const leaseMs = 60;
const open = (table: JournalTable, signal?: AbortSignal): Promise<RunLease> =>
  leasedJournal(table, { leaseMs }).open("r", signal);
const tool = (key: string) => ({ key, kind: "tool" as const });
const kindOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "resolved",
    (thrown: unknown) => (thrown instanceof JournalError ? thrown.kind : thrown),
  );
const reasonOf = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(signal.reason);
    signal.addEventListener("abort", () => resolve(signal.reason));
  });
const never = new Promise<never>(() => {});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("what one lease records, the next one reads", async () => {
  const table = memoryTable();
  const first = await open(table.connect());
  await first.begin(tool("r/1/1"));
  await first.begin(tool("r/1/2"));
  await first.end(tool("r/1/2"), '"paid"');
  await first.close({ status: "done" });
  const second = await open(table.connect());
  expect([
    await second.read("r/1/1"),
    await second.read("r/1/2"),
    await second.read("r/1/3"),
  ]).toEqual([{ state: "begun" }, { state: "ended", json: '"paid"' }, undefined]);
  await second.close();
  expect(table.ends).toEqual([{ status: "done" }, undefined]);
});

test("while a process renews its lease, another one is told that the run is in use", async () => {
  const table = memoryTable();
  const first = await open(table.connect());
  expect(await kindOf(open(table.connect()))).toBe("in-use");
  await first.end(tool("r/1/1"), "1");
  expect(table.recorded()).toEqual(["r/1/1"]);
  await first.close();
});

/** A process that stops after it has taken the run: nothing that it asks is answered. */
async function deadHolder(table: ReturnType<typeof memoryTable>): Promise<RunLease> {
  let isDead = false;
  const lease = await open(table.connect({ fault: () => (isDead ? never : undefined) }));
  isDead = true;
  return lease;
}
/** Looks until the lease of another process has ended by the clock of the table. */
const openAfter = (table: ReturnType<typeof memoryTable>): Promise<RunLease> => {
  let claims = 0;
  const fault = (operation: string): void => {
    if (operation === "claim" && ++claims === 3) table.moveClock(leaseMs);
  };
  return open(table.connect({ fault }));
};

test("the run of a process that does not renew its lease is taken when the lease ends", async () => {
  const table = memoryTable();
  const dead = await deadHolder(table);
  const second = await openAfter(table);
  await second.end(tool("r/1/1"), "1");
  expect(await reasonOf(dead.lost)).toMatchObject({ kind: "unavailable" });
  await second.close();
});

test("after another process has taken the run, begin and end reject, and nothing is recorded", async () => {
  const table = memoryTable();
  const first = await open(
    table.connect({ fault: (operation) => (operation === "renew" ? never : undefined) }),
  );
  table.moveClock(leaseMs);
  const second = await open(table.connect());
  expect(await kindOf(first.begin(tool("r/1/1")))).toBe("lost");
  expect(await kindOf(first.end(tool("r/1/2"), "1"))).toBe("lost");
  expect(first.lost.reason).toMatchObject({
    kind: "lost",
    message: expect.stringContaining('Another process has taken the run "r"'),
  });
  expect(await kindOf(first.close({ status: "done" }))).toBe("lost");
  expect(table.recorded()).toEqual([]);
  expect(table.ends).toEqual([]);
  await second.close();
});

test("a renewal that finds another holder aborts `lost`", async () => {
  const table = memoryTable();
  const first = await open(table.connect());
  table.moveClock(leaseMs);
  const second = await open(table.connect());
  expect(await reasonOf(first.lost)).toMatchObject({ kind: "lost" });
  await second.close();
});

test("a lost connection is tried again, and an answer that was lost changes nothing", async () => {
  for (const broken of ["before", "after"] as const) {
    const table = memoryTable();
    let failures = 0;
    const lease = await open(
      table.connect({
        fault: (operation, when) => {
          if (operation !== "write" || when !== broken || failures === 2) return;
          failures += 1;
          throw new ConnectionError("reset");
        },
      }),
    );
    await lease.begin(tool("r/1/1"));
    await lease.end(tool("r/1/1"), '"paid"');
    expect(table.recorded()).toEqual(["r/1/1 begun", "r/1/1"]);
    expect(failures).toBe(2);
    await lease.close();
  }
});

test("an error that does not pass is not tried again", async () => {
  const table = memoryTable();
  const lease = await open(
    table.connect({
      fault: (operation) => {
        if (operation === "write") throw new Error("no such column");
      },
    }),
  );
  await expect(lease.begin(tool("r/1/1"))).rejects.toThrow("no such column");
  await lease.close();
});

test.each<[string, () => void | Promise<void>]>([
  [
    "fails",
    () => {
      throw new ConnectionError("refused");
    },
  ],
  ["does not answer", () => never],
])("a table that %s for the time of a lease is unavailable", async (how, fault) => {
  const table = memoryTable();
  let isDown = false;
  const lease = await open(table.connect({ fault: () => (isDown ? fault() : undefined) }));
  isDown = true;
  const written = lease.end(tool("r/1/1"), "1");
  await expect(written).rejects.toMatchObject({
    kind: "unavailable",
    message: expect.stringContaining("Start the run again: what was recorded counts."),
    cause: { message: how === "fails" ? "refused" : "The journal did not answer." },
  });
  await lease.close();
  await expect(open(table.connect({ fault }))).rejects.toMatchObject({ kind: "unavailable" });
});

test.each<[string, () => void | Promise<void>, string]>([
  [
    "fails",
    () => {
      throw new ConnectionError("The disk is full.");
    },
    "The disk is full.",
  ],
  ["is not answered", () => never, "The journal did not answer."],
])("a write that %s ends, although the lease is renewed all the time", async (_, fault, reason) => {
  const table = memoryTable();
  let renewals = 0;
  const lease = await open(
    table.connect({
      fault: (operation) => {
        if (operation === "renew") renewals += 1;
        return operation === "write" ? fault() : undefined;
      },
    }),
  );
  await expect(lease.begin(tool("r/1/1"))).rejects.toMatchObject({
    kind: "unavailable",
    message: `The step "r/1/1" could not be recorded for 2 s: ${reason} Start the run again: what was recorded counts.`,
    cause: { message: reason },
  });
  expect(renewals).toBeGreaterThan(5);
  expect(lease.lost.aborted).toBe(false);
  await lease.close();
  expect(table.ends).toEqual([undefined]);
});

test("steps that never arrive end the attempt to read them, and a page gives it new time", async () => {
  const table = memoryTable();
  const connection = table.connect();
  const slow = { ...connection, load: () => slowPages() };
  let pages = 0;
  async function* slowPages() {
    for (; pages < 3; pages++) {
      await new Promise((resolve) => setTimeout(resolve, 1200));
      yield [{ key: `r/${pages}` }];
    }
    await never;
  }
  await expect(open(slow)).rejects.toMatchObject({ kind: "unavailable" });
  expect(pages).toBe(3);
});

test("a lease that was given back does not try to write any more", async () => {
  const table = memoryTable();
  let isDown = true;
  const lease = await open(
    table.connect({
      fault: (operation) => {
        if (operation === "write" && isDown) throw new ConnectionError("refused");
      },
    }),
  );
  const written = lease.begin(tool("r/1/1"));
  const refused = expect(written).rejects.toThrow("was given back");
  await lease.close();
  isDown = false;
  await refused;
  expect(table.recorded()).toEqual([]);
});

test("a table that says that the journal is gone loses the lease, with its own reason", async () => {
  for (const failing of ["write", "renew"]) {
    const gone = new JournalError("deleted", "The file was deleted.");
    const fault = (operation: string): void => {
      if (operation === failing) throw gone;
    };
    const lease = await open(memoryTable().connect({ fault }));
    if (failing === "write") await expect(lease.begin(tool("r/1/1"))).rejects.toBe(gone);
    expect(await reasonOf(lease.lost)).toBe(gone);
    await lease.close();
  }
});

test("a run does not end if the renewal of its end finds the lease lost", async () => {
  const gone = new JournalError("deleted", "The file was deleted.");
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  const fault = (operation: string): Promise<void> | undefined => {
    if (operation !== "renew") return undefined;
    asked.resolve();
    return answer.promise;
  };
  const lease = await open(memoryTable().connect({ fault }));
  await asked.promise;
  const closed = lease.close({ status: "done" });
  answer.reject(gone);
  await expect(closed).rejects.toBe(gone);
  await lease.close();
});

test("an abort ends the wait for a lease, and a lease that is granted too late is given back", async () => {
  const table = memoryTable();
  const dead = await deadHolder(table);
  const controller = new AbortController();
  const fault = (operation: string): void => {
    if (operation === "claim") setImmediate(() => controller.abort(new Error("enough")));
  };
  await expect(open(table.connect({ fault }), controller.signal)).rejects.toThrow("enough");

  table.moveClock(leaseMs);
  const late = Promise.withResolvers<void>();
  const second = new AbortController();
  const waiting = open(
    table.connect({ fault: (operation) => (operation === "claim" ? late.promise : undefined) }),
    second.signal,
  );
  second.abort(new Error("too late"));
  await expect(waiting).rejects.toThrow("too late");
  late.resolve();
  await vi.waitFor(() => expect(table.operations.at(-1)).toBe("release"));
  await (await open(table.connect())).close();
  await reasonOf(dead.lost);
});

test("a lease whose steps cannot be read is given back", async () => {
  const table = memoryTable();
  const fault = (operation: string): void => {
    if (operation === "load") throw new Error("damaged");
  };
  await expect(open(table.connect({ fault }))).rejects.toThrow("damaged");
  expect(table.operations).toEqual(["claim", "release"]);
  await (await open(table.connect())).close();
});

test("a lease is given back once, and records nothing after that", async () => {
  const table = memoryTable();
  const lease = await open(table.connect());
  await lease.close({ status: "done" });
  await lease.close({ status: "failed" });
  expect(table.ends).toEqual([{ status: "done" }]);
  await expect(lease.begin(tool("r/1/1"))).rejects.toThrow(
    'The lease of the run "r" was given back.',
  );
  await expect(lease.end(tool("r/1/1"), "1")).rejects.toThrow("was given back");
  expect(table.recorded()).toEqual([]);
});

test("no renewal follows a release, and no timer stays", async () => {
  vi.useFakeTimers();
  const timers = countTimers();
  const table = memoryTable();
  const answer = Promise.withResolvers<void>();
  const lease = await open(
    table.connect({
      fault: (operation, when) =>
        operation === "renew" && when === "before" ? answer.promise : undefined,
    }),
  );
  await vi.advanceTimersByTimeAsync(leaseMs / 3);
  const closed = lease.close({ status: "done" });
  await vi.advanceTimersByTimeAsync(1);
  expect(table.operations).toEqual(["claim", "load"]);
  answer.resolve();
  await closed;
  expect(table.operations).toEqual(["claim", "load", "renew", "release"]);
  expect(timers()).toBe(0);
});

/** Lets the clock of this process jump, as after a pause. */
function pauseProcess(): void {
  const { now } = performance;
  vi.spyOn(performance, "now").mockImplementation(() => now.call(performance) + 10 * leaseMs);
}

test("a process that was paused goes on if no other process took the run, even if its connection broke", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const table = memoryTable();
  let breaks = 0;
  const lease = await open(
    table.connect({
      fault: (operation) => {
        if (!["renew", "write"].includes(operation) || breaks === 0) return;
        breaks -= 1;
        throw new ConnectionError("reset");
      },
    }),
  );
  pauseProcess();
  breaks = 2;
  await Promise.all([lease.begin(tool("r/1/1")), vi.advanceTimersByTimeAsync(1000)]);
  expect(table.recorded()).toEqual(["r/1/1 begun"]);
  expect(lease.lost.aborted).toBe(false);
  await lease.close();
});

test("a process that was paused starts no tool if another one has taken the run", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const table = memoryTable();
  const lease = await open(
    table.connect({
      // The other process comes between the write and its answer.
      fault: (operation, when) => {
        if (operation !== "write" || when !== "after") return;
        table.moveClock(leaseMs);
        return table
          .connect()
          .claim("r", leaseMs)
          .then(() => undefined);
      },
    }),
  );
  pauseProcess();
  expect(await kindOf(lease.begin(tool("r/1/1")))).toBe("lost");
});

test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])(
  "`leaseMs: %d` is an error at once",
  (ms) => {
    expect(() => leasedJournal(memoryTable().connect(), { leaseMs: ms })).toThrow("`leaseMs` is");
  },
);
