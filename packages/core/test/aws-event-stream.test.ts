import { gzipSync } from "node:zlib";
import { Int64 } from "@smithy/core/event-streams";
import { runs } from "@tooling/test/property";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { awsEventStream, type EventOptions } from "../src/adapter/index.ts";
import { event, joined, message, type SdkHeaders, sdkCodec } from "./aws.ts";
import { bytesOf, cutAt, type Read, readAll, respond } from "./stream.ts";

const read = (
  chunks: readonly (string | Uint8Array)[],
  options?: EventOptions<unknown>,
): Promise<Read> =>
  readAll(
    respond(chunks, { headers: { "content-type": "application/vnd.amazon.eventstream" } }),
    options,
    awsEventStream,
  );

const start = event("messageStart", '{"role":"assistant"}');
const stop = event("messageStop", '{"stopReason":"end_turn"}');
const natives = [
  { messageStart: { role: "assistant" } },
  { messageStop: { stopReason: "end_turn" } },
];

/** The message with another number at this place, and with CRCs that are right again if asked. */
function withNumber(
  bytes: Uint8Array,
  at: number,
  value: number,
  crcFrom?: Uint8Array,
): Uint8Array {
  const changed = Uint8Array.from(bytes);
  new DataView(changed.buffer).setUint32(at, value);
  if (crcFrom !== undefined) changed.set(crcFrom, 8);
  return changed;
}

/** Bytes 8 to 11 of a message with this prelude: the SDK computes them. */
function preludeCrc(length: number, headersLength: number): Uint8Array {
  const prelude = new Uint8Array(8);
  const view = new DataView(prelude.buffer);
  view.setUint32(0, length);
  view.setUint32(4, headersLength);
  return crcOf(prelude);
}

/** The table of the standard, bit by bit, so that no code of the reader is used. */
function crcOf(bytes: Uint8Array): Uint8Array {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  }
  const written = new Uint8Array(4);
  new DataView(written.buffer).setUint32(0, (value ^ 0xffffffff) >>> 0);
  return written;
}

/** A message whose prelude says this, with the right CRC of the prelude. */
const withPrelude = (bytes: Uint8Array, length: number, headersLength: number): Uint8Array =>
  withNumber(withNumber(bytes, 0, length), 4, headersLength, preludeCrc(length, headersLength));

/** A message of an event whose headers end with one more text. The SDK writes none twice. */
function withSecondHeader(name: string, value: string): Uint8Array {
  const added = Buffer.from(`\0${name}\u0007\0\0${value}`);
  added[0] = name.length;
  added[name.length + 3] = value.length;
  const headersLength = new DataView(stop.buffer, stop.byteOffset).getUint32(4);
  const end = 12 + headersLength;
  const longer = joined([stop.subarray(0, end), added, stop.subarray(end)]);
  const whole = withPrelude(longer, longer.length, headersLength + added.length);
  return joined([whole.subarray(0, -4), crcOf(whole.subarray(0, -4))]);
}

describe("messages that the AWS SDK wrote", () => {
  test("events and exceptions have the shape of the SDK's unions", async () => {
    const exception = message(
      { ":exception-type": "throttlingException", ":message-type": "exception" },
      '{"message":"Too many requests"}',
    );
    expect(await read([joined([start, stop, exception])])).toEqual({
      natives: [
        ...natives,
        {
          throttlingException: { message: "Too many requests" },
          ":exception-type": "throttlingException",
        },
      ],
    });
  });

  test("an exception is marked, although its name does not show that it is one", async () => {
    const exception = message(
      { ":exception-type": "InternalFailure", ":message-type": "exception" },
      "",
    );
    expect(await read([exception])).toEqual({
      natives: [{ InternalFailure: {}, ":exception-type": "InternalFailure" }],
    });
  });

  test("a message of the type error is its code and its text", async () => {
    const error = message({
      ":message-type": "error",
      ":error-code": "InternalFailure",
      ":error-message": 'Not "available"',
    });
    expect(await read([start, error])).toEqual({
      natives: [
        natives[0],
        { ":error-code": "InternalFailure", ":error-message": 'Not "available"' },
      ],
    });
  });

  test("an event without a payload is empty, and numbers keep their digits", async () => {
    expect(await read([event("ping", "")])).toEqual({ natives: [{ ping: {} }] });
    const { natives: parsed } = await read([event("count", '{"n":9007199254740993}')]);
    expect(JSON.stringify(parsed)).toBe('[{"count":{"n":9007199254740993}}]');
  });

  test("headers of all ten types are skipped, in any order", async () => {
    const others: SdkHeaders = {
      yes: { type: "boolean", value: true },
      no: { type: "boolean", value: false },
      byte: { type: "byte", value: -1 },
      short: { type: "short", value: -300 },
      integer: { type: "integer", value: 70_000 },
      long: { type: "long", value: Int64.fromNumber(2 ** 40) },
      binary: { type: "binary", value: bytesOf(":event-type") },
      text: { type: "string", value: "é 🧊" },
      time: { type: "timestamp", value: new Date(1e12) },
      id: { type: "uuid", value: "00112233-4455-6677-8899-aabbccddeeff" },
    };
    const names = { ":event-type": "x", ":message-type": "event" };
    const before = message(names, "{}", others);
    const after = sdkCodec.encode({
      headers: { ...sdkCodec.decode(message(names)).headers, ...others },
      body: bytesOf("{}"),
    });
    expect(await read([before, after])).toEqual({ natives: [{ x: {} }, { x: {} }] });
  });

  test("the reader agrees with the SDK's about random messages in random chunks", async () => {
    const text = fc.string({ unit: "binary", maxLength: 12 });
    const value = fc.oneof(
      text.map((said) => ({ type: "string" as const, value: said })),
      fc.boolean().map((said) => ({ type: "boolean" as const, value: said })),
      fc.uint8Array({ maxLength: 40 }).map((said) => ({ type: "binary" as const, value: said })),
      fc.integer().map((said) => ({ type: "integer" as const, value: said })),
      fc.uuid().map((said) => ({ type: "uuid" as const, value: said })),
    );
    const name = fc.string({ unit: "binary", minLength: 1, maxLength: 12 });
    const one = fc.record({
      type: text,
      headers: fc.dictionary(name, value, { maxKeys: 4, noNullPrototype: true }),
      payload: fc.json(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(one, { minLength: 1, maxLength: 4 }),
        fc.array(fc.nat(), { maxLength: 12 }),
        async (messages, places) => {
          const written = messages.map(({ type, headers, payload }) =>
            message({ ":event-type": type, ":message-type": "event" }, payload, headers),
          );
          const decoded = written.map((bytes) => {
            const { headers, body } = sdkCodec.decode(bytes);
            const type = JSON.stringify(String(headers[":event-type"]?.value));
            return `{${type}:${new TextDecoder().decode(body)}}`;
          });
          const { natives: own, thrown } = await read(cutAt(joined(written), places));
          expect(thrown).toBeUndefined();
          expect(own.map((said) => JSON.stringify(said))).toEqual(decoded);
        },
      ),
      { numRuns: runs(200) },
    );
  });

  test("a body that ends at any other byte than the end of a message was cut", async () => {
    const body = joined([start, stop]);
    for (let length = 1; length < body.length; length++) {
      if (length === start.length) continue;
      expect(await read([body.subarray(0, length)])).toMatchObject({
        natives: length < start.length ? [] : natives.slice(0, 1),
        thrown: { kind: "cut" },
      });
    }
  });

  test("the events of one chunk come in one batch", async () => {
    const batches: unknown[] = [];
    const chunks = [joined([start, stop, start.subarray(0, 9)]), start.subarray(9, 30)];
    const response = respond([...chunks, start.subarray(30)]);
    for await (const batch of await awsEventStream<object>(response)) batches.push(batch.length);
    expect(batches).toEqual([2, 0, 1]);
  });
});

describe("messages with faults", () => {
  test("a changed bit anywhere in a message is found", async () => {
    for (let bit = 0; bit < stop.length * 8; bit++) {
      const damaged = Uint8Array.from(stop);
      damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(await read([start, damaged, stop])).toMatchObject({
        natives: natives.slice(0, 1),
        thrown: { kind: "malformed-reply" },
      });
    }
  });

  test.each([
    ["the CRC of the prelude", 8, /CRC of its prelude is wrong/],
    ["the CRC of the message", stop.length - 4, /CRC is wrong/],
  ])("%s", async (_, at, text) => {
    const { natives: before, thrown } = await read([start, withNumber(stop, at, 0x01020304)]);
    expect(before).toEqual(natives.slice(0, 1));
    expect(thrown).toMatchObject({ kind: "malformed-reply", message: expect.stringMatching(text) });
  });

  test.each([
    ["a length of 0", 0, 0],
    ["a length without room for the CRCs", 15, 0],
    ["headers that are longer than the message", 100, 85],
    ["headers of 1 MiB", 2 ** 22, 2 ** 20],
    ["headers of 4 GiB", 100, 0xffff_ffff],
  ])("%s is malformed", async (_, length, headersLength) => {
    expect(await read([start, withPrelude(stop, length, headersLength)])).toMatchObject({
      natives: natives.slice(0, 1),
      thrown: { kind: "malformed-reply" },
    });
  });

  test("a message that is shorter than the next one begins is malformed, a longer one is cut", async () => {
    const { byteLength } = stop;
    expect(await read([withPrelude(stop, byteLength - 1, 80), start])).toMatchObject({
      natives: [],
      thrown: { kind: "malformed-reply" },
    });
    expect(await read([withPrelude(stop, byteLength + 200, 80), start])).toMatchObject({
      natives: [],
      thrown: { kind: "cut" },
    });
  });

  test("a length of 4 GiB is refused before more is read", async () => {
    let pulled = 0;
    const prelude = withPrelude(stop, 0xffff_ffff, 80).subarray(0, 12);
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          controller.enqueue(pulled++ === 0 ? prelude : new Uint8Array(1024));
        },
      },
      { highWaterMark: 0 },
    );
    const result = await readAll(new Response(body as BodyInit), undefined, awsEventStream);
    expect(result).toMatchObject({ natives: [], thrown: { kind: "too-large" } });
    expect(pulled).toBe(1);
  });

  test("16 MiB of payload are read, one byte more is refused", async () => {
    const mebi16 = 16 * 1024 * 1024;
    const payload = bytesOf(`"${"a".repeat(mebi16 - 2)}"`);
    const large = event("text", payload);
    const chunks = Array.from({ length: Math.ceil(large.length / 65_536) }, (_, index) =>
      large.subarray(index * 65_536, (index + 1) * 65_536),
    );
    const { natives: [text] = [], thrown } = await read([...chunks, stop]);
    expect(thrown).toBeUndefined();
    expect((text as { text: string }).text).toHaveLength(mebi16 - 2);
    const larger = event("text", joined([payload, bytesOf(" ")]));
    expect(await read([larger])).toMatchObject({ natives: [], thrown: { kind: "too-large" } });
    expect(await read([stop], { maxBytes: 10 })).toMatchObject({ thrown: { kind: "too-large" } });
  });

  test.each([
    ["no type of message", message({ ":event-type": "x" }, "{}")],
    ["an unknown type of message", message({ ":message-type": "toString" }, "{}")],
    ["no type of event", message({ ":message-type": "event" }, "{}")],
    [
      "a type of event that is not a text",
      message({ ":message-type": "event" }, "{}", { ":event-type": { type: "byte", value: 1 } }),
    ],
    ["a payload that is not JSON", event("x", "<html>")],
    ["a payload that is half JSON", event("x", '{"a":')],
    ["a payload with a second member behind its JSON", event("x", '{},"messageStop":{}')],
    ["a header that comes twice", withSecondHeader(":message-type", "event")],
    ["a payload that is not UTF-8", event("x", new Uint8Array([0x22, 0xff, 0x22]))],
  ])("%s is malformed", async (_, damaged) => {
    expect(await read([start, damaged, stop])).toMatchObject({
      natives: natives.slice(0, 1),
      thrown: { kind: "malformed-reply" },
    });
  });
});

describe("bodies that are not an event stream", () => {
  test("a JSON body is one event", async () => {
    expect(await read([' {"output":', '{"a":1}}\n'])).toEqual({ natives: [{ output: { a: 1 } }] });
    const marked = new TextEncoder().encode('\uFEFF{"output":1}');
    for (const chunks of [[marked], [marked.slice(0, 1), marked.slice(1)]])
      expect(await read(chunks)).toEqual({ natives: [{ output: 1 }] });
    expect(await read(['{"output":'])).toMatchObject({ thrown: { kind: "cut" } });
    expect(await read(['{"output" <html>'])).toMatchObject({ thrown: { kind: "malformed-reply" } });
  });

  test.each([
    ["text", "upstream connect error"],
    ["short text", "Bad"],
    ["a page", "<!doctype html><title>502</title>"],
    ["server-sent events", "data: {}\n\n"],
  ])("%s is malformed, and the error shows it", async (_, body) => {
    expect(await read([body])).toMatchObject({
      natives: [],
      thrown: { kind: "malformed-reply", message: expect.stringContaining(body.trim()) },
    });
  });

  test("of a body that is not text the error shows the first bytes", async () => {
    expect(await read([gzipSync(start)])).toMatchObject({
      thrown: { kind: "malformed-reply", message: expect.stringMatching(/bytes 1f 8b 08/) },
    });
  });

  test("an empty body was cut, a failed status throws its body, and the request id is read", async () => {
    expect(await read([])).toMatchObject({ natives: [], thrown: { kind: "cut" } });
    const failed = respond(['{"message":"no"}'], { status: 400 });
    expect(await readAll(failed, undefined, awsEventStream)).toMatchObject({
      thrown: { status: 400, error: { message: "no" } },
    });
    const headers = { "x-amzn-requestid": "r1" };
    expect((await awsEventStream(respond([start], { headers }))).head).toEqual({
      status: 200,
      requestId: "r1",
    });
  });
});
