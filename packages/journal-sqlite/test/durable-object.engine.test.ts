import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { journalClauses } from "@fullstop/conformance/journal/judge";
import { finalAnswer, renderAnswer } from "@fullstop/conformance/runner";
import { type Received, serve } from "@fullstop/conformance/server";
import { anthropicWire } from "@fullstop/conformance/wires/anthropic";
import {
  MissingServiceError,
  startWorkerd,
  type Worker,
  type WorkerOptions,
} from "@tooling/test/services";
import { afterAll, expect, onTestFinished, test } from "vitest";

const options = {
  entry: join(import.meta.dirname, "clauses-worker.ts"),
  objects: { STORE: "Store" },
} satisfies WorkerOptions;
const worker = await startWorkerd(options).catch((thrown: unknown) => {
  if (thrown instanceof MissingServiceError) return thrown;
  throw thrown;
});

/** A folder of this test, in which modules find the packages. */
function newFolder(): string {
  const parent = join(import.meta.dirname, "../node_modules/.cache");
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, "worker-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const ask = async (asked: Worker, what: string): Promise<unknown> =>
  JSON.parse(await (await asked.dispatchFetch(`http://object/${what}`)).text());

function testIn(running: Worker): void {
  afterAll(() => running.dispose());

  test.each(journalClauses)("$id: $rule", { timeout: 120_000 }, async ({ id }) => {
    const answer = await running.dispatchFetch(`http://${id}/${id}`);
    expect(JSON.parse(await answer.text())).toMatchObject({ status: "kept", broken: [] });
  });

  test("a run is free at once after its object or workerd ended, and its step is in doubt", {
    timeout: 120_000,
  }, async () => {
    const folder = newFolder();
    const first = await startWorkerd({ ...options, folder });
    expect(await ask(first, "begin")).toBe("nothing");
    await first.dispatchFetch("http://object/reset");
    expect(await ask(first, "begin")).toEqual({ state: "begun" });
    await first.dispose();
    const second = await startWorkerd({ ...options, folder });
    expect(await ask(second, "begin")).toEqual({ state: "begun" });
    await second.dispose();
  });

  test("a lease of what was deleted does not write into the run that came after it", async () => {
    expect(await ask(running, "stale")).toBe("lost");
  });
}

/** The Worker of the README. */
function readWorker(): string {
  const text = readFileSync(join(import.meta.dirname, "../README.md"), "utf8");
  const [, code = ""] = /## In a Durable Object[\s\S]*?^```ts\n([\s\S]*?)^```/m.exec(text) ?? [];
  return code;
}

const called = anthropicWire.frames({
  blocks: [{ name: "refund", id: "toolu_1", input: { order: "7" } }],
  stop: "tool_use",
  output: 10,
});

async function testReadme(): Promise<void> {
  const code = readWorker();
  expect(code.trimEnd().split("\n").length).toBeLessThanOrEqual(20);
  const refunds: Received[] = [];
  const prompts: Received[] = [];
  const refunded = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const { url, close } = await serve((request) => {
    if (request.path === "/refunds/7") {
      refunds.push(request);
      refunded.resolve();
      return { chunks: [], fault: refunds.length === 1 ? "stall" : undefined };
    }
    prompts.push(request);
    if (prompts.length === 1) return renderAnswer(anthropicWire, request, { frames: called });
    ended.resolve();
    return finalAnswer(anthropicWire, request);
  });
  onTestFinished(close);
  const folder = newFolder();
  const entry = join(folder, "worker.ts");
  writeFileSync(entry, code);
  const start = (): Promise<Worker> =>
    startWorkerd({
      entry,
      folder,
      objects: { ORDERS: "Order" },
      bindings: { ANTHROPIC_API_KEY: "key" },
      upstream: new URL(url).host,
    });
  const first = await start();
  await first.dispatchFetch("http://127.0.0.1/");
  await refunded.promise;
  await first.dispose();
  const second = await start();
  onTestFinished(() => second.dispose());
  await second.ready; // Nothing but the alarm continues the run.
  await ended.promise;
  const keys = refunds.map(({ headers }) => headers["idempotency-key"]);
  expect(keys).toEqual(["refund/1/1", "refund/1/1"]);
  expect(prompts).toHaveLength(2);
  expect(prompts[1]?.body).toContain("tool_result");
}

if (worker instanceof MissingServiceError)
  test("the journal in a Durable Object", ({ skip }) => skip(worker.message));
else {
  testIn(worker);
  test("the Worker of the README continues after workerd was killed in a call", testReadme);
}
