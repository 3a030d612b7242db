import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { expect, test, vi } from "vitest";
import { MissingServiceError, startPostgres } from "../services/index.ts";
import { isGone } from "./is-gone.ts";

async function query(url: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

const untilGone = async (pid: number): Promise<void> => {
  while (!isGone(pid)) await new Promise((resolve) => setTimeout(resolve, 50));
};

const server = await startPostgres().catch((thrown: unknown) => {
  if (thrown instanceof MissingServiceError) return thrown;
  throw thrown;
});

test("a server keeps its data and its port over SIGKILL, and leaves nothing behind", async ({
  skip,
}) => {
  if (server instanceof MissingServiceError) return skip(server.message);
  const { url } = server;
  await query(url, "create table kept as select 7 as value");
  const [{ data_directory: data } = {}] = await query(url, "show data_directory");
  const before = server.pid;
  await server.kill();
  expect(isGone(before)).toBe(true);
  await expect(query(url, "select 1")).rejects.toThrow("ECONNREFUSED");
  await server.restart();
  expect(await query(url, "select value from kept")).toEqual([{ value: 7 }]);
  expect(await query(url, "show fsync")).toEqual([{ fsync: "on" }]);
  await server.restart();
  expect(await query(url, "select value from kept")).toEqual([{ value: 7 }]);
  await server.stop();
  expect(isGone(server.pid)).toBe(true);
  expect(existsSync(dirname(String(data)))).toBe(false);
});

test("a server ends with a process that is killed", async ({ skip }) => {
  if (server instanceof MissingServiceError) return skip(server.message);
  const program = `const { startPostgres } = await import("@tooling/test/services");
    const { pid, url } = await startPostgres();
    console.log(JSON.stringify({ pid, url }));
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const { pid, url } = JSON.parse(line.toString()) as { pid: number; url: string };
  const [{ data_directory: data } = {}] = await query(url, "show data_directory");
  child.kill("SIGKILL");
  await untilGone(pid);
  while (existsSync(dirname(String(data)))) await new Promise((resolve) => setTimeout(resolve, 50));
});

test("without PostgreSQL, the error says what to install", async () => {
  vi.stubEnv("PATH", "");
  const start = startPostgres({ searchIn: [], install: false });
  await expect(start).rejects.toThrow(MissingServiceError);
  await expect(start).rejects.toThrow("Install it (`apt-get install postgresql`");
  vi.unstubAllEnvs();
});

test("a server that cannot start is an error with its last output", async ({ skip }) => {
  if (server instanceof MissingServiceError) return skip(server.message);
  await expect(startPostgres({ settings: { wal_level: "none" } })).rejects.toThrow(
    'invalid value for parameter "wal_level"',
  );
});
