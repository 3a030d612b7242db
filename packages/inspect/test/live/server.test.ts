import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { request } from "node:http";
import { connect as connectSocket } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { type LiveServer, serveRecording } from "../../src/live/index.ts";
import { connect, eventsOf, messagesOf, type StreamClient } from "./stream.ts";

const newPath = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "fullstop-live-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, "run.jsonl");
};
async function serve(path: string): Promise<LiveServer> {
  const server = await serveRecording(path);
  onTestFinished(() => server.close());
  return server;
}
async function client(server: LiveServer, lastId?: number): Promise<StreamClient> {
  const connected = await connect(server, lastId);
  onTestFinished(() => connected.close());
  return connected;
}
const toText = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

test("lines arrive as another process writes them, and a line only when it is complete", async () => {
  const path = newPath();
  writeFileSync(path, toText(["one", "two"]));
  const stream = await client(await serve(path));
  expect(await stream.take(2)).toEqual(messagesOf(["one", "two"]));
  // Half of a character and of a line, then the rest.
  const program = `
    const { appendFileSync } = require("node:fs");
    const bytes = Buffer.from("th€ee\\nfour\\nfi");
    appendFileSync(process.argv[1], bytes.subarray(0, 3));
    process.stdin.once("data", () => {
      appendFileSync(process.argv[1], bytes.subarray(3));
      process.exit();
    });
    process.stdout.write("half");`;
  const writer = spawn(process.execPath, ["-e", program, path], { stdio: "pipe" });
  await once(writer.stdout, "data");
  const stranger = await client(await serve(path));
  expect(await stranger.take(2)).toEqual(messagesOf(["one", "two"]));
  writer.stdin.write("go\n");
  await once(writer, "exit");
  expect(await stream.take(2)).toEqual(messagesOf(["th€ee", "four"], 3));
  appendFileSync(path, "ve\r\n");
  expect(await stream.take(1)).toEqual(messagesOf(["five "], 5));
});

test("a client that comes back gets what it does not have", async () => {
  const path = newPath();
  const lines = Array.from({ length: 5000 }, (_, index) => `line ${index} ${"x".repeat(200)}`);
  writeFileSync(path, toText(lines));
  const server = await serve(path);
  expect(await (await client(server)).take(5000)).toEqual(messagesOf(lines));
  expect(await (await client(server, 4998)).take(2)).toEqual(messagesOf(lines.slice(-2), 4999));
});

test("a file that does not exist yet is waited for", async () => {
  const path = newPath();
  const server = await serve(path);
  expect(server.isWaiting).toBe(true);
  const stream = await client(server);
  writeFileSync(path, "one\n");
  expect(await stream.take(1)).toEqual(messagesOf(["one"]));
  expect(server.isWaiting).toBe(false);
});

const replacements: Readonly<Record<string, (path: string, content: string) => void>> = {
  "written anew": writeFileSync,
  "cut short": (path, content) => {
    truncateSync(path);
    appendFileSync(path, content);
  },
  "replaced by another one": (path, content) => {
    writeFileSync(`${path}.new`, content);
    renameSync(`${path}.new`, path);
  },
  "removed and written again": (path, content) => {
    unlinkSync(path);
    writeFileSync(path, content);
  },
};
test.each(Object.entries(replacements))(
  "a file that is %s resets the clients, also those that come back",
  async (_, replace) => {
    const path = newPath();
    writeFileSync(path, toText(["one", "two"]));
    const server = await serve(path);
    const stream = await client(server);
    await stream.take(2);
    // Longer than before: its length does not show that it is another one.
    const lines = ["uno", "due", "tre", "quattro"];
    replace(path, toText(lines));
    const [reset, ...rest] = await stream.take(5);
    expect(reset).toMatchObject({ event: "reset" });
    expect(rest.map(({ data }) => data)).toEqual(lines);
    const late = await (await client(server, 2)).take(5);
    expect(late).toEqual([reset, ...rest]);
    const last = Number(rest.at(-2)?.id);
    expect(await (await client(server, last)).take(1)).toEqual(rest.slice(-1));
  },
);

test("a client that takes nothing costs no memory, and the others get everything", async () => {
  const path = newPath();
  const line = "x".repeat(1024 * 1024);
  for (let count = 0; count < 48; count += 1) appendFileSync(path, `${line}\n`);
  const server = await serve(path);
  const { port } = new URL(server.url);
  const stalled = Array.from({ length: 8 }, () => {
    const socket = connectSocket(Number(port), "127.0.0.1");
    socket.pause();
    socket.write(`GET ${new URL(eventsOf(server)).pathname} HTTP/1.1\r\n`);
    socket.write(`Host: 127.0.0.1:${port}\r\n\r\n`);
    onTestFinished(() => void socket.destroy());
    return socket;
  });
  await Promise.all(stalled.map((socket) => once(socket, "connect")));
  const before = process.memoryUsage();
  const reading = await client(server);
  for (let count = 0; count < 48; count += 1) await reading.take(1);
  const after = process.memoryUsage();
  // All that they do not take would be 384 MB.
  expect(after.external - before.external).toBeLessThan(150 * 1024 * 1024);
});

test("too many pages are refused, and the place of one that leaves is free", async () => {
  const path = newPath();
  writeFileSync(path, "one\n");
  const server = await serve(path);
  const streams = await Promise.all(Array.from({ length: 32 }, () => client(server)));
  const refused = await fetch(eventsOf(server));
  expect([refused.status, await refused.text()]).toEqual([503, expect.stringContaining("Close")]);
  await streams[0]?.close();
  const status = async () => (await client(server)).response.status;
  await expect.poll(status).toBe(200);
});

test("a file that cannot be read any more is reported once, and is followed again", async () => {
  const path = newPath();
  writeFileSync(path, "one\n");
  const errors: string[] = [];
  let onReport = (): void => undefined;
  const reported = new Promise<void>((resolve) => {
    onReport = resolve;
  });
  const onError = (error: Error): void => {
    errors.push(error.message);
    onReport();
  };
  const server = await serveRecording(path, { onError });
  onTestFinished(() => server.close());
  const stream = await client(server);
  await stream.take(1);
  unlinkSync(path);
  mkdirSync(path);
  await reported;
  expect(await (await client(server)).take(1)).toEqual(messagesOf(["one"]));
  rmSync(path, { recursive: true });
  writeFileSync(path, "uno\n");
  expect((await stream.take(2)).map(({ data }) => data)).toEqual(["reset", "uno"]);
  expect(errors).toEqual([expect.stringContaining("is a folder")]);
});

test("`close` ends the streams and the server", async () => {
  const path = newPath();
  writeFileSync(path, "one\n");
  const server = await serveRecording(path);
  const stream = await client(server);
  expect(await stream.take(1)).toEqual(messagesOf(["one"]));
  await server.close();
  expect(await stream.take(1)).toEqual([]);
  await expect(fetch(server.url)).rejects.toThrow();
});

const head = '{"recording":"fullstop","version":1,"startedAt":1}';
const event = (type: string, runId: string, path: readonly string[] = []): string =>
  JSON.stringify({ type, runId, path, turnNumber: 1, at: 1 });

test("`ended` waits for every run, and the pages get the last line", async () => {
  const path = newPath();
  const server = await serve(path);
  let hasEnded = false;
  const ended = server.ended().then(() => {
    hasEnded = true;
  });
  const stream = await client(server);
  const begun = [head, event("request", "a"), event("request", "b"), event("end", "a", ["a/1/1"])];
  writeFileSync(path, toText([...begun, event("end", "a")]));
  await stream.take(5);
  expect(hasEnded).toBe(false);
  appendFileSync(path, toText([event("end", "b")]));
  expect(await stream.take(2)).toEqual(messagesOf([event("end", "b")], 6));
  await ended;
  // A browser that connects again is sent away for good.
  expect((await client(server)).response.status).toBe(204);
});

test("`ended` rejects for a file that is not a recording", async () => {
  const path = newPath();
  const server = await serve(path);
  const ended = expect(server.ended()).rejects.toThrow("A recording is made with");
  writeFileSync(path, "Notes.\n");
  await ended;
});

/** A request whose headers `fetch` does not let a caller set. */
async function ask(url: string, headers: Readonly<Record<string, string>>, method = "GET") {
  const sent = request(url, { headers, method, agent: false }).end();
  const [response] = await once(sent, "response");
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

test("only a reader with the secret, under the address that was printed, gets the page", async () => {
  const path = newPath();
  writeFileSync(path, "SECRET\n");
  const server = await serve(path);
  const { host, port, origin, pathname } = new URL(server.url);
  expect(host).toBe(`127.0.0.1:${port}`);
  const page = await ask(server.url, { host: `localhost:${port}`, origin: "https://evil.example" });
  expect(page.status).toBe(200);
  expect(page.body).toContain("<title>run.jsonl");
  expect(Object.keys(page.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  expect(page.headers).toMatchObject({
    "content-security-policy": expect.stringContaining("frame-ancestors 'none'"),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
  });
  const refused = [
    ["another host", ask(server.url, { host: "evil.example" }), 403],
    ["another host for the lines", ask(eventsOf(server), { host: `evil.example:${port}` }), 403],
    ["no secret", ask(origin, {}), 403],
    ["another secret", ask(`${origin}/${"A".repeat(22)}/events`, {}), 403],
    ["a part of the secret", ask(`${origin}${pathname.slice(0, -2)}/`, {}), 403],
    ["another method", ask(server.url, {}, "POST"), 405],
    ["a question before the request", ask(eventsOf(server), {}, "OPTIONS"), 405],
    ["another path", ask(`${server.url}../${path}`, {}), 403],
    ["another file", ask(`${server.url}run.jsonl`, {}), 404],
  ] as const;
  for (const [name, asked, status] of refused) {
    const { body, ...got } = await asked;
    expect([name, got.status, body.includes("SECRET")]).toEqual([name, status, false]);
  }
});

test("other machines cannot connect", async () => {
  const path = newPath();
  const { port } = new URL((await serve(path)).url);
  const others = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family }) => !internal && family === "IPv4");
  for (const { address } of others) {
    const socket = connectSocket(Number(port), address);
    const [error] = await once(socket, "error");
    expect(error.code).toBe("ECONNREFUSED");
  }
  // The address behind a name of the loopback that is not this one.
  const other = connectSocket(Number(port), "127.0.0.2");
  const [error] = await once(other, "error");
  expect(error.code).toBe("ECONNREFUSED");
});

test("a port that is in use is an error", async () => {
  const { port } = new URL((await serve(newPath())).url);
  await expect(serveRecording(newPath(), { port: Number(port) })).rejects.toThrow("EADDRINUSE");
});

test("options that cannot work are refused with their names", async () => {
  await expect(serveRecording(newPath(), { port: 70_000 })).rejects.toThrow("`port`");
  await expect(serveRecording(newPath(), { prot: 1 } as object)).rejects.toThrow("`port`");
});
