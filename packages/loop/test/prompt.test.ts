import { run } from "@fullstop/loop";
import { mock } from "@fullstop/provider-mock";
import { expect, test } from "vitest";
import { recorder } from "./tools.ts";

const pay = { calls: [{ name: "pay", input: { cents: 500 } }] };

test("the signal of approve aborts with the run, so that an open prompt can close", async () => {
  const controller = new AbortController();
  const spy = recorder("pay");
  const closed: unknown[] = [];
  const approve = (_: unknown, { signal }: { readonly signal: AbortSignal }): Promise<boolean> =>
    new Promise((_resolve, reject) => {
      expect(signal.aborted).toBe(false);
      signal.addEventListener("abort", () => reject(closed.push(signal.reason)));
      setImmediate(() => controller.abort("Ctrl-C"));
    });
  const outcome = await run({
    adapter: mock([pay]),
    tools: [spy],
    approve,
    prompt: "Pay.",
    signal: controller.signal,
  }).outcome();
  expect(outcome.status).toBe("aborted");
  expect(closed).toEqual(["Ctrl-C"]);
  expect(spy.ran).toEqual([]);
});
