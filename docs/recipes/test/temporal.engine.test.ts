import { postgresJournal } from "@fullstop/journal-postgres";
import { MissingServiceError, startTemporal } from "@tooling/test/services";
import { Pool } from "pg";
import { afterAll, expect, it, onTestFinished, vi } from "vitest";
import type { Said } from "./model.ts";
import { bigCharge, findPostgres, startWorld, threeCalls, type World } from "./orders.ts";
import { type Closed, orderOf, type Servers, startWorker } from "./temporal.ts";

// Each test starts several processes, and waits until Temporal misses the heartbeats of a dead one.
vi.setConfig({ testTimeout: 240_000 });

const servers = await findServers();
afterAll(async () => {
  if (servers instanceof Error) return;
  await servers.temporal.stop();
  await servers.postgres.stop();
});

/** Starts the servers, or returns the sentence that says what is missing. */
async function findServers(): Promise<Servers | Error> {
  const temporal = await startTemporal().catch((thrown: unknown) => {
    if (thrown instanceof MissingServiceError) return thrown;
    throw thrown;
  });
  if (temporal instanceof Error) return temporal;
  const postgres = await findPostgres();
  if (!(postgres instanceof Error)) return { temporal, postgres };
  await temporal.stop();
  return postgres;
}

/** The model says these one after the other, and then repeats the results as its answer. */
const play = (...said: readonly Said[]): Promise<World> => {
  let asked = 0;
  return startWorld(({ results }) => said[asked++] ?? { text: results.join("\n") });
};
const countRequests = ({ model }: World): number =>
  model.requests.filter(({ path }) => path === "/v1/messages").length;
const pathsOf = ({ effects }: World): readonly string[] => effects.map(({ path }) => path).sort();

/** The workflow failed with this sentence, and no further attempt was made. */
function expectFinal({ status, closeEvent }: Closed, sentence: string): void {
  expect(status).toBe("FAILED");
  expect(JSON.stringify(closeEvent)).toContain(sentence);
  expect(JSON.stringify(closeEvent)).toContain('"nonRetryable":true');
}

it("a worker that is killed is replaced, and so is one that is asked to end", async ({ skip }) => {
  if (servers instanceof Error) return skip(servers.message);
  const order = orderOf(servers, "moved");
  const world = await play(threeCalls);
  for (const path of ["/reservations", "/charges"]) world.hold(path);
  const first = await startWorker(world, servers);
  await order.begin();
  for (const path of ["/reservations", "/charges"]) await world.reached(path);
  await first.printed("moved: notify ended");
  first.kill("SIGKILL");
  await expect(first.ended()).rejects.toThrow("SIGKILL");
  world.release("/reservations");

  // The reservation is repeated with its key, because its tool is idempotent. A person looks at the charge.
  const second = await startWorker(world, servers);
  await second.printed("moved: waiting");
  expect(pathsOf(world)).toEqual(["/charges", "/notices", "/reservations", "/reservations"]);
  const asked = await order.asks();
  const [{ id, needs } = { id: "" }] = asked.calls;
  expect(needs).toBe("settlement");
  await order.answer({ number: 1, settlements: { [id]: "did-not-happen" } });
  await world.reached("/charges", 2);
  second.kill("SIGTERM");
  expect(await second.ended()).toContain("moved: aborted");
  world.release("/charges");

  const third = await startWorker(world, servers);
  await third.printed("moved: waiting");
  const again = await order.asks(2);
  const [{ id: secondId, name } = { id: "" }] = again.calls;
  expect(name).toBe("charge");
  const settlements = { [secondId]: { result: "The account says: charged." } };
  await order.answer({ number: 2, settlements });
  const { status, result } = await order.ends();
  expect(status).toBe("COMPLETED");
  expect(result?.text).toMatch(
    /^\{"number":\d,"path":"\/reservations"\}\nThe account says: charged\.\n\{"number":\d,"path":"\/notices"\}$/,
  );
  expect(world.effects).toHaveLength(5); // a person said that the first charge did not happen
  expect(new Set(world.effects.map(({ key }) => key)).size).toBe(3);
  expect(countRequests(world)).toBe(2);
  expect(world.model.violations).toEqual([]);
});

it("a call of a cut reply never runs, and the finished one waits for a person", async ({
  skip,
}) => {
  if (servers instanceof Error) return skip(servers.message);
  const order = orderOf(servers, "cut");
  const world = await play({ ...threeCalls, stop: "length" }, bigCharge, bigCharge);
  await startWorker(world, servers);
  await order.begin();
  const asked = await order.asks();
  const [{ id } = { id: "" }] = asked.calls;
  expect(asked.calls).toMatchObject([
    { name: "charge", input: { cents: 20_000 }, needs: "decision" },
  ]);

  // An answer that cannot work fails the workflow. With the same id, the run asks again.
  const wrong = JSON.parse(`{"settlements":{"${id}":"maybe"}}`) as object;
  await order.answer({ number: 1, ...wrong });
  const failed = await order.ends();
  expectFinal(failed, "a value that is not a settlement");
  await order.begin();
  expect(await order.asks()).toEqual(asked);

  await order.answer({ number: 2, decisions: { [id]: true } }); // it was not asked
  await order.answer({ number: 1, decisions: { [id]: { deny: "Ask for less." } } });
  await order.answer({ number: 1, decisions: { [id]: true } }); // a second click
  const [{ id: secondId } = { id: "" }] = (await order.asks(2)).calls;
  expect(world.effects).toEqual([]);
  await order.answer({ number: 2, decisions: { [secondId]: true } });
  const ended = await order.ends();
  expect(ended.result?.text).toContain("Ask for less.");
  await order.begin(); // the run has ended
  expect((await order.ends()).result).toEqual(ended.result);
  expect(pathsOf(world)).toEqual(["/charges"]);
  expect(countRequests(world)).toBe(4);
  expect(world.model.violations).toEqual([]);
});

it("a cancelled workflow stops the calls of its run, and asks the model nothing more", async ({
  skip,
}) => {
  if (servers instanceof Error) return skip(servers.message);
  const order = orderOf(servers, "cancelled");
  const world = await play(threeCalls);
  world.hold("/charges");
  const worker = await startWorker(world, servers);
  await order.begin();
  await world.reached("/charges");
  await order.cancel();
  expect((await order.ends()).status).toBe("CANCELED");
  expect(worker.output()).toContain("cancelled: aborted");
  world.release("/charges");
  worker.kill("SIGTERM");
  await worker.ended();
  expect(pathsOf(world)).toEqual(["/charges", "/notices", "/reservations"]);
  expect(countRequests(world)).toBe(1);
});

it("a run that another process holds is tried again, and a deleted one fails the workflow", async ({
  skip,
}) => {
  if (servers instanceof Error) return skip(servers.message);
  const pool = new Pool({ connectionString: servers.postgres.url });
  onTestFinished(() => pool.end());
  const lease = await postgresJournal(pool, { leaseMs: 1500 }).open("held");
  const world = await play({ text: "Done." }, threeCalls);
  const worker = await startWorker(world, servers);
  const held = orderOf(servers, "held");
  await held.begin();
  await worker.warned("Another process is running");
  expect(countRequests(world)).toBe(0);
  await lease.close();
  expect((await held.ends()).result).toMatchObject({ status: "done", text: "Done." });

  const deleted = orderOf(servers, "deleted");
  world.hold("/charges");
  await deleted.begin();
  await world.reached("/charges");
  await pool.query("delete from fullstop.journal_runs where run_id = 'deleted'");
  expectFinal(await deleted.ends(), "was deleted from PostgreSQL");
  expect(countRequests(world)).toBe(2);
});
