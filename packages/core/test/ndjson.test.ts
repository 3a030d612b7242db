import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type EventOptions, ndjson } from "../src/adapter/index.ts";
import { bytesOf, cutAt, type Read, readAll, respond } from "./stream.ts";

const read = (
  chunks: readonly (string | Uint8Array)[],
  options?: EventOptions<unknown>,
): Promise<Read> =>
  readAll(
    respond(chunks, { headers: { "content-type": "application/x-ndjson" } }),
    options,
    ndjson,
  );

describe("lines of JSON", () => {
  test.each([
    ["LF", '{"a":1}\n{"b":"é"}\n'],
    ["CRLF", '{"a":1}\r\n{"b":"é"}\r\n'],
    ["no last line end", '{"a":1}\n{"b":"é"}'],
    ["blank lines", '\n \n{"a":1}\n\n\r\n\t\n{"b":"é"}\n\n'],
    ["a byte order mark", '\ufeff{"a":1}\n{"b":"é"}\n'],
    ["white space around the JSON", ' {"a": 1} \n\t{"b": "é"}\t\n'],
    ["comments", ': keepalive\n{"a":1}\n: keepalive\n{"b":"é"}\n:\n'],
    ["the end of streams of another protocol", '{"a":1}\n{"b":"é"}\n[DONE]\n'],
  ])("%s", async (_, body) => {
    const expected = { natives: [{ a: 1 }, { b: "é" }] };
    expect(await read([body])).toEqual(expected);
    expect(await read([...bytesOf(body)].map((byte) => Uint8Array.of(byte)))).toEqual(expected);
  });

  test("random values in random chunks are read as they were written", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { minLength: 1, maxLength: 5 }),
        fc.array(fc.constantFrom("\n", "\r\n", "\n\n"), { minLength: 1, maxLength: 5 }),
        fc.array(fc.nat(), { maxLength: 12 }),
        async (values, ends, places) => {
          const lines = values.map((value) => JSON.stringify(value));
          const body = lines.map((line, at) => line + (ends[at % ends.length] ?? "")).join("");
          const { natives, thrown } = await read(cutAt(bytesOf(body), places));
          expect(thrown).toBeUndefined();
          expect(natives.map((value) => JSON.stringify(value))).toEqual(lines);
        },
      ),
      { numRuns: 100 },
    );
  });

  test("the events of one chunk come in one batch", async () => {
    const batches: unknown[] = [];
    for await (const batch of await ndjson(respond(["{}\n{}\n{", "}\n", "\n"])))
      batches.push(batch);
    expect(batches).toEqual([[{}, {}], [{}], []]);
  });
});

describe("bodies with faults", () => {
  test("a line that is not JSON throws after the events before it", async () => {
    expect(await read(['{"a":1}\n{"b"\n{"c":1}\n'])).toMatchObject({
      natives: [{ a: 1 }],
      thrown: { kind: "malformed-reply", message: expect.stringContaining('{"b"') },
    });
  });

  test("a body that ends inside a line was cut", async () => {
    const body = bytesOf('{"a":1}\n{"b":"é"}\n');
    const lines = [7, 8, body.length - 1, body.length];
    for (let length = 1; length < body.length; length++) {
      const { natives, thrown } = await read([body.subarray(0, length)]);
      expect(thrown).toEqual(
        lines.includes(length) ? undefined : expect.objectContaining({ kind: "cut" }),
      );
      expect(natives).toHaveLength(lines.filter((end, at) => at % 2 === 0 && end <= length).length);
    }
  });

  test("a JSON body over several lines is one event", async () => {
    for (const value of [{ error: { message: "no", code: [1, 2] } }, [{ error: "no" }]])
      for (const lineEnd of ["\n", "\r\n"]) {
        const body = JSON.stringify(value, null, 2).replaceAll("\n", lineEnd);
        expect(await read([body])).toEqual({ natives: [value] });
        expect(await read([`${body}${lineEnd}`])).toEqual({ natives: [value] });
        expect(await read([body.slice(0, -1)])).toMatchObject({
          natives: [],
          thrown: { kind: "cut" },
        });
      }
    expect(await read(["{\n{\n}\n"])).toMatchObject({ thrown: { kind: "malformed-reply" } });
  });

  test.each(["", "\n\n", " \r\n"])("the body %j is empty", async (body) => {
    expect(await read([body])).toMatchObject({ natives: [], thrown: { kind: "cut" } });
  });

  test.each([
    ["a page", "<!doctype html>\n<title>502</title>\n"],
    ["text without a line end", "upstream connect error"],
    ["server-sent events", "data: {}\n\n"],
  ])("%s is malformed", async (_, body) => {
    expect(await read([body])).toMatchObject({
      natives: [],
      thrown: { kind: "malformed-reply", message: expect.stringContaining(body.slice(0, 8)) },
    });
  });

  test("a page by its content type and a failed status throw before a line is read", async () => {
    const page = respond(["<p>"], { headers: { "content-type": "text/html" } });
    expect(await readAll(page, undefined, ndjson)).toMatchObject({
      thrown: { kind: "malformed-reply" },
    });
    const failed = respond(['{\n  "error": "model not found"\n}'], { status: 404 });
    expect(await readAll(failed, undefined, ndjson)).toMatchObject({
      thrown: { status: 404, error: { error: "model not found" } },
    });
  });

  test("a line that is too long is given up, complete or not", async () => {
    const line = JSON.stringify({ text: "a".repeat(100) });
    for (const body of [line, `{}\n${line}`, `${line}\n`, `{\n"a":"${"a".repeat(100)}`])
      expect(await read([body], { maxBytes: 100 })).toMatchObject({
        thrown: { kind: "too-large" },
      });
    expect(await read([line], { maxBytes: 111 })).toMatchObject({ natives: [expect.anything()] });
  });
});
