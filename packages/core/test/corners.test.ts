import { describe, expect, test } from "vitest";
import {
  appendMessage,
  createGate,
  explain,
  type Message,
  readTurn,
  repairHistory,
  restoreTurn,
  salvageTurn,
  type ToolSpec,
  type Turn,
} from "../src/index.ts";
import { acme } from "./acme.ts";
import {
  end,
  input,
  type Native,
  native,
  perTurn,
  piece,
  read,
  seal,
  settle,
  start,
  stop,
  text,
  thinking,
  unclosed,
  usage,
  verdict,
} from "./reply.ts";
import { frame } from "./server.ts";
import { raw, readAll, respond } from "./stream.ts";

const runs = "tool-use, runs read";
const ask = { messages: [{ role: "user", content: "Go." }] } satisfies { messages: Message[] };
const errorOf = (turn: Turn) => ("error" in turn ? turn.error : undefined);

describe("gate", () => {
  test("salvage shows no number that was rounded or became infinite", () => {
    for (const number of ["9007199254740993", "1e999"]) {
      const turn = settle([unclosed("write", `{"n":${number},"content":"half`)]);
      const salvaged = salvageTurn(turn, (_, { complete: whole, incomplete: cut }) => ({
        ...whole,
        content: cut?.text,
      }));
      expect(salvaged?.calls[0].input["n"]).toBeUndefined();
    }
  });
  test.each(["text", "thinking", "tool-input-delta"] as const)(
    "a %s that is no text makes the reply unreadable, and nobody watches it",
    (type) => {
      for (const said of [5, null, { a: 1 }, ["b"]]) {
        const previews: unknown[] = [];
        const gate = createGate(
          acme({ fetch }),
          {},
          { onPreview: (event) => previews.push(event) },
        );
        for (const event of [...input("read", "{}"), stop("tool")]) gate.push(event);
        const before = previews.length;
        gate.push({ type: "tool-input-start", key: 9, name: "read" });
        gate.push({ type, key: 9, text: said });
        expect(verdict(gate.end())).toBe("interrupted, withholds read, read: malformed-frame");
        expect(previews.slice(before)).toEqual([
          { type: "tool-input-start", key: 9, name: "read" },
        ]);
      }
    },
  );
  test("a count that no number holds is none, and the turn can be stored", () => {
    const turn = settle([
      text("Hi."),
      { type: "usage", usage: { input: 3, output: JSON.parse("1e999") } },
      stop("done"),
    ]);
    expect(turn.usage).toEqual({ input: 3, output: 0 });
    expect(restoreTurn(JSON.parse(JSON.stringify(turn)))).toEqual(turn);
  });
  test("an empty unclosed input without usage is withheld where the tool may take properties", () => {
    const schemas = [
      { type: "object", additionalProperties: { type: "number" } },
      { anyOf: [{ properties: { a: {} } }] },
      { allOf: [{ properties: { a: {} } }] },
      { $ref: "#/$defs/a", $defs: { a: { properties: { a: {} } } } },
      { type: "object", patternProperties: { ".": {} } },
    ];
    for (const inputSchema of schemas) {
      const tools: ToolSpec[] = [{ name: "read", description: "", inputSchema }];
      expect([
        inputSchema,
        settle([start(0, "read", "a"), stop("tool")], { tools, adapter: perTurn }).calls.length,
      ]).toEqual([inputSchema, 0]);
    }
  });
  test("a key reused under another name without ids is another input", () => {
    const turn = settle([
      start(0, "read"),
      start(0, "write"),
      piece(0, '{"p":1}'),
      end(0),
      stop("tool"),
    ]);
    expect(turn.calls).toEqual([]);
  });
  test("a listener that throws and is ignored cannot make half a plan run", () => {
    let thrown = false;
    const gate = createGate(
      acme(),
      {},
      {
        onPreview: ({ type }) => {
          if (type === "tool-input-end" && !thrown) {
            thrown = true;
            throw new Error("mine");
          }
        },
      },
    );
    for (const one of [[...read, ...input("list", "{}")], stop("tool", false)] satisfies Native[])
      try {
        gate.push(one);
      } catch {
        /* ignored by the caller */
      }
    expect(gate.end().calls).toEqual([]);
  });
  test("an end for a key never started means nothing, after a word too", () => {
    expect(verdict(settle([read, stop("tool"), end("nobody")]))).toBe(runs);
  });
  test("an end said twice, an empty piece, and noise un-say nothing", () => {
    expect(verdict(settle([read, stop("tool"), end("read")]))).toBe(runs);
    expect(verdict(settle([read, stop("tool"), piece("read", "")]))).toBe(runs);
    expect(verdict(settle([read, stop("tool"), start(9, "", "")]))).toBe(runs);
  });
  test("one text larger than the ceiling is refused", () => {
    expect(settle([text("x".repeat(16 * 1024 * 1024 + 1)), stop("done")]).stopReason).toBe(
      "interrupted",
    );
  });
  test("content after a contradiction inside one native event is not taken", () => {
    const apart: Native[] = [
      start(0, "a", "one"),
      piece(0, '{"x":"'),
      start(0, "b", "two"),
      piece(0, "of b"),
    ];
    expect(settle([apart.flat() as Native]).withheld[0]?.inputText).toBe(
      settle(apart).withheld[0]?.inputText,
    );
  });
  test("a proper prefix deeper than a thousand levels is cut, not invalid", () => {
    expect(
      settle([input("read", `{"a":${"[".repeat(2000)}`), usage(1), stop("tool")]).withheld[0]
        ?.reason,
    ).toBe("input-cut");
  });
  test("an integer that is written with a fraction or an exponent is not rounded either", () => {
    for (const number of ["9007199254740993.0", "9007199254740993e0"])
      expect(settle([input("read", `{"n":${number}}`), stop("tool")]).calls).toEqual([]);
  });
  test("a seal after an empty text does not overwrite the seal of the call before it", () => {
    const turn = settle([
      start(0, "read", "a"),
      piece(0, "{}"),
      seal("A"),
      text(""),
      seal("B"),
      end(0),
      stop("tool"),
    ]);
    expect(turn.message?.content[0]).toMatchObject({ providerData: "A" });
  });
  test("no message ends in thinking: the reasoning before a dropped server call goes with it", () => {
    const last = (...natives: Native[]) => settle(natives).message?.content.at(-1)?.type;
    expect(
      last(text("Hi."), thinking("Hm."), seal("S"), native({}, { opens: "s" }), stop("budget")),
    ).toBe("text");
  });
  test("no message ends in thinking: a cut right after sealed thinking", () => {
    expect(
      settle([text("Hi."), thinking("Hm."), seal("S"), stop("budget")]).message?.content.at(-1)
        ?.type,
    ).toBe("text");
  });
  test("the salvage of a free-form tool is not read as JSON", () => {
    const free: Native = [
      { type: "tool-input-start", key: 0, id: "f", name: "patch", kind: "text" },
      piece(0, '{"a":"half'),
    ];
    const salvaged = salvageTurn(settle([free]), (_, { complete: whole }) => ({
      ...whole,
      made: true,
    }));
    expect(salvaged === undefined || "text" in salvaged.calls[0].input).toBe(true);
  });
  test("a list is no beginning of an input", () => {
    let asked = 0;
    salvageTurn(settle([unclosed("write", '["abc')]), () => void asked++ as undefined);
    expect(asked).toBe(0);
  });
  test("G5: a word that the table names unknown is not said to be unlisted", () => {
    expect(
      errorOf(settle([stop("X")], { adapter: { stops: { X: "unknown" } } }))?.message,
    ).not.toMatch(/does not list/);
  });
  test("explain never says that the connection ended where a frame could not be read", () => {
    const { person, model } = explain(settle([read, piece("nobody", "x"), stop("tool", false)]));
    expect(`${person} ${model}`).not.toMatch(/connection/i);
  });
  test("explain of a salvaged turn does not say that the model finished", () => {
    const salvaged = salvageTurn(
      settle([unclosed("write", '{"a":"x')]),
      (_, { complete: whole }) => whole,
    ) as Turn;
    const { person, model } = explain(salvaged);
    expect(`${person} ${model}`).not.toMatch(/finished|complete/i);
  });
  test("a non-word is not the turn's native word", () => {
    expect(settle([stop("")]).native).toBeUndefined();
  });
});

describe("read", () => {
  test("C7: the word on every chunk, cut inside the frame of the second parallel call, runs nothing", async () => {
    const body =
      frame([start(0, "read", "a"), piece(0, "{}"), stop("done")]) +
      frame([start(1, "write", "b"), piece(1, "{}"), stop("done")]).slice(0, 60);
    expect(
      (await readTurn(acme({ toolInputEnd: "implicit", fetch: async () => respond([body]) }), ask))
        .calls,
    ).toEqual([]);
  });
  test("nothing that an adapter throws makes readTurn reject", async () => {
    for (const thrown of [
      Object.create(null),
      Object.assign(Object.create(null), { message: "m" }),
      {
        toString: () => {
          throw new Error("no");
        },
      },
    ]) {
      await expect(
        readTurn(
          acme({
            open: async () => {
              throw thrown;
            },
          }),
          ask,
        ),
      ).resolves.toMatchObject({ stopReason: "error" });
    }
  });
  test("an unknown error on the first read of an opened reply is a transport error", async () => {
    const adapter = acme({
      open: async () =>
        (async function* () {
          await null;
          if (adapter) throw new Error("Incomplete JSON segment at the end");
          yield [];
        })() as never,
    });
    expect((await readTurn(adapter, ask)).stopReason).toBe("interrupted");
  });
  test("pings after the protocol's own end do not hold the turn", async () => {
    const controller = new AbortController();
    const guard = setTimeout(() => controller.abort(), 8000);
    const adapter = acme({
      open: async (_, signal) =>
        (async function* () {
          yield [read, stop("tool", false)];
          while (!signal.aborted) {
            await new Promise((resolve) => setTimeout(resolve, 300));
            yield [[]];
          }
        })() as never,
    });
    expect(verdict(await readTurn(adapter, ask, { signal: controller.signal }))).toBe(runs);
    clearTimeout(guard);
  });
  test("comments are bytes: keep-alives hold off the time-out", async () => {
    const body = new ReadableStream({
      async start(controller) {
        for (let at = 0; at < 15; at++) {
          await new Promise((resolve) => setTimeout(resolve, 100));
          controller.enqueue(new TextEncoder().encode(": keep-alive\n\n"));
        }
        controller.enqueue(new TextEncoder().encode(frame(stop("done"))));
        controller.close();
      },
    });
    const fetch = async () =>
      new Response(body, { headers: { "content-type": "text/event-stream" } });
    expect((await readTurn(acme({ fetch }), ask, { idleMs: 1000 })).stopReason).toBe("stop");
  });
  test("a status whose body breaks keeps its kind and its wait", async () => {
    const fetch = async () =>
      respond(['{"error"'], {
        status: 429,
        headers: { "retry-after": "7" },
        thrown: new TypeError("terminated"),
      });
    expect(errorOf(await readTurn(acme({ fetch }), ask))).toMatchObject({
      kind: "rate-limit",
      status: 429,
      retryAfterMs: 7000,
    });
  });
  test("the JSON in a genai error's message is read: its code is looked up, its message told", async () => {
    const message = JSON.stringify({
      error: { code: 429, message: "Quota.", status: "RESOURCE_EXHAUSTED" },
    });
    const adapter = acme({
      errors: { RESOURCE_EXHAUSTED: "billing" },
      open: async () => {
        throw Object.assign(new Error(message), { name: "ApiError", status: 429 });
      },
    });
    expect(errorOf(await readTurn(adapter, ask))).toMatchObject({
      kind: "billing",
      code: "RESOURCE_EXHAUSTED",
      message: "429: Quota.",
    });
  });
  test("headers are read whatever their class and the case of their names", async () => {
    const get = (name: string) => (name === "retry-after" ? "3" : null);
    for (const headers of [{ get }, { "Retry-After": "3" }]) {
      expect(
        errorOf(
          await readTurn(
            acme({
              open: async () => {
                throw Object.assign(new Error("x"), { status: 429, headers });
              },
            }),
            ask,
          ),
        )?.retryAfterMs,
      ).toBe(3000);
    }
  });
  test("one event larger than the limit is refused when it comes in one chunk too", async () => {
    expect(
      (await readAll(respond([`data: ${"x".repeat(1000)}\n\n`]), { ...raw, maxBytes: 100 })).thrown,
    ).toMatchObject({
      kind: "too-large",
    });
  });
  test("events before bytes that are not UTF-8 arrive, in the same chunk too", async () => {
    const bytes = new Uint8Array([...new TextEncoder().encode("data: 1\n\n"), 0xff]);
    expect((await readAll(respond([bytes]))).natives).toEqual([1]);
  });
  test("a body that calls itself JSON and is none is not called cut", async () => {
    expect(
      (
        await readAll(
          respond(["<html>502</html>"], { headers: { "content-type": "application/json" } }),
        )
      ).thrown,
    ).toMatchObject({
      kind: "malformed-reply",
    });
  });
  test("ids that are sent fit a rule of an exact length", async () => {
    const asked = Promise.withResolvers<readonly Message[]>();
    const adapter = acme({
      callIds: { maxLength: 9, allowed: /^[a-zA-Z0-9]{9}$/ },
      open: async ({ messages }) => {
        asked.resolve(messages);
        throw new Error("enough");
      },
    });
    await readTurn(adapter, {
      messages: [
        {
          role: "assistant",
          content: [{ type: "tool-call", id: "toolu_0123456789", name: "x", inputText: "{}" }],
        },
        {
          role: "tool",
          content: [{ type: "tool-result", id: "toolu_0123456789", name: "x", content: "" }],
        },
      ],
    });
    expect(JSON.stringify(await asked.promise)).toMatch(/"id":"[a-zA-Z0-9]{9}"/);
  });
  test("a rule with the g flag fits every id alike", async () => {
    const asked = Promise.withResolvers<readonly Message[]>();
    const call = (id: string) => ({ type: "tool-call" as const, id, name: "x", inputText: "{}" });
    const adapter = acme({
      callIds: { maxLength: 64, allowed: /^[a-z]+$/g },
      open: async ({ messages }) => {
        asked.resolve(messages);
        throw new Error("enough");
      },
    });
    await readTurn(adapter, {
      messages: [{ role: "assistant", content: [call("a"), call("b"), call("c")] }],
    });
    expect((await asked.promise)[0]?.content).toMatchObject([
      { id: "a" },
      { id: "b" },
      { id: "c" },
    ]);
  });
});

describe("history and restore", () => {
  const call = (id: string) => ({ type: "tool-call" as const, id, name: "read", inputText: "{}" });
  const result = (id: string) => ({
    type: "tool-result" as const,
    id,
    name: "read",
    content: `of ${id}`,
  });
  test("a repair keeps a recorded result that stands in a later message", () => {
    const split = repairHistory([
      { role: "assistant", content: [call("a"), call("b")] },
      { role: "tool", content: [result("a")] },
      { role: "tool", content: [result("b")] },
    ]);
    expect(JSON.stringify(split.messages)).not.toMatch(/No result was recorded/);
    const between = repairHistory([
      { role: "assistant", content: [call("a")] },
      { role: "user", content: "Wait." },
      { role: "tool", content: [result("a")] },
    ]);
    expect(JSON.stringify(between.messages)).not.toMatch(/No result was recorded/);
  });
  test("results are compared one by one, not as a joined text", () => {
    const history: Message[] = [{ role: "assistant", content: [call("a"), call("b")] }];
    expect(() => appendMessage(history, { role: "tool", content: [result("a\nb")] })).toThrow(
      TypeError,
    );
    expect(() => appendMessage([], { role: "tool", content: [result("")] })).toThrow(TypeError);
  });
  const ended = { stopReason: "stop", text: "", usage: { input: 0, output: 0 } };
  test.each([
    ["a reason in a list", { ...ended, stopReason: ["tool-use"] }],
    ["a block that is null", { ...ended, message: { role: "assistant", content: [null] } }],
    ["withheld calls that are a text", { ...ended, stopReason: "length", withheld: "abc" }],
    [
      "an error of no known kind",
      { ...ended, stopReason: "error", error: { kind: "nonsense", message: 5 } },
    ],
    [
      "the same call twice",
      {
        ...ended,
        stopReason: "tool-use",
        message: { role: "assistant", content: [call("a"), call("a")] },
      },
    ],
  ])("42 a stored turn with %s is refused", (_, stored) => {
    expect(() => restoreTurn(stored)).toThrow(/stored turn/);
  });
});
