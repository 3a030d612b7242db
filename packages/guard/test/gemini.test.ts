import { afterAll, describe, expect, test } from "vitest";
import {
  ask,
  bodyShape,
  candidatesOf,
  end,
  endOf,
  event,
  geminiRequest,
  leaks,
  partsOf,
  played,
  shapes,
} from "./gemini.ts";
import { type PlayedReply, startServer } from "./server.ts";

let replies: readonly PlayedReply[] = [];
let asked = 0;
const server = await startServer(
  () => replies[Math.min(asked++, replies.length - 1)] ?? { chunks: [] },
);
afterAll(() => server.close());
const play = (...next: readonly PlayedReply[]): void => {
  replies = next;
  asked = 0;
};

const read = (id: string | undefined, path: string, rest: object = {}): object => ({
  functionCall: { ...(id !== undefined && { id }), name: "read", args: { path } },
  ...rest,
});
const said = { text: "I read." };
const call = event([read("c1", "/a", { thoughtSignature: "c2ln" }) as never]);
const forms = Object.entries(shapes);

describe.each(forms)("As %s", (_, shape) => {
  test("text and calls of a finished reply leave in their order, byte for byte", async () => {
    const events = [event([said]), call, event([{ text: "More." }]), end("STOP")];
    play(played(shape, events));
    const { text, report } = await ask(server, shape);
    expect(text).toBe(shape.render(events));
    expect(report).toMatchObject({ action: "passed", turn: { stopReason: "tool-use" } });
  });
  test("a finished reply leaves byte for byte if the index of its candidate is a text", async () => {
    const events = [event([said]), call, end("STOP")].map((one) =>
      one.replaceAll('"index":0', '"index":"0"'),
    );
    play(played(shape, events));
    const { text } = await ask(server, shape);
    expect(text).toContain('"index":"0"');
    expect(text).toBe(shape.render(events));
  });
  test("the worst word counts, also under the name of another protocol", async () => {
    play(played(shape, [event([said]), call, end("STOP", { finish_reason: "MAX_TOKENS" })]));
    const { text, report } = await ask(server, shape);
    expect([report?.action, leaks(text)]).toEqual(["ended", false]);
    expect(endOf(shape.parse(text))).toBe("MAX_TOKENS");
  });
  test("a call that the host says twice leaves once, with its signature", async () => {
    play(played(shape, [event([said]), call, call, end("STOP")]));
    const { text, report } = await ask(server, shape);
    const events = shape.parse(text);
    expect(report?.action).toBe("rewritten");
    expect(partsOf(events)).toEqual([
      said,
      {
        functionCall: { id: "c1", name: "read", args: { path: "/a" } },
        thoughtSignature: "c2ln",
      },
      { text: "" },
    ]);
    expect(endOf(events)).toBe("STOP");
  });
  test("events that the host says twice leave one finish reason", async () => {
    const last = event([{ text: "More." }, read("c2", "/b") as never], { finishReason: "STOP" });
    play(played(shape, [call, last, last]));
    const { text, report } = await ask(server, shape);
    expect(report).toMatchObject({ action: "rewritten", turn: { stopReason: "tool-use" } });
    expect(text.match(/"STOP"/g)).toHaveLength(1);
    expect(endOf(shape.parse(text))).toBe("STOP");
  });
  test("an empty call that belongs to no call is left out", async () => {
    play(played(shape, [event([{ functionCall: {} }]), call, end("STOP")]));
    const { text, report } = await ask(server, shape);
    expect(report?.action).toBe("rewritten");
    expect(text.match(/"functionCall"/g)).toHaveLength(1);
  });
  test("calls of another candidate are never given out", async () => {
    const other = event([{ text: "B" }, read("c2", "/b") as never], { finishReason: "STOP" }, 1);
    play(played(shape, [call, other, end("STOP")]));
    const { text } = await ask(server, shape);
    expect(text).not.toContain("/b");
    const [first, second] = [0, 1].map((at) =>
      candidatesOf(shape.parse(text)).filter(({ index }) => index === at),
    );
    expect(JSON.stringify(first)).toContain('"c1"');
    expect(second).toEqual([
      { content: { parts: [{ text: "B" }], role: "model" }, finishReason: "MAX_TOKENS", index: 1 },
    ]);
  });
  test("a call that is only in another candidate is an error if one was requested", async () => {
    const other = event([read("c2", "/b") as never], { finishReason: "STOP" }, 1);
    const reply = played(shape, [event([said]), other, end("STOP")]);
    play(reply);
    const one = await ask(server, shape);
    expect(one.report).toMatchObject({ action: "failed", turn: { stopReason: "interrupted" } });
    play(reply);
    const request = { ...geminiRequest, generationConfig: { candidateCount: 2 } };
    const two = await ask(server, shape, {}, request);
    expect(two.report).toMatchObject({ turn: { stopReason: "stop" } });
    expect([one, two].map(({ text }) => leaks(text))).toEqual([false, false]);
  });
  test("a call in snake case is held, and an error says that it cannot be read", async () => {
    play(played(shape, [event([said]), event([{ function_call: { name: "read" } }]), end("STOP")]));
    const { text, report } = await ask(server, shape);
    expect(leaks(text)).toBe(false);
    expect(report).toMatchObject({
      action: "failed",
      turn: {
        stopReason: "interrupted",
        error: { message: expect.stringContaining("`function_call`") },
      },
    });
  });
  test("a number beyond 2^53 beside a withheld call keeps its digits", async () => {
    const big = event([said], { avgLogprobs: 0 }).replace(
      '"avgLogprobs":0',
      '"big":9007199254740993',
    );
    const both = big.replace('"text":"I read."', '"functionCall":{"name":"read","args":{}}');
    play(played(shape, [both, end("MAX_TOKENS")]));
    const { text } = await ask(server, shape);
    expect(leaks(text)).toBe(false);
    expect(text).toContain('"big":9007199254740993');
  });
  test("normalized calls have ids and inputs, and streamed inputs are one", async () => {
    const events = [
      event([{ functionCall: { name: "list" } }]),
      event([{ functionCall: { name: "read", willContinue: true } }]),
      event([
        {
          functionCall: {
            partialArgs: [{ jsonPath: "$.path", stringValue: "/a" }],
            willContinue: true,
          },
        },
      ]),
      event([{ functionCall: {} }]),
      end("STOP"),
    ];
    play(played(shape, events));
    expect((await ask(server, shape)).text).toBe(shape.render(events));
    play(played(shape, events));
    const { text, report } = await ask(server, shape, { normalizeCalls: true });
    expect(report?.action).toBe("rewritten");
    expect(partsOf(shape.parse(text)).flatMap(({ functionCall }) => functionCall ?? [])).toEqual([
      { id: expect.stringMatching(/^call_/), name: "list", args: {} },
      { id: expect.stringMatching(/^call_/), name: "read", args: { path: "/a" } },
    ]);
  });
  test("a reply that is asked again has the same contents and a larger cap", async () => {
    play(played(shape, [call, end("MAX_TOKENS")]), played(shape, [call, end("STOP")]));
    const request = { ...geminiRequest, generationConfig: { maxOutputTokens: 12 } };
    const { text, report } = await ask(server, shape, { reask: true }, request);
    expect(text).toBe(shape.render([call, end("STOP")]));
    expect(report?.action).toBe("passed");
    const sent = JSON.parse(server.requests.at(-1)?.body ?? "");
    const again = { ...geminiRequest, generationConfig: { maxOutputTokens: 24 } };
    expect(shape.isNested ? sent.request : sent).toEqual(again);
  });
  test("a call before the reply of another model never leaves", async () => {
    const other = event([{ text: "Sorry." }], { finishReason: "STOP" })
      .replace("r1", "r2")
      .replace("gemini-3.1-pro", "gemini-3.8-flash");
    play(played(shape, [call, other]));
    const { text, report } = await ask(server, shape);
    expect([report?.action, leaks(text)]).toEqual(["failed", false]);
  });
  test("a text that no one finished ends as an error, and the connection ends cleanly", async () => {
    play(played(shape, [event([said])]));
    const { text, status, isBroken } = await ask(server, shape);
    expect(isBroken).toBe(false);
    expect(text).toContain('"error":{"code":502,"message":"Network error: ');
    if (status === 200) expect(text.startsWith(shape.render([event([said])]))).toBe(true);
  });
  test("a reply in a form that the guard does not know passes", async () => {
    const events = ['{"later":{"text":"a"}}'];
    play(played(shape, events));
    expect((await ask(server, shape)).text).toBe(shape.render(events));
  });
});

describe("The ending of a withheld call", () => {
  const note = (): string => "Held back.";
  test("takes the place of the last call; events with nothing left go away", async () => {
    const events = [
      event([said]),
      call,
      event([{ text: "", thoughtSignature: "c2lnMg==" }]),
      call,
      end("MAX_TOKENS", { finishMessage: "At the limit." }),
    ];
    play(played(shapes.events, events));
    const { text } = await ask(server, shapes.events, { note });
    const [first = "", , third = "", , last = ""] = events;
    expect(text).toBe(
      [first, third].map((one) => `data: ${one}\r\n\r\n`).join("") +
        `data: ${event([{ text: "\n\nHeld back." }])}\n\ndata: ${last}\r\n\r\n`,
    );
  });
  test("in the event that ends the reply has no empty part, and no message of another end", async () => {
    const last = event([{ text: "" }, read(undefined, "/a") as never], {
      finishReason: "STOP",
      finishMessage: "Model generated function call(s).",
      groundingMetadata: {},
    });
    for (const shape of [shapes.events, shapes.list, bodyShape]) {
      play(
        played(shape, [last.replace('"candidatesTokenCount":12', '"candidatesTokenCount":1024')]),
      );
      const { text } = await ask(server, shape, { note });
      expect(candidatesOf(shape.parse(text))).toEqual([
        {
          content: { parts: [{ text: "Held back." }], role: "model" },
          finishReason: "MAX_TOKENS",
          groundingMetadata: {},
          index: 0,
        },
      ]);
      expect(text).toContain('"totalTokenCount":37');
    }
  });
  test("keeps the provider's own word", async () => {
    play(played(shapes.events, [call, end("SAFETY", { finishMessage: "Unsafe." })]));
    const { text } = await ask(server, shapes.events, { note });
    expect(text).toContain('"finishReason":"SAFETY","finishMessage":"Unsafe."');
    expect(leaks(text)).toBe(false);
  });
  test("without a note leaves what clients take as nothing", async () => {
    const only = event([read("c1", "/a") as never], { finishReason: "MAX_TOKENS" });
    play(played(shapes.events, [only]));
    const events = shapes.events.parse((await ask(server, shapes.events, { note: false })).text);
    expect(partsOf(events)).toEqual([{ text: "" }]);
    play(played(bodyShape, [only]));
    const body = bodyShape.parse((await ask(server, bodyShape, { note: false })).text);
    expect(candidatesOf(body)).toMatchObject([{ content: { role: "model" } }]);
    expect(partsOf(body)).toEqual([]);
  });
});

describe("Paths", () => {
  const paths = (...all: readonly string[]): readonly string[] => all;
  const askAt = (path: string): ReturnType<typeof ask> => {
    play(played(shapes.events, [call, end("MAX_TOKENS")]));
    return ask(server, { ...shapes.events, path }, { onUnguarded: () => undefined });
  };
  test.each(
    paths(
      "/v1beta/models/gemini-3.1-pro:generateContent",
      "/v1beta/tunedModels/my-model:streamGenerateContent?alt=sse",
      "/v1/publishers/google/models/gemini-3.1-pro:streamGenerateContent",
      "/v1/projects/p/locations/l/publishers/google/models/gemini-3.1-pro:generateContent",
      "/v1/projects/p/locations/l/endpoints/1:streamGenerateContent",
      "/v1internal:generateContent",
      "/v1beta/models/gemini-3.1-pro%3AgenerateContent",
      "/v1beta//models/gemini-3.1-pro%3AstreamGenerateContent?alt=sse",
    ),
  )("%s is guarded", async (path) => {
    const { text, report } = await askAt(path);
    expect(report?.protocol).toBe("gemini-generate-content");
    expect(leaks(text)).toBe(false);
  });
  test.each(
    paths(
      "/v1beta/models/gemini-3.1-pro:countTokens",
      "/v1beta/models/gemini-embedding-001:embedContent",
      "/v1beta/models/gemini-embedding-001:batchEmbedContents",
      "/v1internal:countTokens",
      "/v1internal:loadCodeAssist",
    ),
  )("%s passes", async (path) => {
    const { text, report } = await askAt(path);
    expect(report).toBeUndefined();
    expect(leaks(text)).toBe(true);
  });
});

describe("A host with a finish reason on every event", () => {
  test("has its text passed on while it arrives", async () => {
    const events = ["a", "b", "c"].map((text) => event([{ text }], { finishReason: "STOP" }));
    play({ chunks: [shapes.events.render(events)], fault: "stall" });
    const abort = new AbortController();
    const response = await fetchGuarded(abort.signal);
    const { value } = (await response.body?.getReader().read()) ?? {};
    expect(new TextDecoder().decode(value)).toBe(shapes.events.render(events));
    abort.abort();
  });
});

const fetchGuarded = async (signal: AbortSignal): Promise<Response> => {
  const { guard } = await import("@fullstop/guard");
  return guard()(server.url + shapes.events.path, {
    method: "POST",
    body: JSON.stringify(geminiRequest),
    signal,
  });
};
