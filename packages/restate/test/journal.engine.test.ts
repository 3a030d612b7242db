import { inspect } from "node:util";
import { restateJournal } from "@fullstop/restate";
import { expect, test } from "vitest";
import { place, startServer, until } from "./place.ts";

const server = await startServer();

const journalHere = (leaseMs = 3000) =>
  restateJournal({ ingressUrl: server.url, name: `${place.name}Journal`, leaseMs });

test("steps with any key are read again, in pages, by the next lease", async () => {
  await place.work();
  const journal = journalHere(30_000);
  const lease = await journal.open("run/ä 1");
  const large = JSON.stringify({ text: 'a "quoted" ü'.repeat(250_000) });
  const steps = Array.from(
    { length: 130 },
    (_, at) => ({ key: `5 k/${at}\n`, kind: "model" }) as const,
  );
  await Promise.all(steps.slice(0, 120).map((step) => lease.end(step, JSON.stringify(step.key))));
  for (const step of steps.slice(120, 124)) await lease.end(step, large);
  for (const step of steps.slice(124)) await lease.begin(step);
  await lease.close({ status: "done" });
  const next = await journal.open("run/ä 1");
  for (const { key } of steps.slice(0, 120))
    expect(await next.read(key)).toEqual({ state: "ended", json: JSON.stringify(key) });
  for (const { key } of steps.slice(120, 124))
    expect(await next.read(key)).toEqual({ state: "ended", json: large });
  for (const { key } of steps.slice(124)) expect(await next.read(key)).toEqual({ state: "begun" });
  expect(await next.read("other")).toBeUndefined();
  await next.close();
});

test("a step of the largest size is kept, and a larger one is refused", async () => {
  await place.work();
  const journal = journalHere(30_000);
  const lease = await journal.open("r");
  const step = { key: "r/1/1", kind: "tool" } as const;
  const json = JSON.stringify('"'.repeat((8 * 1024 * 1024 - 2) / 2));
  await lease.end(step, json);
  await expect(lease.end(step, `${json} `)).rejects.toMatchObject({ kind: "too-large" });
  await lease.close();
  const next = await journal.open("r");
  expect(await next.read(step.key)).toEqual({ state: "ended", json });
  await next.close();
});

test("writes and leases survive a restart of Restate", async () => {
  await place.work();
  const lease = await journalHere(30_000).open("r");
  await server.kill();
  const written = lease.end({ key: "r/1/1", kind: "tool" }, '"kept"');
  await server.restart();
  await written;
  await lease.close();
  const next = await journalHere().open("r");
  expect(await next.read("r/1/1")).toEqual({ state: "ended", json: '"kept"' });
  await next.close();
});

test("a run is deleted, unless a process has it", async () => {
  await place.work();
  const journal = journalHere(1000);
  const lease = await journal.open("r");
  await lease.end({ key: "r/1/1", kind: "tool" }, '"old"');
  expect(await journal.deleteRun("r")).toBe(false);
  await lease.close();
  expect(await journal.deleteRun("r")).toBe(true);
  expect(
    await place.query(`select key from state where service_name = '${place.name}Journal'`),
  ).toEqual([]);
  const next = await journal.open("r");
  expect(await next.read("r/1/1")).toBeUndefined();
  await next.close();
});

test("after a run was deleted, a process that had it cannot write into its successor", async () => {
  await place.work();
  const call = async (handler: string, request?: object): Promise<unknown> => {
    const response = await fetch(`${server.url}/${place.name}Journal/r/${handler}`, {
      method: "POST",
      ...(request && {
        headers: { "content-type": "application/json" },
        body: JSON.stringify(request),
      }),
    });
    return response.json();
  };
  const claim = () => call("claim", { leaseMs: 1 }) as Promise<{ readonly fence: number }>;
  const { fence: old } = await claim();
  await until(async () => (await call("delete")) === true);
  const { fence } = await claim();
  expect(fence).toBeGreaterThan(old);
  expect(await call("write", { fence: old, key: "r/1/1", json: "1" })).toBe("other");
  expect(await call("renew", { fence: old, leaseMs: 1000 })).toBe("other");
  expect(await call("write", { fence, key: "r/1/1", json: "1" })).toBe("caller");
});

test("without the virtual object, the error says what to serve", async () => {
  const nowhere = restateJournal({ ingressUrl: `${server.url}/`, name: "Nowhere" });
  await expect(nowhere.open("r")).rejects.toThrow(
    'Restate has no virtual object "Nowhere". Serve `object` of the journal',
  );
  const ingressUrl = server.url.replace("://", "://user:pass-word-1@");
  const denied = await restateJournal({ ingressUrl, leaseMs: 1000 })
    .open("r")
    .catch((thrown: unknown) => inspect(thrown));
  expect(denied).toContain("The journal could not be reached");
  expect(denied).not.toContain("pass-word-1");
  expect(() => restateJournal({ ingressUrl: "localhost" })).toThrow(
    "`ingressUrl` of `restateJournal` is not a URL.",
  );
  const wrong = { url: server.url };
  expect(() => restateJournal(wrong as never)).toThrow("Unknown option `url` of `restateJournal`.");
  expect(() => restateJournal({} as never)).toThrow("`ingressUrl` of `restateJournal` is missing.");
});

test("Restate keeps no invocation of the journal", async () => {
  await place.work();
  const lease = await journalHere().open("r");
  await lease.begin({ key: "r/1/1", kind: "tool" });
  await lease.end({ key: "r/1/1", kind: "tool" }, "1");
  await lease.close();
  const rows = await place.query(
    `select target_handler_name as handler from sys_invocation where target_service_name = '${place.name}Journal'`,
  );
  expect(rows.filter(({ handler }) => handler !== "claim")).toEqual([]);
});
