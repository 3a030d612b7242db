import { restateJournal } from "@fullstop/restate";
import { clearRestateState } from "@tooling/test/services";
import { expect, test } from "vitest";
import { letGo, place, resultsOf, startServer, times, until, worldOf } from "./place.ts";

const server = await startServer();

const task = (calls: readonly string[], more: object = {}) => ({
  folder: place.folder,
  calls,
  ...more,
});

/** Why the workflow was paused. */
const paused = () =>
  place.query(
    `select i.id, e.event_json as event from sys_invocation i join sys_journal_events e on i.id = e.id
     where i.target_service_name = '${place.name}' and i.status = 'paused' and e.event_type = 'Paused'`,
  );

test("a paused worker that comes back after its lease has ended records nothing", async () => {
  const stopped = await place.work();
  await place.call("r", "run/send", task(["quick", "charge"]));
  await until(() => times("quick", "result") === 1 && times("charge", "begin") === 1);
  process.kill(stopped.pid, "SIGSTOP");
  await place.work(); // the connections to the paused one are cut
  expect(await place.attach("r")).toMatchObject({ body: { status: "done" } });
  const results = ["did quick", expect.stringContaining("outcome is unknown")];
  expect(resultsOf()).toEqual(results);
  letGo();
  process.kill(stopped.pid, "SIGCONT");
  await until(() => stopped.errors().includes('Another process has taken the run "r"'));
  const journal = restateJournal({ ingressUrl: server.url, name: `${place.name}Journal` });
  const lease = await journal.open("r");
  expect(await lease.read("r/1/2")).toEqual({ state: "begun" });
  expect(await lease.read("r/1/1")).toMatchObject({ state: "ended" });
  await lease.close();
  expect(worldOf().filter((line) => line.startsWith("begin"))).toHaveLength(2);
});

test("if Restate gives up an attempt, the next one joins the run in its process", async () => {
  await place.work({ abortTimeout: 300, leaseMs: 60_000 });
  await place.call("r", "run/send", task(["quick", "charge"]));
  const attempts = () =>
    place.query(
      `select retry_count as count from sys_invocation where target_service_name = '${place.name}' and retry_count > 2`,
    );
  await until(async () => (await attempts()).length > 0);
  letGo();
  expect(await place.attach("r")).toMatchObject({ body: { status: "done" } });
  expect(resultsOf()).toEqual(["did quick", "did charge"]);
  expect(times("charge", "begin")).toBe(1);
});

test("options that `run` refuses end the workflow when it starts", async () => {
  await place.work();
  expect(await place.call("r", "run", task(["quick"], { refused: true }))).toMatchObject({
    status: 400,
    body: { message: expect.stringMatching(/^The run cannot start\. .*limits\.turns/) },
  });
});

test("options that `run` refuses after a deployment pause the workflow, and nothing is lost", async () => {
  const first = await place.work();
  await place.call("r", "run/send", task(["quick", "put"]));
  await until(() => times("quick", "result") === 1 && times("put", "begin") === 1);
  await first.kill();
  const broken = await place.work({ isBroken: true });
  await until(async () => (await paused()).length === 1);
  const [row] = await paused();
  expect(row?.["event"]).toContain("Correct them, deploy, and resume the invocation.");
  await broken.kill();
  letGo();
  await place.work();
  const resumed = await fetch(`${server.adminUrl}/invocations/${row?.["id"]}/resume`, {
    method: "PATCH",
  });
  expect(resumed.ok).toBe(true);
  expect(await place.attach("r")).toMatchObject({ body: { status: "done" } });
  expect(resultsOf()).toEqual(["did quick", "did put"]);
  expect(times("quick", "begin")).toBe(1);
});

test("a reply that is larger than a step pauses the workflow", async () => {
  await place.work({ leaseMs: 60_000 });
  await place.call("r", "run/send", task([], { floods: true }));
  await until(async () => (await paused()).length === 1);
  expect((await paused())[0]?.["event"]).toContain("the journal takes at most 8388608");
});

test("a run whose steps were deleted is paused, and does not begin anew", async () => {
  await place.work();
  await place.call("r", "run/send", task(["quick", "charge"]));
  await until(() => times("quick", "result") === 1 && times("charge", "begin") === 1);
  await clearRestateState(server.adminUrl, `${place.name}Journal`);
  letGo();
  await until(async () => (await paused()).length === 1);
  expect((await paused())[0]?.["event"]).toContain(
    "was deleted from Restate while a run used it. The run was stopped. Find out what its calls did",
  );
  expect([times("quick", "begin"), times("charge", "begin")]).toEqual([1, 1]);
});

test("a run whose steps were deleted after the last one does not end as done", async () => {
  await place.work();
  const name = `${place.name}Journal`;
  const lease = await restateJournal({ ingressUrl: server.url, name }).open("r");
  await lease.end({ key: "r/1/1", kind: "tool" }, "1");
  await clearRestateState(server.adminUrl, name);
  await expect(lease.close({ status: "done" })).rejects.toMatchObject({ kind: "deleted" });
});

test("a process that stops leaves the run to another one", async () => {
  const first = await place.work({ leaseMs: 60_000 });
  await place.call("r", "run/send", task(["quick", "charge"]));
  await until(() => times("quick", "result") === 1 && times("charge", "begin") === 1);
  process.kill(first.pid, "SIGTERM");
  await until(() => first.errors().includes("was interrupted in this process"));
  await place.work();
  expect(await place.attach("r")).toMatchObject({ body: { status: "done" } });
  expect(resultsOf()).toEqual(["did quick", expect.stringContaining("outcome is unknown")]);
  expect([times("quick", "begin"), times("charge", "begin")]).toEqual([1, 1]);
});

test("a run that another process has is tried again until it is free", async () => {
  await place.work();
  const journal = restateJournal({
    ingressUrl: server.url,
    name: `${place.name}Journal`,
    leaseMs: 1000,
  });
  const lease = await journal.open("r");
  await place.call("r", "run/send", task(["quick"]));
  const failures = () =>
    place.query(
      `select last_failure from sys_invocation where target_service_name = '${place.name}' and last_failure is not null`,
    );
  await until(async () => (await failures()).length > 0);
  expect((await failures())[0]?.["last_failure"]).toContain('Another process is running "r"');
  expect(await journal.deleteRun("r")).toBe(false);
  await lease.close();
  expect(await place.attach("r")).toMatchObject({ body: { status: "done" } });
});
