import zlib from "node:zlib";
import { afterEach, expect, test } from "vitest";
import { utf8 } from "../src/harness/bytes.ts";
import { type RequestHandler, type Serving, serve } from "../src/server.ts";

let serving: Serving | undefined;
afterEach(async () => {
  await serving?.close();
  serving = undefined;
});
const start = async (answer: RequestHandler): Promise<string> => {
  serving = await serve(answer);
  return serving.url;
};

test("it sends the given answer, and keeps the requests", async () => {
  const url = await start(({ body }, n) => ({
    status: 201,
    headers: { "content-type": "text/plain", "x-n": `${n}` },
    chunks: [utf8("a"), utf8(body)],
  }));
  await fetch(`${url}/first`);
  const response = await fetch(`${url}/second?x=1`, {
    method: "POST",
    body: "🧊",
    headers: { "x-api-key": "k" },
  });
  expect([response.status, response.headers.get("x-n"), await response.text()]).toEqual([
    201,
    "1",
    "a🧊",
  ]);
  expect(serving?.requests.map(({ method, path, body }) => [method, path, body])).toEqual([
    ["GET", "/first", ""],
    ["POST", "/second", "🧊"],
  ]);
  expect(serving?.requests[1]?.headers["x-api-key"]).toBe("k");
});

test.each([
  ["gzip", zlib.gzipSync],
  ["deflate", zlib.deflateSync],
  ["br", zlib.brotliCompressSync],
  ["zstd", zlib.zstdCompressSync],
  ["x-unheard-of", Buffer.from],
] as const)("a body that comes as %s is read", async (encoding, encode) => {
  const url = await start(({ body }) => ({ chunks: [utf8(body)] }));
  const body = new Uint8Array((encode as (text: string) => Buffer)('{"tools":[]}'));
  const response = await fetch(url, {
    method: "POST",
    body,
    headers: { "content-encoding": encoding },
  });
  expect(await response.text()).toBe('{"tools":[]}');
});

test("a reset breaks the body after its last chunk", async () => {
  const url = await start(() => ({ chunks: [utf8("data: 1\n\n")], fault: "reset" }));
  const response = await fetch(url);
  await expect(response.text()).rejects.toThrow("terminated");
});

test("a refusal breaks the connection before a byte", async () => {
  const url = await start(() => ({ chunks: [], fault: "refuse" }));
  await expect(fetch(url)).rejects.toThrow("fetch failed");
});

test("a stalled body sends nothing until the server is closed", async () => {
  const url = await start(() => ({ chunks: [utf8("data: 1\n\n")], fault: "stall" }));
  const reader = (await fetch(url)).body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("data: 1\n\n");
  const next = reader?.read();
  await serving?.close();
  serving = undefined;
  await expect(next).rejects.toThrow("terminated");
});

test("an answer that throws breaks the connection and not the server", async () => {
  const url = await start((_, n) => {
    if (n === 0) throw new Error("no answer");
    return { chunks: [utf8("fine")] };
  });
  await expect(fetch(url)).rejects.toThrow("fetch failed");
  expect(await (await fetch(url)).text()).toBe("fine");
});

test("chunks are not produced after the client has left", async () => {
  const left = Promise.withResolvers<void>();
  const endless = function* (): Generator<Uint8Array<ArrayBuffer>> {
    try {
      for (;;) yield utf8("a".repeat(65_536));
    } finally {
      left.resolve();
    }
  };
  const url = await start(() => ({ chunks: endless() }));
  await (await fetch(url)).body?.cancel();
  await left.promise;
});
