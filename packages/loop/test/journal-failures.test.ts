import { type Journal, type Message, run } from "@fullstop/loop";
import { isJournalError, JournalError } from "@fullstop/loop/journal";
import { mock } from "@fullstop/provider-mock";
import { expect, test } from "vitest";
import { contents, keys, pay, runJournaled } from "./journaled-run.ts";
import { memoryJournal } from "./memory.ts";
import { recorder, runWatched } from "./tools.ts";

test("a journal that cannot write ends the run: running tools are aborted, no call starts, and the outcome rejects", async () => {
  const broken = new Error("no space left");
  let told: AbortSignal | undefined;
  const slow = recorder("slow", (_, { signal }) => {
    told = signal;
    return new Promise(() => {});
  });
  const spy = recorder("pay");
  const journal = memoryJournal([], ({ key, begun }) => {
    if (key === "r/1/2" && begun) throw broken;
  });
  const calls = [{ name: "slow", input: {} }, ...pay.calls, ...pay.calls];
  await expect(
    runJournaled(journal, [{ calls }], { tools: [slow, spy], limits: { concurrency: 2 } }),
  ).rejects.toBe(broken);
  expect(spy.ran).toEqual([]);
  expect(told?.aborted).toBe(true);
});

test("an abort while the beginning of a tool is written prevents the tool, and the resumed run makes the call", async () => {
  const controller = new AbortController();
  const journal = memoryJournal([], ({ begun }) => begun && controller.abort());
  const first = await runJournaled(journal, [pay], { signal: controller.signal });
  expect([first.outcome.status, first.ran]).toEqual(["aborted", 0]);
  expect(contents(first.outcome.messages)).toEqual([
    "pay was not run: the run was aborted before it started.",
  ]);
  const { outcome, ran } = await runJournaled(journal, ["Done."]);
  expect([contents(outcome.messages), ran]).toEqual([["paid r/1/1"], 1]);
});

test("an abort during approve is not a decision: a resumed run asks again", async () => {
  const journal = memoryJournal();
  const controller = new AbortController();
  const approve = () => {
    setImmediate(() => controller.abort());
    return new Promise<boolean>(() => {});
  };
  await runJournaled(journal, [pay], { approve, signal: controller.signal });
  expect(keys(journal)).toEqual(["r", "r/1/model"]);
  expect((await runJournaled(journal, ["Done."], { approve: () => true })).ran).toBe(1);
});

test("after an abort during compaction the resumed run compacts again", async () => {
  const journal = memoryJournal();
  const controller = new AbortController();
  const said = [{ role: "user" as const, content: "A long story." }];
  const compact = () => {
    setImmediate(() => controller.abort());
    return new Promise<Message[]>(() => {});
  };
  await runJournaled(journal, [{ stop: "context-window" }], {
    messages: said,
    prompt: "And?",
    recovery: { compact },
    signal: controller.signal,
  });
  const short: Message[] = [{ role: "user", content: "Hm?" }];
  const { outcome } = await runJournaled(journal, ["Done."], {
    messages: said,
    prompt: "And?",
    recovery: { compact: () => short },
  });
  expect(outcome.messages.slice(0, 1)).toEqual(short);
});

test("no waiting call starts after the journal failed", async () => {
  const release = Promise.withResolvers<string>();
  const free = Object.assign(
    recorder("free", ({ n }) => (n === 0 ? release.promise : "ran")),
    { idempotent: true },
  );
  const journal = memoryJournal([], ({ key, begun }) => {
    if (key !== "r/1/2" || !begun) return;
    release.resolve("free");
    throw new Error("no space left");
  });
  const calls = [
    { name: "free", input: { n: 0 } },
    ...pay.calls,
    { name: "free", input: { n: 1 } },
  ];
  await expect(
    runJournaled(journal, [{ calls }], {
      tools: [free, recorder("pay")],
      limits: { concurrency: 2 },
    }),
  ).rejects.toThrow("no space left");
  await new Promise((resolve) => setImmediate(resolve));
  expect(free.ran).toEqual([{ n: 0 }]);
});

test("no call starts if its reply cannot be recorded", async () => {
  const journal = memoryJournal([], ({ kind }) => {
    if (kind === "model") throw new Error("no space left");
  });
  const spy = recorder("pay");
  await expect(runJournaled(journal, [pay], { tools: [spy] })).rejects.toThrow("no space left");
  expect(spy.ran).toEqual([]);
});

const prompt = "Go.";
const journaled = (store: Journal) => ({
  adapter: mock([pay]),
  prompt,
  journal: { store, runId: "r" },
});

test("an abort and the deadline end a run whose journal neither opens it nor looks at the signal", async () => {
  const sound = memoryJournal();
  const opening = Promise.withResolvers<void>();
  const store: Journal = { open: async (runId) => opening.promise.then(() => sound.open(runId)) };
  const signal = AbortSignal.timeout(20);
  const limits = { deadlineMs: 20 };
  const [aborted, late] = await Promise.all([
    runWatched({ ...journaled(store), signal }),
    runWatched({ ...journaled(store), limits }),
  ]);
  expect(aborted.outcome).toMatchObject({ status: "aborted" });
  expect(late.outcome).toMatchObject({
    status: "limit",
    limit: "deadlineMs",
    summary: "The run reached its deadline of 0.02 s while it waited for the journal.",
  });
  opening.resolve();
  // What was opened too late is given back.
  await expect.poll(() => sound.ends).toEqual([undefined, undefined]);
  expect(sound.lines).toEqual([]);
});

test("an abort ends a run whose journal does not answer what it has recorded", async () => {
  const sound = memoryJournal();
  const store: Journal = {
    open: async (runId) => ({ ...(await sound.open(runId)), read: () => new Promise(() => {}) }),
  };
  const { outcome } = run({ ...journaled(store), signal: AbortSignal.timeout(20) });
  await expect(outcome()).rejects.toMatchObject({
    kind: "unavailable",
    message: expect.stringMatching(/^The step "r" could not be read within 2 s after the run was/),
  });
});

test("`isJournalError` recognizes an error of another copy of the class, and the kinds that it is given", () => {
  const lost = new JournalError("lost", "It was taken.");
  const copy = Object.assign(new Error("It is locked."), { name: "JournalError", kind: "in-use" });
  expect([lost, copy].map((error) => isJournalError(error))).toEqual([true, true]);
  expect([lost, copy].map((error) => isJournalError(error, "in-use", "damaged"))).toEqual([
    false,
    true,
  ]);
  const others = [new Error("lost"), { name: "JournalError", kind: "lost" }, "lost", undefined];
  expect(others.filter((other) => isJournalError(other))).toEqual([]);
});
