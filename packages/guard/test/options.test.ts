import { type GuardOptions, guard, protocolError } from "@fullstop/guard";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { callBlock, messageEnd, messageStart, messagesRequest } from "./messages.ts";
import { startServer, type TestServer } from "./server.ts";

const finished =
  messageStart + callBlock(0, "toolu_1", '{"path":"a.txt"}') + messageEnd("tool_use");
const cut = messageStart + callBlock(0, "toolu_1", '{"path":"a') + messageEnd("max_tokens", 1024);

let server: TestServer;
let reply = finished;
beforeEach(async () => {
  reply = finished;
  server = await startServer(() => ({ chunks: [reply] }));
});
afterEach(() => server.close());

const ask = (options: GuardOptions, init: RequestInit = {}): Promise<Response> =>
  guard(fetch, options)(`${server.url}/v1/messages`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(messagesRequest),
    ...init,
  });

describe("an option", () => {
  test.each([
    [{ normaliseCalls: true }, /Did you mean `normalizeCalls`\?/],
    [{ strict: "no" }, /`strict` of `guard` must be true or false/],
    [{ retries: "3" }, /`retries` of `guard` must be a whole number/],
    [{ withheld: "stop" }, /must be one of "end", "fail"/],
    [{ keepAliveMs: Number.NaN }, /must be more than 0/],
    [{ host: { dialect: "groq" } }, /`host` of `guard` must be a function that returns facts/],
    [{ dialect: "groq" }, /Did you mean `host\.dialect`\?/],
    [{ mislabelsTruncation: true }, /Did you mean `host\.mislabelsTruncation`\?/],
  ])("%o that cannot work is an error at once", (options, message) => {
    expect(() => guard(fetch, options as GuardOptions)).toThrow(message);
  });
  test("in place of the `fetch` is an error that says where options belong", () => {
    expect(() => guard({ strict: true } as never)).toThrow(
      /first argument of `guard` must be a `fetch`.*`guard\(globalThis\.fetch, \{ … \}\)`/,
    );
  });
  test("a fact about a host that is not known is an error", async () => {
    const host = (() => ({ dialekt: "groq" })) as NonNullable<GuardOptions["host"]>;
    await expect(ask({ host })).rejects.toThrow(/Did you mean `host.dialect`\?/);
    expect(server.requests).toHaveLength(0);
  });
});

describe("a function of the user that throws", () => {
  const fail = (): never => {
    throw new Error("The disk of the log is full.");
  };
  test("does not cost a finished reply, and is printed", async () => {
    const print = vi.spyOn(console, "error").mockImplementation(() => undefined);
    expect(await (await ask({ onReply: fail })).text()).toBe(finished);
    reply = cut;
    expect(await (await ask({ note: fail })).text()).toMatch(/cut at the output limit/);
    expect(print.mock.calls.map(([text]) => text)).toEqual([
      expect.stringMatching(/`onReply`/),
      expect.stringMatching(/`note`/),
    ]);
    print.mockRestore();
  });
  test("later, because it is async, does not end the process", async () => {
    const print = vi.spyOn(console, "error").mockImplementation(() => undefined);
    expect(await (await ask({ onReply: async () => fail() })).text()).toBe(finished);
    expect(print.mock.calls).toEqual([[expect.stringMatching(/`onReply`/), expect.any(Error)]]);
    print.mockRestore();
  });
});

describe("a reply", () => {
  test("that is larger than the guard holds fails, and is not worth a repetition", async () => {
    reply = JSON.stringify({
      type: "message",
      role: "assistant",
      content: [],
      text: "x".repeat(2000),
    });
    const response = await ask({ maxHeld: 1000 });
    expect([response.status, response.headers.get("x-should-retry")]).toEqual([400, "false"]);
    expect(await response.text()).not.toMatch(/Network error/);
  });
  test("whose first event has a call already is withheld", async () => {
    const call = { type: "tool_use", id: "toolu_1", name: "write_file", input: { path: "a.txt" } };
    for (const end of ["tool_use", "max_tokens"]) {
      reply =
        messageStart.replace('"content":[]', `"content":[${JSON.stringify(call)}]`) +
        messageEnd(end, 40);
      expect(await (await ask({})).text()).not.toContain("toolu_1");
    }
  });
  test("that is withheld names its tools, but not all of very many or very long ones", async () => {
    const blocks = Array.from({ length: 1000 }, (_, at) =>
      callBlock(at, `toolu_${at}`, "{}").replace("write_file", `${at}${"x".repeat(1000)}`),
    );
    reply = messageStart + blocks.join("") + messageEnd("max_tokens", 1024);
    const response = await ask({});
    const text = await response.text();
    expect(text.length).toBeLessThan(3000);
    expect(text).toMatch(/ and 992 more/);
  });
});

test("a request with JSON that `fetch` sends as a text is looked at", async () => {
  const response = await guard(fetch, { strict: true })(`${server.url}/v2/unknown`, {
    method: "POST",
    body: JSON.stringify(messagesRequest),
  });
  expect(response.status).toBe(400);
});

test("a request that creates an agent passes under `strict`", async () => {
  for (const path of ["agents", "assistants", "evals"]) {
    const response = await guard(fetch, { strict: true })(`${server.url}/v1/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(messagesRequest),
    });
    expect(response.status).toBe(200);
  }
});

test("a reply can be read into memory that the reader brings", async () => {
  reply = finished;
  const reader = (await ask({})).body?.getReader({ mode: "byob" });
  const decoder = new TextDecoder();
  let text = "";
  for (let memory = new Uint8Array(64); ; ) {
    const step = await reader?.read(memory);
    if (step?.value === undefined || step.done) break;
    text += decoder.decode(step.value, { stream: true });
    memory = new Uint8Array(step.value.buffer);
  }
  expect(text).toBe(finished);
});

test("`protocolError` says what to pass if it gets no address that is a `URL`", () => {
  const failure = { status: 502, message: "No answer." };
  for (const given of [undefined, null, {}, { method: "POST", url: `${server.url}/v1/messages` }])
    expect(() => protocolError(given as never, failure as never)).toThrow(
      "`protocolError` needs an object with `method`, and `url` as a `URL`.",
    );
});
