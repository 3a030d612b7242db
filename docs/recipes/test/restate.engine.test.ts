import { setTimeout as sleep } from "node:timers/promises";
import { MissingServiceError, startRestate } from "@tooling/test/services";
import { expect, it, onTestFinished } from "vitest";
import { startModel } from "./model.ts";
import { start } from "./program.ts";

const answerOf = async (url: string, body?: unknown): Promise<unknown> => {
  const headers = { accept: "application/json", "content-type": "application/json" };
  const response = await fetch(url, {
    method: "POST",
    ...(body !== undefined && { headers, body: JSON.stringify(body) }),
  });
  const text = await response.text();
  expect(response.ok, text).toBe(true);
  return text === "" ? undefined : JSON.parse(text);
};

it("restate-worker waits for a decision, and another process continues the run", async ({
  skip,
}) => {
  const restate = await startRestate().catch((thrown: unknown) => {
    if (thrown instanceof MissingServiceError) return skip(thrown.message);
    throw thrown;
  });
  onTestFinished(() => restate.stop());
  const model = await startModel(({ results }) => {
    if (results.length === 0) return { calls: [{ name: "look", input: { order: 7 } }] };
    if (results.length === 1)
      return { calls: [{ name: "refund", input: { order: 7, cents: 4200 } }] };
    return { text: `Done: ${results[1]}` };
  });
  onTestFinished(() => model.close());
  const port = String(20_000 + Math.floor(Math.random() * 10_000));
  const env = {
    PORT: port,
    RESTATE_INGRESS_URL: restate.url,
    SERVICE_URL: restate.url,
    RESTATE_LOGGING: "ERROR",
  };
  const options = { model: model.url, env };

  const first = start("restate-worker", options);
  await first.printed("Serving.");
  await answerOf(`${restate.adminUrl}/deployments`, { uri: `http://127.0.0.1:${port}` });
  const run = `${restate.url}/Refunds/order-7`;
  await answerOf(`${run}/run/send`, "Refund order 7, it came broken.");
  const waitingCalls = async () =>
    (await answerOf(`${run}/waitingCalls`)) as readonly { readonly id: string }[];
  let calls = await waitingCalls();
  for (; calls.length === 0; calls = await waitingCalls()) await sleep(100);
  expect(calls).toEqual([
    expect.objectContaining({
      name: "refund",
      input: { order: 7, cents: 4200 },
      needs: "decision",
    }),
  ]);
  first.kill("SIGTERM");
  await first.ended();

  const second = start("restate-worker", options);
  await second.printed("Serving.");
  await answerOf(`${run}/answer`, { decisions: { [calls[0]?.id ?? ""]: true } });
  const attached = await fetch(`${restate.url}/restate/workflow/Refunds/order-7/attach`);
  expect(await attached.json()).toMatchObject({
    status: "done",
    text: "Done: Refunded 4200 cents of order 7.",
  });
  expect(model.violations).toEqual([]);
});
