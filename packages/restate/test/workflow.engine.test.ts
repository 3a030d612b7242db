import { join } from "node:path";
import { type AgentRunOptions, agentWorkflow, restateJournal } from "@fullstop/restate";
import { connect } from "@restatedev/restate-sdk-clients";
import { expect, expectTypeOf, test } from "vitest";
import { agentFor, type Task } from "./agent.ts";
import { letGo, place, resultsOf, startServer, times, until, worldOf } from "./place.ts";

const server = await startServer();

const task = (calls: readonly string[], more: object = {}) => ({
  folder: place.folder,
  calls,
  ...more,
});
const started = (name: "charge" | "put" | "slow") => () => times(name, "begin") > 0;

test("an HTTP call starts a run, and gets its outcome without the conversation", async () => {
  await place.work();
  const { status, body } = await place.call("order/7", "run", task(["quick"]));
  expect(status).toBe(200);
  expect(body).toEqual({
    status: "done",
    text: "Done.",
    summary: expect.any(String),
    turns: 2,
    usage: expect.objectContaining({ input: 200 }),
  });
  expect(resultsOf()).toEqual(["did quick"]);
  expect((await place.attach("order/7")).body).toEqual(body);
});

test("a workflow that Restate forgot continues from the journal", async () => {
  await place.work();
  const { body } = await place.call("r", "run", task(["quick"]));
  const [row] = await place.query(
    `select id from sys_invocation where target_service_name = '${place.name}'`,
  );
  const purged = await fetch(`${server.adminUrl}/invocations/${row?.["id"]}/purge`, {
    method: "PATCH",
  });
  expect(purged.ok).toBe(true);
  expect((await place.call("r", "run", task(["quick"]))).body).toEqual(body);
  expect(times("quick", "begin")).toBe(1);
});

for (const store of ["Restate", "SQLite"])
  test(`a worker that is killed repeats nothing that ended, and nothing that may not be repeated: journal in ${store}`, async () => {
    const options = store === "Restate" ? {} : { file: join(place.folder, "runs.db") };
    const worker = await place.work(options);
    await place.call("r", "run/send", task(["quick", "charge", "put", "slow"]));
    await until(() => times("quick", "result") === 1);
    await until(started("charge"));
    await until(started("put"));
    await until(started("slow"));
    await worker.kill();
    letGo();
    await place.work(options);
    expect(await place.attach("r")).toMatchObject({ body: { status: "done", text: "Done." } });
    const inDoubt = expect.stringContaining("outcome is unknown");
    expect(resultsOf()).toEqual(["did quick", inDoubt, "did put", inDoubt]);
    expect(worldOf().filter((line) => /begin (quick|charge|slow)/.test(line))).toHaveLength(3);
    expect([times("put", "begin"), times("put", "end")]).toEqual([2, 1]);
  });

test("if Restate is killed, the run goes on in its process, and no call is in doubt", async () => {
  await place.work({ leaseMs: 60_000 });
  await place.call("r", "run/send", task(["quick", "charge", "put"]));
  await until(() => times("quick", "result") === 1);
  await until(started("charge"));
  await until(started("put"));
  await server.kill();
  letGo();
  await until(() => times("charge", "end") === 1);
  await server.restart();
  expect(await place.attach("r")).toMatchObject({ body: { status: "done" } });
  expect(resultsOf()).toEqual(["did quick", "did charge", "did put"]);
  expect(worldOf().filter((line) => line.startsWith("begin"))).toHaveLength(3);
});

test("a run that is cancelled aborts its tools, and the workflow fails as Restate defines it", async () => {
  await place.work();
  await place.call("r", "run/send", task(["charge"]));
  await until(started("charge"));
  expect((await place.call("r", "cancel")).status).toBe(200);
  expect(await place.attach("r")).toMatchObject({ status: 409, body: { message: "Cancelled" } });
  await until(() => times("charge", "abort") === 1);
  expect([times("charge", "begin"), times("charge", "end")]).toEqual([1, 0]);
});

test("a run waits for a decision that another process gets over HTTP", async () => {
  const first = await place.work();
  await place.call("r", "run/send", task(["pay", "quick"], { asks: true }));
  const [call] = await place.waitFor("r");
  expect(call).toMatchObject({ name: "pay", needs: "decision" });
  await first.kill();
  const { pid } = await place.work();
  const id = call?.id ?? "";
  expect(await place.call("r", "answer", { decisions: { other: true } })).toMatchObject({
    status: 400,
    body: { message: `\`decisions\` names "other", but the run waits for "${id}".` },
  });
  expect((await place.call("r", "answer", {})).status).toBe(400);
  expect((await place.call("r", "answer", { decision: { [id]: true } })).status).toBe(400);
  expect(await place.waitFor("r")).toEqual([call]);
  expect((await place.call("r", "answer", { decisions: { [id]: true } })).status).toBe(200);
  expect(await place.attach("r")).toMatchObject({ body: { status: "done" } });
  expect(worldOf().filter((line) => line.startsWith("begin pay"))).toEqual([`begin pay ${pid}`]);
  expect(await place.call("r", "answer", { decisions: { [id]: true } })).toMatchObject({
    status: 409,
  });
  expect((await place.call("r", "waitingCalls")).body).toEqual([]);
});

test("a client of Restate knows the types of the handlers", async () => {
  await place.work();
  const { name } = place;
  const workflow = agentWorkflow({
    name,
    journal: { store: restateJournal({ ingressUrl: server.url }) },
    agent: (input: Task, context): AgentRunOptions<{ readonly city: string }> =>
      agentFor(input, context) as never,
  });
  const client = connect({ url: server.url }).workflowClient<typeof workflow>({ name }, "r");
  await client.workflowSubmit({ folder: place.folder, calls: ["pay"], asks: true });
  const [call] = await place.waitFor("r");
  expect(await client.waitingCalls()).toEqual([call]);
  await client.answer({ decisions: { [call?.id ?? ""]: { deny: "Too much." } } });
  const result = await client.workflowAttach();
  if (result.status === "done")
    expectTypeOf(result.output).toEqualTypeOf<{ readonly city: string }>();
  expectTypeOf(result).not.toHaveProperty("messages");
  expect([result.status, result.text]).toEqual(["done", "Done."]);
  expect(resultsOf()).toEqual([expect.stringContaining("Too much.")]);
});

test("a run waits for the result of a tool that runs elsewhere", async () => {
  await place.work();
  await place.call("r", "run/send", task(["locate"]));
  const [call] = await place.waitFor("r");
  expect(call).toMatchObject({ name: "locate", needs: "result" });
  const results = { [call?.id ?? ""]: { city: "Oslo" } };
  expect((await place.call("r", "answer", { results })).status).toBe(200);
  expect(await place.attach("r")).toMatchObject({ body: { status: "done" } });
  expect(resultsOf()).toEqual(['{"city":"Oslo"}']);
});

test("a call in doubt waits for a person who settles it over HTTP", async () => {
  const first = await place.work({ settlesLater: true });
  await place.call("r", "run/send", task(["quick", "charge"]));
  await until(() => times("quick", "result") === 1);
  await until(started("charge"));
  await first.kill();
  await place.work({ settlesLater: true });
  const [call] = await place.waitFor("r");
  expect(call).toMatchObject({ name: "charge", needs: "settlement" });
  const settlements = { [call?.id ?? ""]: { result: "It was charged." } };
  expect((await place.call("r", "answer", { settlements })).status).toBe(200);
  expect(await place.attach("r")).toMatchObject({ body: { status: "done" } });
  expect(resultsOf()).toEqual(["did quick", "It was charged."]);
  expect([times("charge", "begin"), times("quick", "begin")]).toEqual([1, 1]);
});

test("a run that is cancelled while it waits is aborted in the journal too", async () => {
  await place.work();
  await place.call("r", "run/send", task(["pay"], { asks: true }));
  await place.waitFor("r");
  await place.call("r", "cancel");
  expect((await place.attach("r")).status).toBe(409);
  const [row] = await place.query(
    `select value_utf8 as lease from state where service_name = '${place.name}Journal' and key = 'lease'`,
  );
  expect(JSON.parse(String(row?.["lease"]))).toMatchObject({
    until: 0,
    end: { status: "aborted" },
  });
});
