import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sse } from "../src/adapter/index.ts";
import { bytesOf, cutAt, raw, readAll, respond } from "./stream.ts";

const data = async (...chunks: readonly string[]) => (await readAll(respond(chunks), raw)).natives;

/** Each line with its end; a CR, and after it an empty line that ends in LF, would be one CRLF. */
const ended = (lines: readonly string[], ends: readonly string[]): string =>
  lines.reduce((text, line, at) => {
    const lineEnd = ends[at % ends.length] ?? "";
    return text + line + (line === "" && lineEnd === "\n" && text.endsWith("\r") ? "\r" : lineEnd);
  }, "");

describe("server-sent events by their standard", () => {
  test.each([
    ["LF", "data: a\n\ndata: b\n\n"],
    ["CRLF", "data: a\r\n\r\ndata: b\r\n\r\n"],
    ["CR", "data: a\r\rdata: b\r\r"],
    ["all three mixed", "data: a\r\n\rdata: b\n\r\n"],
    ["LF then CR", "data: a\n\rdata: b\r\n\n"],
    ["a byte order mark", "\ufeffdata: a\n\ndata: b\n\n"],
    ["comments", ": hi\n\n:\ndata: a\n: data: no\n\n:\n\ndata: b\n\n"],
    ["no space after the colon", "data:a\n\ndata:b\n\n"],
    [
      "names, ids and retry times",
      "event: x\nid: 1\nretry: 5\ndata: a\n\ndata: b\nevent: error\n\n",
    ],
    [
      "fields that nobody knows",
      "dat: x\ndatas: x\nDATA: x\n data: x\ndata\u0301: x\ndata: a\n\nfoo\ndata: b\n\n",
    ],
    [
      "comments that a gateway sends as data",
      "data: : keepalive\n\ndata: a\n\ndata:: OPENROUTER PROCESSING\r\n\r\ndata:  :\n\ndata: b\n\ndata: : keepalive",
    ],
    ["many blank lines", "\n\n\ndata: a\n\n\n\n\r\r\ndata: b\n\n\n"],
    ["no last blank line", "data: a\n\ndata: b\n"],
    ["no last line end", "data: a\n\ndata: b"],
    ["events without data", "event: ping\n\ndata: a\n\nid: 3\n\ndata: b\n\n"],
  ])("%s", async (_, body) => {
    expect(await data(body)).toEqual(["a", "b"]);
    expect(await data(...body)).toEqual(["a", "b"]);
  });

  test("white space before the first event counts towards the largest size", async () => {
    const { thrown } = await readAll(respond(Array(50).fill(" \n")), { ...raw, maxBytes: 60 });
    expect(thrown).toMatchObject({ kind: "too-large" });
    expect(await data(" \n", "\ufeff ", "data: a\n\n")).toEqual(["a"]);
  });

  test("the name `error` is passed on, of its own event only; a line of bare JSON is data", async () => {
    const body =
      'event: error\ndata: a\n\ndata: b\n\nevent:error\nevent: x\ndata: c\n\nevent: error\n\n{"d":1}\n\n';
    const names: unknown[] = [];
    const parse = (text: string, name?: "error"): string => {
      names.push([text, name]);
      return text;
    };
    for (const chunks of [[body], [...body]]) {
      names.length = 0;
      for await (const _ of await sse(respond(chunks), { parse }));
      expect(names).toEqual([
        ["a", "error"],
        ["b", undefined],
        ["c", undefined],
        ["{}", "error"],
        ['{"d":1}', undefined],
      ]);
    }
  });

  test("a stream is read under the content type of a page; a page is not", async () => {
    const headers = { "content-type": "text/html; charset=utf-8" };
    const read = async (body: string): Promise<readonly unknown[]> => {
      const all: unknown[] = [];
      for await (const batch of await sse(new Response(body, { headers }))) all.push(...batch);
      return all;
    };
    expect(await read('\n: hi\ndata: {"a":1}\n\n')).toEqual([{ a: 1 }]);
    expect(await read('{"a":1}')).toEqual([{ a: 1 }]);
    await expect(read("\n<html>Sign in</html>")).rejects.toThrow(/a page \(text\/html.*Sign in/s);
  });

  test("several data lines are one event with line feeds between them", async () => {
    expect(await data("data: {\ndata:\ndata:  }\n\n")).toEqual(["{\n\n }"]);
    expect(await data("data: a\r\ndata: b\r\r")).toEqual(["a\nb"]);
    expect(await data("data: a\ndata\n\n")).toEqual(["a\n"]);
  });

  test("only the first space after the colon is removed", async () => {
    expect(await data("data:  a \n\ndata:\ta\n\n")).toEqual([" a ", "\ta"]);
  });

  test("an event with empty data is ignored", async () => {
    expect(await data("data: a\n\ndata:\n\ndata\n\ndata: \n\n")).toEqual(["a"]);
  });

  test("a byte order mark elsewhere is data", async () => {
    expect(await data("data: \ufeffa\n\n")).toEqual(["\ufeffa"]);
  });

  test("characters of two, three and four bytes may be cut at every byte", async () => {
    const body = bytesOf('data: {"é":"€ 😀"}\r\n\r\ndata: "ü"\r\n\r\n');
    for (let at = 0; at <= body.length; at++) {
      expect((await readAll(respond([body.slice(0, at), body.slice(at)]))).natives).toEqual([
        { é: "€ 😀" },
        "ü",
      ]);
    }
  });

  test("chunk boundaries and line ends do not change the events", async () => {
    const lineEnd = fc.constantFrom("\n", "\r", "\r\n");
    const written = fc
      .string({
        unit: fc.constantFrom("a", "é", "😀", ":", " ", "d", "{"),
        minLength: 1,
        maxLength: 6,
      })
      // That is a comment.
      .filter((text) => !/^ *:/.test(text));
    const stranger = fc.constantFrom("event: x", ": comment", "", "id", "data2: x", "retry: 1");
    const event = fc.record({
      lines: fc.array(written, { minLength: 1, maxLength: 3 }),
      before: fc.array(stranger, { maxLength: 2 }),
    });
    const cuts = fc.array(fc.nat(), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { minLength: 1, maxLength: 4 }),
        fc.array(lineEnd, { minLength: 1, maxLength: 5 }),
        cuts,
        async (events, ends, places) => {
          const lines = events.flatMap(({ lines: own, before }) => [
            ...before,
            ...own.map((line) => `data: ${line}`),
            "",
          ]);
          const body = ended(lines, ends);
          const { natives } = await readAll(respond(cutAt(bytesOf(body), places)), raw);
          expect(natives).toEqual(events.map(({ lines: own }) => own.join("\n")));
        },
      ),
      { numRuns: 400 },
    );
  });

  test("by default the data is JSON, and [DONE] is skipped", async () => {
    expect(
      await readAll(respond(['data: {"a":1}\n\n', "data: [DONE]\n\n", "data: [DONE] \n\n"])),
    ).toEqual({ natives: [{ a: 1 }] });
  });

  test("an event that `parse` maps to undefined is skipped", async () => {
    const { natives } = await readAll(respond(["data: a\n\ndata: b\n\n"]), {
      parse: (said) => (said === "a" ? undefined : said),
    });
    expect(natives).toEqual(["b"]);
  });

  test("the events of one chunk come in one batch, and a chunk without events gives an empty batch", async () => {
    const batches: unknown[] = [];
    for await (const batch of await sse<string>(
      respond(["data: a\n\ndata: b\n\nda", "ta: c\n\n", ": nothing\n\n"]),
      raw,
    ))
      batches.push(batch);
    expect(batches).toEqual([["a", "b"], ["c"], []]);
  });
});

describe("bodies with faults", () => {
  test("a frame that is not JSON throws after the events before it", async () => {
    const { natives, thrown } = await readAll(respond(['data: 1\n\ndata: {"a"\n\ndata: 2\n\n']));
    expect(natives).toEqual([1]);
    expect(thrown).toMatchObject({ kind: "malformed-reply" });
    expect(String(thrown)).toContain('{"a"');
  });

  test("an incomplete last event was cut, and a complete one counts", async () => {
    expect(await readAll(respond(['data: 1\n\ndata: {"a":2}']))).toEqual({
      natives: [1, { a: 2 }],
    });
    expect(await readAll(respond(['data: 1\n\ndata: {"a":2']))).toMatchObject({
      natives: [1],
      thrown: { kind: "cut" },
    });
    expect(await readAll(respond(["data: 1\n\ndat"]))).toEqual({ natives: [1] });
  });

  test.each(["", "\n\n", " \r\n"])("the body %j is empty", async (body) => {
    expect(await readAll(respond([body]))).toMatchObject({ natives: [], thrown: { kind: "cut" } });
  });

  test("a response without a body is empty", async () => {
    expect(await readAll(new Response(null))).toMatchObject({
      natives: [],
      thrown: { kind: "cut" },
    });
  });

  test("comments alone are not a reply", async () => {
    expect((await readAll(respond([": hi\n\n: hi\n\n"]))).thrown).toMatchObject({
      kind: "malformed-reply",
    });
  });

  test.each(["text/html; charset=utf-8", "application/xhtml+xml", "TEXT/HTML"])(
    "an HTML page (%s) is not a reply, and its beginning is shown",
    async (type) => {
      let cancelled = 0;
      const page = respond(
        ["<!doctype html><title>Sign in</title>", "x".repeat(100_000), "never"],
        {
          headers: { "content-type": type },
          onCancel: () => cancelled++,
        },
      );
      const { thrown } = await readAll(page);
      expect(thrown).toMatchObject({ kind: "malformed-reply" });
      expect(String(thrown)).toContain("Sign in");
      expect(String(thrown).length).toBeLessThan(500);
      expect(cancelled).toBe(1);
    },
  );

  test.each(["text/plain", "text/event-stream"])(
    "an HTML page that is labelled %s is not a reply",
    async (type) => {
      const { thrown } = await readAll(
        respond(["<!doctype html><p>502</p>"], { headers: { "content-type": type } }),
      );
      expect(thrown).toMatchObject({ kind: "malformed-reply" });
      expect(String(thrown)).toContain("502");
    },
  );

  test("invalid UTF-8 is refused, and half a character at the end was cut", async () => {
    expect(
      (await readAll(respond([bytesOf("data: 1\n\n"), new Uint8Array([0x64, 0xff, 0xfe])]))).thrown,
    ).toMatchObject({
      kind: "malformed-reply",
    });
    const cut = await readAll(respond([bytesOf("data: 1\n\n"), bytesOf('data: "é').slice(0, -1)]));
    expect(cut).toMatchObject({ natives: [1], thrown: { kind: "cut" } });
  });

  test("a failing body throws its own error", async () => {
    const broken = new TypeError("terminated");
    expect(await readAll(respond(["data: 1\n\n"], { thrown: broken }))).toEqual({
      natives: [1],
      thrown: broken,
    });
  });

  test("an event over the limit is refused, and the rest of the body is cancelled", async () => {
    let cancelled = 0;
    const line = [
      "data: ",
      ...("x".repeat(90).match(/.{30}/g) ?? []),
      "x".repeat(30),
      "\n\n",
      "data: never\n\n",
    ];
    const { natives, thrown } = await readAll(
      respond(["data: a\n\n", ...line], { onCancel: () => cancelled++ }),
      {
        ...raw,
        maxBytes: 100,
      },
    );
    expect(natives).toEqual(["a"]);
    expect(thrown).toMatchObject({ kind: "too-large" });
    expect(cancelled).toBe(1);
  });

  test("data lines that exceed the limit together are refused", async () => {
    const { thrown } = await readAll(
      respond(Array.from({ length: 20 }, () => "data: 123456789\n")),
      { ...raw, maxBytes: 100 },
    );
    expect(thrown).toMatchObject({ kind: "too-large" });
  });

  test("many events may exceed the limit together", async () => {
    const { natives } = await readAll(
      respond(Array.from({ length: 50 }, () => "data: 123456789\n\n")),
      { ...raw, maxBytes: 100 },
    );
    expect(natives).toHaveLength(50);
  });

  test("one line of ten million characters in small chunks is read", async () => {
    const long = "x".repeat(65_536);
    const { natives } = await readAll(
      respond(['data: "', ...Array.from({ length: 160 }, () => long), '"\n\n']),
    );
    expect(natives).toEqual([long.repeat(160)]);
  });
});

describe("a body that is one JSON value", () => {
  const json = { headers: { "content-type": "application/json; charset=utf-8" } };

  test("is one event, however it is split into chunks", async () => {
    const body = bytesOf('\n{"text":"é 😀"}\n');
    for (let at = 0; at <= body.length; at++) {
      expect(await readAll(respond([body.slice(0, at), body.slice(at)], json))).toEqual({
        natives: [{ text: "é 😀" }],
      });
    }
    expect(
      await readAll(respond(["{}"], { headers: { "content-type": "Application/JSON" } })),
    ).toEqual({ natives: [{}] });
  });

  test.each([undefined, "text/plain", "text/event-stream", "application/octet-stream"])(
    "is one event under the content type %s",
    async (type) => {
      const said = type === undefined ? {} : { headers: { "content-type": type } };
      expect(await readAll(respond(["\n", "\n ", '{"text"', ":1}"], said))).toEqual({
        natives: [{ text: 1 }],
      });
    },
  );

  test("is not assumed if server-sent events are labelled as JSON", async () => {
    expect(
      await readAll(respond(["\n: wait\n\n", 'data: {"text":1}\n\ndata: [DONE]\n\n'], json)),
    ).toEqual({ natives: [{ text: 1 }] });
  });

  test.each(["", " \n", '{"a":', '{"a":"é'])("%j was cut", async (body) => {
    expect(await readAll(respond([body], json))).toMatchObject({
      natives: [],
      thrown: { kind: "cut" },
    });
  });

  test("over the limit is refused and cancelled", async () => {
    let cancelled = 0;
    const long = respond(["[", ..."1".repeat(200), "]"], { ...json, onCancel: () => cancelled++ });
    expect((await readAll(long, { maxBytes: 100 })).thrown).toMatchObject({ kind: "too-large" });
    expect(cancelled).toBe(1);
  });
});

describe("the head", () => {
  test.each(["request-id", "x-request-id"])(
    "gives the status and the request id (%s)",
    async (name) => {
      const headers = { "content-type": "text/event-stream", [name]: "req_1" };
      expect((await sse(respond(["data: 1\n\n"], { status: 201, headers }))).head).toEqual({
        status: 201,
        requestId: "req_1",
      });
    },
  );

  test.each([
    ["JSON", '{"error":{"type":"busy"}}', { error: { type: "busy" } }],
    ["text", "upstream is down", "upstream is down"],
    ["nothing", "", ""],
    ["a page", "<html>502</html>", "<html>502</html>"],
  ])("a failed status with %s throws it, with its headers and body", async (_, body, error) => {
    const { thrown } = await readAll(
      respond([body], {
        status: 529,
        headers: { "retry-after": "7", "content-type": "text/html" },
      }),
    );
    expect(thrown).toMatchObject({ status: 529, error });
    expect((thrown as { headers: Headers }).headers.get("retry-after")).toBe("7");
  });

  test("of a failed status is read only as far as an error needs", async () => {
    let cancelled = 0;
    const endless = respond(
      Array.from({ length: 1000 }, () => "x".repeat(1024)),
      { status: 500, onCancel: () => cancelled++ },
    );
    const { thrown } = await readAll(endless);
    expect(String((thrown as { error: unknown }).error).length).toBeLessThanOrEqual(65_536);
    expect(cancelled).toBe(1);
  });
});
