import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { postgresJournal } from "@fullstop/journal-postgres";
import { expect, test } from "vitest";
import { startDatabase, step } from "./database.ts";

const database = await startDatabase();

test("eight processes that begin on an empty database create the tables once", async () => {
  const url = await database.createDatabase();
  const program = fileURLToPath(new URL("./migrator.ts", import.meta.url));
  const children = Array.from({ length: 8 }, (_, position) =>
    spawn(process.execPath, ["--conditions=@fullstop/source", program, url, `run ${position}`], {
      stdio: ["pipe", "pipe", "inherit"],
    }),
  );
  await Promise.all(children.map((child) => once(child.stdout, "data"))); // each is ready
  for (const child of children) child.stdin.end("go\n");
  const codes = await Promise.all(children.map(async (child) => (await once(child, "exit"))[0]));
  expect(codes).toEqual(Array(8).fill(0));
  const pool = database.pool({ connectionString: url });
  const { rows } = await pool.query("select version from fullstop.journal_migrations");
  expect(rows).toEqual([{ version: 1 }, { version: 2 }]);
  expect(await postgresJournal(pool).listRuns()).toHaveLength(8);
});

test("eight connections that create the same tables at once do not fail", async () => {
  const pools = Array.from({ length: 8 }, () => database.pool({ max: 1 }));
  for (let round = 1; round <= 10; round++) {
    await Promise.all(pools.map((pool) => pool.query("select")));
    const journals = pools.map((pool) => postgresJournal(pool, { schema: `at once ${round}` }));
    await Promise.all(journals.map((journal) => journal.migrate()));
  }
});

test("tables and steps also work with a stricter default isolation", async () => {
  const url = await database.createDatabase();
  const name = new URL(url).pathname.slice(1);
  await database
    .pool()
    .query(`alter database ${name} set default_transaction_isolation = 'serializable'`);
  const pools = Array.from({ length: 4 }, () => database.pool({ connectionString: url }));
  await Promise.all(pools.map((pool) => pool.query("select")));
  await Promise.all(
    pools.map(async (pool, position) => {
      const lease = await postgresJournal(pool).open(`r${position}`);
      for (const turn of [1, 2, 3])
        await Promise.all(
          ["a", "b", "c"].map(async (call) => {
            await lease.begin(step(`${turn}/${call}`));
            await lease.end(step(`${turn}/${call}`), "1");
          }),
        );
      await lease.close({ status: "done" });
    }),
  );
  const { rows } = await database
    .pool({ connectionString: url })
    .query("select count(*)::int as ended from fullstop.journal_steps where json = '1'");
  expect(rows).toEqual([{ ended: 36 }]);

  for (let round = 1; round <= 10; round++) {
    const controller = new AbortController();
    const opened = await Promise.allSettled(
      pools.map(async (pool) => {
        const lease = await postgresJournal(pool).open(`shared ${round}`, controller.signal);
        controller.abort(new Error("taken"));
        return lease;
      }),
    );
    const refused = opened.flatMap((one) =>
      one.status === "rejected" ? [one.reason.message] : [],
    );
    expect(refused).toEqual(["taken", "taken", "taken"]);
  }
});

const schemas = ["other", 'Ä "quoted"', "a'b\\c$fullstop$; --", "select", "x".repeat(63)];
test.for(schemas)("the tables can be in the schema %j", async (schema) => {
  const pool = database.pool();
  const journal = postgresJournal(pool, { schema });
  const lease = await journal.open("r");
  await lease.end(step("k"), "1");
  await lease.close({ status: "done" });
  expect(await postgresJournal(pool, { schema }).listRuns()).toHaveLength(1);
  const { rows } = await pool.query(
    "select count(*)::int as tables from pg_tables where schemaname = $1",
    [schema],
  );
  expect(rows).toEqual([{ tables: 3 }]);
});

test.for(["", "x".repeat(64), "a\0b"])("the schema %j is refused at once", (schema) => {
  expect(() => postgresJournal(database.pool(), { schema })).toThrow(
    "Give a name of 1 to 63 bytes",
  );
});

test("a role without rights gets the reason and the remedy, and works after the grant", async () => {
  const owner = database.pool();
  await owner.query("create role worker login");
  const pool = database.pool({ connectionString: database.url.replace("postgres@", "worker@") });
  const schema = "granted";
  const journal = postgresJournal(pool, { schema });
  await expect(journal.open("r")).rejects.toThrow(
    /^PostgreSQL refused the journal: permission denied for database postgres\. Let a role that may create tables call `migrate\(\)` once\. Then grant this role USAGE on the schema "granted"/,
  );
  await postgresJournal(owner, { schema }).migrate();
  await expect(journal.open("r")).rejects.toThrow("permission denied for schema granted");
  await owner.query(`grant usage on schema granted to worker;
    grant usage on all sequences in schema granted to worker;
    grant select, insert, update, delete on all tables in schema granted to worker`);
  const lease = await journal.open("r");
  await lease.end(step("k"), "1");
  await lease.close({ status: "done" });
  expect(await journal.deleteRuns({ endedBefore: new Date("2200-01-01") })).toBe(1);
});

test("tables that were removed meanwhile are an error that says so", async () => {
  const pool = database.pool();
  const journal = postgresJournal(pool, { schema: "removed" });
  const lease = await journal.open("r");
  await pool.query("drop schema removed cascade");
  await expect(lease.end(step("k"), "1")).rejects.toThrow(
    'The tables of the schema "removed" were removed while the journal was used.',
  );
});
