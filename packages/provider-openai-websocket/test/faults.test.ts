import { once } from "node:events";
import { type ProviderError, readTurn, type Turn } from "@fullstop/core";
import { openai } from "@fullstop/provider-openai";
import { type ResponsesSocketOptions, responsesSocket } from "@fullstop/provider-openai-websocket";
import {
  call,
  callEvents,
  completed,
  created,
  message,
  messageEvents,
} from "@tooling/test/openai-responses";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type AnswerFrames, type AnswerUpgrade, frameServer, sendEvents } from "./frame-server.ts";

const request = { messages: [{ role: "user", content: "Go." }] } as const;
const errorOf = (turn: Turn): ProviderError | undefined =>
  "error" in turn ? turn.error : undefined;

/** The events of a reply with a text. `end` is the id in its last event. */
const textReply = (id: string, end = id): readonly object[] => [
  { ...created, response: { ...(created["response"] as object), id } },
  ...messageEvents(0, "Done."),
  {
    ...completed,
    response: { ...(completed["response"] as object), id: end, output: [message("Done.")] },
  },
];
const errorEvent = (error: object, more: object = { status: 400 }) => ({
  type: "error",
  error,
  ...more,
});

async function start(
  answer: AnswerFrames,
  options: ResponsesSocketOptions = {},
  refuse?: AnswerUpgrade,
) {
  const server = await frameServer(answer, refuse);
  const client = responsesSocket({ baseURL: server.url, apiKey: "key", ...options });
  onTestFinished(() => {
    client.close();
    server.close();
  });
  return { server, client, adapter: openai("gpt-5.5", { client }) };
}
/** Two turns of one conversation. */
async function talk(adapter: Parameters<typeof readTurn>[0]): Promise<readonly [Turn, Turn]> {
  const first = await readTurn(adapter, request);
  const answer = first.message as NonNullable<Turn["message"]>;
  const next = { role: "user", content: "And?" } as const;
  return [first, await readTurn(adapter, { messages: [...request.messages, answer, next] })];
}

describe("a request that continues a reply", () => {
  test.each([
    ["the server no longer knows it", "previous_response_not_found"],
    ["the socket is older than an hour", "websocket_connection_limit_reached"],
  ])("is sent whole over a new socket if %s", async (_, code) => {
    const { server, adapter } = await start((socket, count) =>
      sendEvents(
        socket,
        count === 1 ? [errorEvent({ code, message: "No." })] : textReply(`r${count}`),
      ),
    );
    const [, second] = await talk(adapter);
    expect([second.stopReason, second.text]).toEqual(["stop", "Done."]);
    expect(server.received.map((sent) => typeof sent["previous_response_id"])).toEqual([
      "undefined",
      "string",
      "undefined",
    ]);
    expect(server.received.map(({ input }) => (input as object[]).length)).toEqual([1, 1, 3]);
    expect(server.sockets.length).toBe(2);
  });

  test("is not sent a third time", async () => {
    const error = { code: "previous_response_not_found", message: "No." };
    const { server, adapter } = await start((socket, count) =>
      sendEvents(socket, count === 0 ? textReply("r0") : [errorEvent(error)]),
    );
    const [, second] = await talk(adapter);
    expect(errorOf(second)).toMatchObject({ kind: "invalid-request", code: error.code });
    expect(server.received.length).toBe(3);
  });

  test("is not sent again after its reply began, nor for another error", async () => {
    const error = { code: "websocket_connection_limit_reached", message: "An hour." };
    const other = { code: "rate_limit_exceeded", message: "Slow down." };
    for (const [code, events] of [
      [error.code, [...textReply("r1").slice(0, 2), errorEvent(error)]],
      [other.code, [errorEvent(other, { status: 429 })]],
    ] as const) {
      const { server, adapter } = await start((socket, count) =>
        sendEvents(socket, count === 0 ? textReply("r0") : events),
      );
      const [, second] = await talk(adapter);
      expect(errorOf(second)?.code).toBe(code);
      expect(server.received.length).toBe(2);
    }
  });
});

test("an event of another response interrupts the reply", async () => {
  const look = { ...call("look", '{"at":"a"}'), call_id: "call_1" };
  const events = [...textReply("ra", "rb")];
  events.splice(-1, 0, ...callEvents(1, look));
  const { adapter } = await start((socket) => sendEvents(socket, events));
  const turn = await readTurn(adapter, request);
  expect([turn.stopReason, turn.calls.length]).toEqual(["interrupted", 0]);
  expect(errorOf(turn)?.message).toContain("another response");
});

describe("a server that keeps the socket open still ends the reply", () => {
  const look = { ...call("look", '{"at":"a"}'), call_id: "call_1" };
  const begun = [...textReply("r").slice(0, -1), ...callEvents(1, look)];
  test.each<[string, string, string, string | object]>([
    ["`[DONE]` in the place of its last event", "interrupted", "cut", "[DONE]\n"],
    ["an error without a type", "error", "server", { error: { message: "Boom." } }],
    [
      "`response.cancelled`",
      "interrupted",
      "cut",
      { type: "response.cancelled", response: { id: "r", status: "cancelled", output: [] } },
    ],
  ])("with %s", async (_, stopReason, kind, last) => {
    const { adapter } = await start((socket) => {
      sendEvents(socket, begun);
      socket.send(typeof last === "string" ? last : JSON.stringify(last));
    });
    expect(await readTurn(adapter, request)).toMatchObject({
      stopReason,
      calls: [],
      withheld: [{ name: "look" }],
      error: { kind },
    });
  });

  test.each([
    ["whose start is missing", (id: string) => textReply(id).slice(1)],
    ["that has the id of the reply before", () => textReply("r")],
  ])("%s is an error, if another one came before it", async (_, replyOf) => {
    const { adapter } = await start((socket, count) => sendEvents(socket, replyOf(`r${count}`)));
    const [first, second] = await talk(adapter);
    expect([first.stopReason, second.stopReason]).toEqual(["stop", "interrupted"]);
    expect(errorOf(second)?.message).toContain("does not begin a new response");
  });

  test("`[DONE]` behind the last event belongs to the reply before", async () => {
    const { adapter } = await start((socket, count) => {
      if (count > 0) socket.send("[DONE]");
      sendEvents(socket, textReply(`r${count}`));
    });
    expect((await talk(adapter)).map(({ stopReason }) => stopReason)).toEqual(["stop", "stop"]);
  });
});

test.each([
  ["binary", Buffer.from(JSON.stringify(created)), /cannot be read: it is binary/],
  ["a list", "[1]", /cannot be read: \[1\]/],
  ["half", '{"type":', /cannot be read: {"type":/],
])("a frame that is %s interrupts the reply", async (_, frame, sentence) => {
  const { adapter } = await start((socket) => {
    socket.send(frame);
    sendEvents(socket, textReply("r"));
  });
  const turn = await readTurn(adapter, request);
  expect([turn.stopReason, errorOf(turn)?.kind]).toEqual(["interrupted", "malformed-reply"]);
  expect(errorOf(turn)?.message).toMatch(sentence);
});

test.each([
  ["of a wrong form", { "bad name": "x", "retry-after": 7, other: "\u{1F9CA}" }, 7000],
  ["that are a text", "x", undefined],
])("an error event with headers %s keeps its status", async (_, headers, retryAfterMs) => {
  const error = { message: "Slow down." };
  const { adapter } = await start((socket) =>
    sendEvents(socket, [errorEvent(error, { status: 429, headers })]),
  );
  const turn = await readTurn(adapter, request);
  expect(errorOf(turn)).toMatchObject({ kind: "rate-limit", status: 429 });
  expect(errorOf(turn)?.retryAfterMs).toBe(retryAfterMs);
});

describe("the headers of a handshake", () => {
  test("may name the authorization in any case, without a key or in its place", async () => {
    vi.stubEnv("OPENAI_API_KEY", undefined);
    onTestFinished(() => void vi.unstubAllEnvs());
    const headers = { Authorization: "Bearer other" };
    for (const apiKey of [undefined, "key"]) {
      const { server, adapter } = await start((socket) => sendEvents(socket, textReply("r")), {
        apiKey,
        headers,
      });
      expect((await readTurn(adapter, request)).stopReason).toBe("stop");
      expect(server.headers[0]?.authorization).toBe("Bearer other");
    }
  });

  test("are not in an error that repeats them", async () => {
    const refuse: AnswerUpgrade = ({ headers }) => {
      const body = JSON.stringify({ error: { message: `Unknown key ${headers["api-key"]}.` } });
      return `HTTP/1.1 401 Unauthorized\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    };
    const headers = { "api-key": "azure-secret-key" };
    const { adapter } = await start(() => undefined, { headers }, refuse);
    expect(errorOf(await readTurn(adapter, request))?.message).toContain(
      "refused the key (401): Unknown key [redacted].",
    );
  });
});

describe("options", () => {
  test.each([
    ["an unknown one", { baseUrl: "http://127.0.0.1" }, /`baseUrl`.*`baseURL`/],
    ["a number that is a text", { idleMs: "5" }, /`idleMs`/],
    ["no URL", { baseURL: "127.0.0.1:80" }, /`baseURL` is not a URL/],
    ["another protocol", { baseURL: "ftp://127.0.0.1" }, /`baseURL` is not a URL/],
  ])("%s is an error that names it", (_, options, message) => {
    expect(() => responsesSocket(options as ResponsesSocketOptions)).toThrow(message);
  });

  test("`idleMs` may be `Infinity`", async () => {
    const warn = vi.spyOn(process, "emitWarning");
    const { server, adapter } = await start(
      (socket, count) => sendEvents(socket, textReply(`r${count}`)),
      { idleMs: Number.POSITIVE_INFINITY },
    );
    await talk(adapter);
    expect(server.sockets.length).toBe(1);
    expect(warn).not.toHaveBeenCalled();
  });
});

describe("after `close`", () => {
  test("a request is an error that says so, and opens no socket", async () => {
    const { server, client, adapter } = await start((socket) => sendEvents(socket, textReply("r")));
    client.close();
    const error = errorOf(await readTurn(adapter, request));
    expect(error?.kind).toBe("invalid-request");
    expect(error?.message).toContain("was closed");
    expect(server.headers.length).toBe(0);
  });

  test("a socket that was being opened is closed", async () => {
    const { server, client, adapter } = await start(
      (socket) => sendEvents(socket, textReply("r")),
      {},
      () => void client.close(),
    );
    const turn = await readTurn(adapter, request);
    expect([turn.stopReason, errorOf(turn)?.kind]).toEqual(["error", "invalid-request"]);
    expect(server.received.length).toBe(0);
    const [socket] = server.sockets;
    if (socket !== undefined && socket.readyState !== socket.CLOSED) await once(socket, "close");
  });
});
