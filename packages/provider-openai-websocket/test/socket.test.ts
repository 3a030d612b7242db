import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type ProviderError, readTurn, type Turn } from "@fullstop/core";
import { jsonSchema, run, type Tool } from "@fullstop/loop";
import { openai } from "@fullstop/provider-openai";
import { responsesSocket } from "@fullstop/provider-openai-websocket";
import { jsonResponse, replyServer, sseBytes } from "@tooling/test/fake-server";
import {
  call,
  callEvents,
  completed,
  created,
  type Event,
  message,
  messageEvents,
  reply,
} from "@tooling/test/openai-responses";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type Bridge, bridge } from "./bridge.ts";

type Fields = Record<string, unknown>;
const request = { messages: [{ role: "user", content: "Go." }] } as const;
const errorOf = (turn: Turn): ProviderError | undefined =>
  "error" in turn ? turn.error : undefined;

const open: { close(): unknown }[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const each of open.splice(0)) await each.close();
});

type Answer = readonly Event[] | (() => Response);
async function start(...answers: readonly Answer[]) {
  const server = replyServer(answers, sseBytes);
  const socket: Bridge = await bridge(() => server.fetch);
  const client = responsesSocket({ baseURL: socket.url, apiKey: "key" });
  open.push(client, socket);
  return { server, socket, client, adapter: openai("gpt-5.5", { client }) };
}

/** A reply whose last event lists its items, as that of the vendor does. */
const listed = (id: string, ...items: readonly Fields[]) => {
  const end = completed["response"] as object;
  return [
    { ...created, response: { ...(created["response"] as object), id } },
    ...items.flatMap((item, index) =>
      item["type"] === "message"
        ? messageEvents(index, "Done.")
        : callEvents(index, item as Parameters<typeof callEvents>[1]),
    ),
    { ...completed, response: { ...end, id, output: items } },
  ];
};
const look: Tool = {
  name: "look",
  description: "Looks.",
  inputSchema: jsonSchema({ type: "object" }),
  execute: () => "seen",
};
const looks = (id: string) => ({ ...call("look", '{"at":"a"}'), call_id: id });

describe("a conversation", () => {
  test("uses one socket, and each request sends only its new items", async () => {
    const { server, socket, adapter } = await start(
      listed("resp_a", looks("call_1")),
      listed("resp_b", looks("call_2")),
      listed("resp_c", message("Done.")),
    );
    const outcome = await run({ adapter, tools: [look], prompt: "Go." }).outcome();
    expect([outcome.status, outcome.text]).toEqual(["done", "Done."]);
    expect(socket.sockets.length).toBe(1);
    const inputs = socket.received.map(({ input }) => (input as Fields[]).map(({ type }) => type));
    expect(inputs).toEqual([["message"], ["function_call_output"], ["function_call_output"]]);
    const whole = server.requests.map(({ body }) => (body["input"] as Fields[]).length);
    expect(whole).toEqual([1, 3, 5]);
    expect(socket.received[0]).not.toHaveProperty("stream");
  });

  test("keeps its socket if the host ends replies with `response.done`", async () => {
    const ended = (id: string) =>
      listed(id, looks("call_1")).map((event) =>
        event["type"] === "response.completed" ? { ...event, type: "response.done" } : event,
      );
    const { socket, adapter } = await start(ended("resp_a"), ended("resp_b"));
    for (const _ of [1, 2])
      expect((await readTurn(adapter, request)).calls).toMatchObject([{ name: "look" }]);
    expect(socket.sockets.length).toBe(1);
  });

  test("sends everything if its history was changed", async () => {
    const { socket, adapter } = await start(
      listed("resp_a", message("Done.")),
      listed("resp_b", message("Done.")),
    );
    const first = await readTurn(adapter, request);
    const changed = { ...first.message, content: [{ type: "text", text: "Else." }] };
    const next = { role: "user", content: "And?" } as const;
    await readTurn(adapter, {
      messages: [...request.messages, changed as NonNullable<Turn["message"]>, next],
    });
    expect(socket.received.map((sent) => "previous_response_id" in sent)).toEqual([false, false]);
    expect(socket.received[1]?.["input"]).toHaveLength(3);
  });

  test("finds its socket again beside another conversation", async () => {
    const { socket, adapter } = await start(
      ...["a", "b", "c", "d"].map((id) => listed(`resp_${id}`, message("Done."))),
    );
    const talk = async (content: string) => {
      const messages = [{ role: "user", content }] as const;
      const { message: answer } = await readTurn(adapter, { messages });
      return [...messages, answer as NonNullable<Turn["message"]>, messages[0]];
    };
    const [one, other] = await Promise.all([talk("One."), talk("Other.")]);
    await readTurn(adapter, { messages: one });
    await readTurn(adapter, { messages: other });
    expect(socket.sockets.length).toBe(2);
    expect(socket.received.map(({ previous_response_id: id }) => typeof id)).toEqual([
      "undefined",
      "undefined",
      "string",
      "string",
    ]);
  });
});

describe("a socket that is lost", () => {
  test("interrupts the reply, and the next request sends everything over a new one", async () => {
    const whole = listed("resp_b", looks("call_2"));
    const { socket, adapter } = await start(
      listed("resp_a", looks("call_1")),
      whole.slice(0, -1),
      listed("resp_c", message("Done.")),
    );
    const outcome = await run({ adapter, tools: [look], prompt: "Go." }).outcome();
    expect(outcome.status).toBe("done");
    const sent = socket.received.map(({ input, previous_response_id: id }) => [
      (input as unknown[]).length,
      typeof id,
    ]);
    expect(sent).toEqual([
      [1, "undefined"],
      [1, "string"],
      [3, "undefined"],
    ]);
  });

  test("while it is unused is not used again", async () => {
    const { socket, adapter } = await start(
      listed("resp_a", message("Done.")),
      listed("resp_b", message("Done.")),
    );
    await readTurn(adapter, request);
    const closed = once(socket.sockets[0] as NonNullable<(typeof socket.sockets)[0]>, "close");
    socket.sockets[0]?.terminate();
    await closed;
    await new Promise(setImmediate);
    expect((await readTurn(adapter, request)).stopReason).toBe("stop");
    expect(socket.sockets.length).toBe(2);
  });
});

test("events after the end of a reply do not become a part of the next one", async () => {
  const first = listed("resp_a", looks("call_1"));
  const { socket, adapter } = await start(
    [...first, ...first.slice(1)],
    listed("resp_b", message("Done.")),
  );
  expect((await readTurn(adapter, request)).calls.length).toBe(1);
  const second = await readTurn(adapter, request);
  expect([second.stopReason, second.text]).toEqual(["stop", "Done."]);
  expect(socket.sockets.length).toBe(1);
});

test("an abort closes the socket, and the turn is aborted", async () => {
  const { socket, adapter } = await start(
    () =>
      new Response(new ReadableStream({}), { headers: { "content-type": "text/event-stream" } }),
  );
  const controller = new AbortController();
  const turn = readTurn(adapter, request, { signal: controller.signal });
  await vi.waitFor(() => expect(socket.received.length).toBe(1));
  const closed = once(socket.sockets[0] as NonNullable<(typeof socket.sockets)[0]>, "close");
  controller.abort();
  expect((await turn).stopReason).toBe("aborted");
  await closed;
});

describe("failures", () => {
  test("an error frame with a status has its kind, and nothing is sent again", async () => {
    const { socket, adapter } = await start(() =>
      jsonResponse(
        { error: { message: "Slow down.", code: "rate_limit_exceeded" } },
        { status: 429, headers: { "retry-after": "7" } },
      ),
    );
    const turn = await readTurn(adapter, request);
    expect(errorOf(turn)).toMatchObject({ kind: "rate-limit", status: 429, retryAfterMs: 7000 });
    expect(socket.received.length).toBe(1);
  });

  test("a refused handshake has the status and the sentence of the server, without the key", async () => {
    const server = createServer().on("upgrade", (_request, tcp) => {
      const body = JSON.stringify({ error: { message: "Incorrect API key provided: sk-secret" } });
      tcp.end(`HTTP/1.1 401 Unauthorized\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    open.push(server);
    const { port } = server.address() as AddressInfo;
    const client = responsesSocket({ baseURL: `http://127.0.0.1:${port}`, apiKey: "sk-secret" });
    const error = errorOf(await readTurn(openai("gpt-5.5", { client }), request));
    expect(error).toMatchObject({ kind: "auth", status: 401 });
    expect(error?.message).toContain("Incorrect API key provided");
    expect(error?.message).not.toContain("sk-secret");
  });

  test("a server that cannot be reached interrupts the turn", async () => {
    const client = responsesSocket({ baseURL: "http://127.0.0.1:9", apiKey: "key" });
    const turn = await readTurn(openai("gpt-5.5", { client }), request);
    expect([turn.stopReason, errorOf(turn)?.kind]).toEqual(["interrupted", "network"]);
  });

  test("a missing key is an error that names the option", async () => {
    vi.stubEnv("OPENAI_API_KEY", undefined);
    const client = responsesSocket({ baseURL: "http://127.0.0.1:9" });
    const error = errorOf(await readTurn(openai("gpt-5.5", { client }), request));
    expect(error?.kind).toBe("auth");
    expect(error?.message).toContain("`apiKey`");
  });
});

test("an unused socket does not keep the process alive", async () => {
  const { socket } = await start(listed("resp_a", message("Done.")));
  const script = `
    import { readTurn } from "@fullstop/core";
    import { openai } from "@fullstop/provider-openai";
    import { responsesSocket } from "@fullstop/provider-openai-websocket";
    const client = responsesSocket({ baseURL: ${JSON.stringify(socket.url)}, apiKey: "key" });
    const turn = await readTurn(openai("gpt-5.5", { client }), { messages: [{ role: "user", content: "Go." }] });
    console.log(turn.stopReason);
  `;
  const child = spawn(
    process.execPath,
    ["--conditions=@fullstop/source", "--input-type=module", "-e", script],
    { cwd: new URL("..", import.meta.url), stdio: ["ignore", "pipe", "inherit"] },
  );
  let printed = "";
  child.stdout.on("data", (chunk) => (printed += String(chunk)));
  const [code] = await once(child, "exit");
  expect([code, printed.trim()]).toEqual([0, "stop"]);
});

test("after a reply that lists no items the next request sends everything", async () => {
  const { socket, adapter } = await start(
    reply(callEvents(0, looks("call_1"))),
    reply(messageEvents(0, "Done.")),
  );
  await run({ adapter, tools: [look], prompt: "Go." }).outcome();
  expect(socket.received.map((sent) => "previous_response_id" in sent)).toEqual([false, false]);
});
