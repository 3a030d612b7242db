import { afterAll, expect, it, vi } from "vitest";
import type { Said } from "./model.ts";
import {
  bigCharge,
  databaseOf,
  findPostgres,
  startWorker,
  startWorld,
  threeCalls,
  type Worker,
  type World,
} from "./orders.ts";
import { start } from "./program.ts";

// Each test starts several processes, and the whole suite may run beside it.
vi.setConfig({ testTimeout: 240_000 });

const postgres = await findPostgres();
afterAll(async () => {
  if ("stop" in postgres) await postgres.stop();
});

/** The model asks once, and repeats the results as its answer. */
const askOnce =
  (said: Said) =>
  ({ results }: { readonly results: readonly string[] }): Said =>
    results.length === 0 ? said : { text: results.join("\n") };

const countEffects = ({ effects }: World): Readonly<Record<string, number>> => ({
  reservations: new Set(
    effects.filter(({ path }) => path === "/reservations").map(({ key }) => key),
  ).size,
  charges: effects.filter(({ path }) => path === "/charges").length,
  notices: effects.filter(({ path }) => path === "/notices").length,
});
const once = { reservations: 1, charges: 1, notices: 1 };

const answer = (worker: Worker, body: object): Promise<Response> =>
  worker.send("POST", "/orders/one/answers", JSON.stringify(body));
const begin = (worker: Worker): Promise<Response> =>
  worker.send("POST", "/orders/one", "A bolt, please.");

async function kill(worker: Worker): Promise<void> {
  worker.kill("SIGKILL");
  await expect(worker.ended()).rejects.toThrow("SIGKILL");
}

it("a run that is killed in the middle of three calls has each effect once", async ({ skip }) => {
  if (!("url" in postgres)) return skip(postgres.message);
  const database = databaseOf(postgres);
  const world = await startWorld(askOnce(threeCalls));
  for (const path of ["/reservations", "/charges"]) world.hold(path);
  const first = await startWorker(world, database);
  await begin(first);
  for (const path of ["/reservations", "/charges"]) await world.reached(path);
  await first.printed("one: notify ended");
  await kill(first);
  for (const path of ["/reservations", "/charges"]) world.release(path);

  const second = await startWorker(world, database);
  const { topic, calls } = await second.asks("one");
  expect(calls.map(({ name, needs }) => `${name}: ${needs}`)).toEqual(["charge: settlement"]);
  const settlements = { [calls[0]?.id ?? ""]: { result: "The account says: charged." } };
  await answer(second, { topic, settlements });
  const output = await second.ends("one");
  expect(output?.text).toMatch(
    /^\{"number":\d,"path":"\/reservations"\}\nThe account says: charged\.\n\{"number":\d,"path":"\/notices"\}$/,
  );
  expect(countEffects(world)).toEqual(once);
  expect(world.effects).toHaveLength(4); // the reservation was repeated with its key
  expect(world.model.violations).toEqual([]);
});

it("a run that is killed while the model answers repeats no call", async ({ skip }) => {
  if (!("url" in postgres)) return skip(postgres.message);
  const database = databaseOf(postgres);
  const reached = Promise.withResolvers<void>();
  const killed = Promise.withResolvers<void>();
  const asked: number[] = [];
  const world = await startWorld(async (request) => {
    asked.push(request.results.length);
    if (asked.length === 2) {
      reached.resolve();
      await killed.promise;
    }
    return askOnce(threeCalls)(request);
  });
  const first = await startWorker(world, database);
  await begin(first);
  await reached.promise;
  await kill(first);
  killed.resolve();
  const second = await startWorker(world, database);
  expect((await second.ends("one"))?.status).toBe("done");
  expect(countEffects(world)).toEqual(once);
  expect(world.effects).toHaveLength(3);
  expect(asked).toEqual([0, 3, 3]);
});

it("an approval arrives in another process, and the first click counts", async ({ skip }) => {
  if (!("url" in postgres)) return skip(postgres.message);
  const database = databaseOf(postgres);
  const world = await startWorld(askOnce(bigCharge));
  const first = await startWorker(world, database);
  await begin(first);
  const asked = await first.asks("one");
  expect(asked.calls).toMatchObject([
    { name: "charge", input: { cents: 20_000 }, needs: "decision" },
  ]);
  await kill(first);

  const second = await startWorker(world, database);
  const { topic, calls } = await second.asks("one");
  expect(topic).toBe(asked.topic);
  const [{ id, input } = { id: "", input: {} }] = calls;
  expect((await answer(second, { topic, decisions: { [id]: "yes" } })).status).toBe(400);
  expect((await answer(second, { topic: "answers-9" })).status).toBe(409);
  expect(world.effects).toEqual([]);
  await answer(second, { topic, decisions: { [id]: { allow: input } } });
  await answer(second, { topic, decisions: { [id]: { deny: "Too late." } } });
  expect((await second.ends("one"))?.text).toBe('{"number":1,"path":"/charges"}');
  expect(countEffects(world)).toMatchObject({ charges: 1 });

  await begin(second); // the same id starts no second run
  expect((await second.show("one")).status).toBe("SUCCESS");
  expect(countEffects(world)).toMatchObject({ charges: 1 });
});

it("a run that is killed after an approval asks whether the call happened", async ({ skip }) => {
  if (!("url" in postgres)) return skip(postgres.message);
  const database = databaseOf(postgres);
  const world = await startWorld(askOnce(bigCharge));
  world.hold("/charges");
  const first = await startWorker(world, database);
  await begin(first);
  const approval = await first.asks("one");
  const [{ id } = { id: "" }] = approval.calls;
  await answer(first, { topic: approval.topic, decisions: { [id]: true } });
  await world.reached("/charges");
  await kill(first);
  world.release("/charges");
  const second = await startWorker(world, database);
  const { topic, calls } = await second.asks("one");
  expect(topic).not.toBe(approval.topic);
  expect(calls).toMatchObject([{ name: "charge", needs: "settlement" }]);
  await answer(second, { topic, settlements: { [calls[0]?.id ?? ""]: { result: "charged" } } });
  expect((await second.ends("one"))?.text).toBe("charged");
  expect(countEffects(world)).toMatchObject({ charges: 1 });
});

it("a cancelled run stops its calls, and asks the model nothing more", async ({ skip }) => {
  if (!("url" in postgres)) return skip(postgres.message);
  const world = await startWorld(askOnce(threeCalls));
  world.hold("/charges");
  const worker = await startWorker(world, databaseOf(postgres));
  await begin(worker);
  await world.reached("/charges");
  await worker.send("DELETE", "/orders/one");
  await worker.printed("one: aborted");
  expect(await worker.show("one")).toMatchObject({ status: "CANCELLED", question: null });
  world.release("/charges");
  worker.kill("SIGTERM");
  await worker.ended();
  expect(world.model.requests.filter(({ path }) => path === "/v1/messages")).toHaveLength(1);
  expect(countEffects(world)).toMatchObject({ charges: 1 });
});

it("a run that waits is cancelled, and takes no answer then", async ({ skip }) => {
  if (!("url" in postgres)) return skip(postgres.message);
  const world = await startWorld(askOnce(bigCharge));
  const worker = await startWorker(world, databaseOf(postgres));
  await begin(worker);
  const { topic, calls } = await worker.asks("one");
  await worker.send("DELETE", "/orders/one");
  expect(await worker.show("one")).toMatchObject({ status: "CANCELLED", question: null });
  const decisions = { [calls[0]?.id ?? ""]: true };
  expect((await answer(worker, { topic, decisions })).status).toBe(409);
  expect(world.effects).toEqual([]);
});

it("a run that DBOS starts a second time while it runs has each effect once", async ({ skip }) => {
  if (!("url" in postgres)) return skip(postgres.message);
  const database = databaseOf(postgres);
  const world = await startWorld(askOnce(threeCalls));
  world.hold("/charges");
  const first = await startWorker(world, database);
  await begin(first);
  await world.reached("/charges");
  // A process that starts puts all unfinished workflows into the queue again, because all have the
  // executor id "local". Each process may take them from there.
  const second = await startWorker(world, database);
  await Promise.race([first, second].map((worker) => worker.warned("Another process is running")));
  world.release("/charges");
  for (const worker of [first, second])
    expect((await worker.ends("one"))?.text).toContain("/charges");
  expect(world.effects).toHaveLength(3);
  expect(countEffects(world)).toEqual(once);
});

it("a process that is asked to end lets its run end, and repeats nothing", async ({ skip }) => {
  if (!("url" in postgres)) return skip(postgres.message);
  const database = databaseOf(postgres);
  const world = await startWorld(askOnce(threeCalls));
  world.hold("/charges");
  const first = await startWorker(world, database, { GRACE_MS: "60000" });
  await begin(first);
  await world.reached("/charges");
  first.kill("SIGTERM");
  await expect.poll(() => fetch(first.url).catch(() => "closed")).toBe("closed");
  world.release("/charges");
  expect(await first.ended()).toContain("one: done");
  const second = await startWorker(world, database);
  expect((await second.ends("one"))?.text).toContain("/charges");
  expect(countEffects(world)).toEqual(once);
  expect(world.effects).toHaveLength(3);
});

it("a process that ends at once leaves a call in doubt, and the next one asks", async ({
  skip,
}) => {
  if (!("url" in postgres)) return skip(postgres.message);
  const database = databaseOf(postgres);
  const world = await startWorld(askOnce(threeCalls));
  world.hold("/charges");
  const first = await startWorker(world, database, { GRACE_MS: "0" });
  await begin(first);
  await world.reached("/charges");
  await first.printed("one: notify ended");
  first.kill("SIGTERM");
  expect(await first.ended()).toContain("one: aborted");
  world.release("/charges");
  const second = await startWorker(world, database);
  const { topic, calls } = await second.asks("one");
  expect(calls).toMatchObject([{ name: "charge", needs: "settlement" }]);
  await answer(second, { topic, settlements: { [calls[0]?.id ?? ""]: "did-not-happen" } });
  expect((await second.ends("one"))?.text).toContain("/charges");
  expect(countEffects(world)).toEqual({ ...once, charges: 2 }); // a person said so
});

it("a paused process that comes back does nothing more", async ({ skip }) => {
  if (!("url" in postgres)) return skip(postgres.message);
  const database = databaseOf(postgres);
  const world = await startWorld(askOnce(threeCalls));
  world.hold("/charges");
  const first = await startWorker(world, database);
  await begin(first);
  await world.reached("/charges");
  await first.printed("one: notify ended");
  first.kill("SIGSTOP");
  const second = await startWorker(world, database);
  const { topic, calls } = await second.asks("one");
  world.release("/charges");
  first.kill("SIGCONT");
  await first.warned("Another process has taken the run");
  await answer(second, { topic, settlements: { [calls[0]?.id ?? ""]: "unknown" } });
  for (const worker of [first, second])
    expect((await worker.ends("one"))?.text).toContain("Its outcome is unknown.");
  expect(world.effects).toHaveLength(3);
  expect(countEffects(world)).toEqual(once);
});

it("a process of another workflow version leaves a run alone", async ({ skip }) => {
  if (!("url" in postgres)) return skip(postgres.message);
  const database = databaseOf(postgres);
  const world = await startWorld(askOnce(bigCharge));
  const first = await startWorker(world, database);
  await begin(first);
  const { topic, calls } = await first.asks("one");
  await kill(first);
  const other = await startWorker(world, database, { WORKFLOW_VERSION: "2" });
  await answer(other, { topic, decisions: { [calls[0]?.id ?? ""]: true } });
  await other.send("POST", "/orders/two", "A bolt, please.");
  await other.asks("two");
  expect(await other.show("one")).toMatchObject({ status: "PENDING" });
  expect(world.effects).toEqual([]);
  const same = await startWorker(world, database);
  expect((await same.ends("one"))?.status).toBe("done");
  expect(countEffects(world)).toMatchObject({ charges: 1 });
});

it("control: a call that is a step of the workflow runs twice", async ({ skip }) => {
  if (!("url" in postgres)) return skip(postgres.message);
  const world = await startWorld(() => ({}));
  world.hold("/charges");
  const settings = { model: world.model.url, env: { DATABASE_URL: databaseOf(postgres) } };
  const first = start("test/step-per-call", settings);
  await world.reached("/charges");
  first.kill("SIGKILL");
  await expect(first.ended()).rejects.toThrow("SIGKILL");
  world.release("/charges");
  await start("test/step-per-call", settings).ended();
  expect(countEffects(world)).toMatchObject({ charges: 2 });
});
