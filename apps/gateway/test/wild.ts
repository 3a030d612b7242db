import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { cutReply, messagesRequest, replies, sse } from "./replies.ts";

// Both sides of a gateway, as bytes. They are wrong in every way that a client and an upstream can be.

const { finished, text, broken } = replies.anthropic;
const json = JSON.stringify(messagesRequest);

/** One of the usual items most of the time, else one of the rare ones. */
const mostly = <Item = string>(usual: readonly Item[], rare: readonly Item[], weight = 9) =>
  fc.oneof(
    { weight, arbitrary: fc.constantFrom(...usual) },
    { weight: 1, arbitrary: fc.constantFrom(...rare) },
  );
const few = (lines: readonly string[]) => fc.array(fc.constantFrom(...lines), { maxLength: 3 });
const rarely = fc.nat(9).map((drawn) => drawn === 0);

const requestLine = fc.tuple(
  mostly(
    ["POST", "POST", "POST", "GET", "PUT", "HEAD", "OPTIONS", "DELETE", "PATCH"],
    ["TRACE", "CONNECT", "M-SEARCH", "SOURCE", "QUERY", "get", "P\0ST", ""],
  ),
  mostly(
    [
      "/up/v1/messages",
      "/up/v1/chat/completions",
      "/up/v1/responses",
      "/up/v1beta/models/g:generateContent",
    ],
    [
      "/up/v1beta/models/g%ZZ:generateContent",
      "/up/v1/responses/resp_1",
      "/up/v2/unknown?key=a%",
      "/",
      "//x/up",
      "*",
      "/up/../../metrics",
      "http://user:pw@elsewhere/",
      "/%00",
      "/metrics",
      `/up/${"a".repeat(3000)}`,
      "/up/\xff\xfe",
      "/up/[::1",
    ],
    2,
  ),
  mostly(["HTTP/1.1"], ["HTTP/1.0", "HTTP/0.9", "HTTP/2.0", "HTTP/1.1 x"]),
);
const requestBody = mostly(
  [json],
  [
    json.slice(0, -9),
    "",
    " ",
    "null",
    "[]",
    '{"messages":{},"tools":[{}]}',
    '{"messages":[null],"model":7,"tools":"x"}',
    '{"contents":[],"request":[]}',
    "\0\xff",
    "[".repeat(5000),
  ],
  2,
);
const requestHeaders = few([
  "content-type: text/plain",
  "content-type: application/json; charset=utf-16",
  "content-encoding: gzip",
  "content-encoding: br, br, zstd",
  "content-encoding: \xff",
  "transfer-encoding: chunked",
  "content-length: 5",
  "content-length: -1",
  "content-length: 99999999999",
  "expect: 100-continue",
  "expect: nothing",
  "upgrade: websocket\r\nconnection: upgrade",
  "connection: x-a, \xe9, content-type",
  "host: evil.example",
  "origin: null",
  "x-api-key: \xe9\xe9",
  "cookie: a=1\r\ncookie: b=2",
  "te: trailers\r\ntrailer: x",
  "traceparent: \xff",
  "x y: 1",
  ": empty",
  "accept-encoding: zstd",
]);

const requestBytes = fc
  .record({
    line: requestLine,
    body: requestBody,
    headers: requestHeaders,
    isCompressed: rarely,
    hasHost: rarely.map((drawn) => !drawn),
    hasLength: rarely.map((drawn) => !drawn),
  })
  .map(({ line, body, headers, isCompressed, hasHost, hasLength }) => {
    const plain = Buffer.from(body, "latin1");
    const sent = isCompressed ? gzipSync(plain) : plain;
    return bytesOf(
      [
        line.join(" "),
        ...(hasHost ? ["host: localhost"] : []),
        ...(hasLength ? [`content-length: ${sent.length}`] : []),
        "content-type: application/json",
        ...(isCompressed ? ["content-encoding: gzip"] : []),
        ...headers,
        "connection: close",
      ],
      sent,
    );
  });

const replyStatus = mostly(
  ["200 OK"],
  [
    "204 ",
    "304 x",
    "307 x",
    "404 Sch\xf6n",
    "101 x",
    "103 Early",
    "429 x",
    "500 x",
    "599 x",
    "600 x",
    "999 x",
    "20 x",
    "abc",
  ],
  2,
);
const replyBody = mostly(
  [finished, cutReply, broken, text],
  [
    "",
    "\n\n\n",
    "data: [DONE]\n\n",
    "data: {\n\nevent: error\n\n",
    '{"type":"message","content":[{"type":"tool_use"}],"stop_reason":7}',
    '{"choices":[{"message":{"tool_calls":{}}}]}',
    '{"candidates":[null]}',
    '{"output":[{"type":"function_call","arguments":1}],"status":"completed"}',
    "<html>\xff",
    "\0".repeat(2000),
    "[".repeat(5000),
  ],
  1,
);
const replyHeaders = few([
  "content-encoding: gzip",
  "content-encoding: zstd, x",
  "content-length: 3",
  "content-length: 99999",
  "location: /up/x",
  "location: https://elsewhere.example/",
  "location: http://[",
  "retry-after: \xe9",
  "set-cookie: a=1\r\nset-cookie: b=\xff",
  "connection: x-a",
  "etag: W/\xe9",
  "x y: 1",
]);
type Framing = readonly [header: string, frame: (body: Buffer) => Buffer];
const chunk = (length: string, body: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${length}\r\n`), body, Buffer.from("\r\n")]);
/** How the upstream says where its body ends. */
const framing = fc.constantFrom<Framing>(
  ["x-framing: close", (body) => body],
  ["x-framing: close", (body) => body],
  [
    "transfer-encoding: chunked",
    (body) => Buffer.concat([chunk(body.length.toString(16), body), chunk("0", Buffer.of())]),
  ],
  ["transfer-encoding: chunked", (body) => chunk(body.length.toString(16), body)],
  ["transfer-encoding: chunked", (body) => chunk("zz", body)],
  ["transfer-encoding: chunked", (body) => chunk("3", body)],
  ["transfer-encoding: gzip, chunked", (body) => body],
);
const replyBytes = fc
  .record({
    status: replyStatus,
    type: mostly(["text/event-stream"], ["application/json", "text/html", "\xff/\xfe", ""], 2),
    body: replyBody,
    headers: replyHeaders,
    framing,
    isCompressed: rarely,
  })
  .map(({ status, type, body, headers, framing: [header, frame], isCompressed }) => {
    const plain = Buffer.from(body, "latin1");
    return bytesOf(
      [
        `HTTP/1.1 ${status}`,
        `content-type: ${type}`,
        header,
        ...(isCompressed ? ["content-encoding: gzip"] : []),
        ...headers,
        "connection: close",
      ],
      frame(isCompressed ? gzipSync(plain) : plain),
    );
  });

const bytesOf = (head: readonly string[], body: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`, "latin1"), body]);

/** How one side ends its connection behind its bytes. One that stays open ends by a limit of time. */
type Ending = "half-closed" | "reset";
interface Message {
  readonly bytes: Buffer;
  readonly ending: Ending;
}
const message = (bytes: fc.Arbitrary<Buffer>): fc.Arbitrary<Message> =>
  fc
    .record({
      bytes,
      kept: fc.double({ min: 0, max: 1, noNaN: true }),
      isCut: rarely,
      ending: mostly<Ending>(["half-closed"], ["reset"], 4),
    })
    .map(({ bytes: whole, kept, isCut, ending }) => ({
      bytes: isCut ? whole.subarray(0, Math.floor(kept * whole.length)) : whole,
      ending,
    }));
const request = message(requestBytes);
const reply = message(replyBytes);

function send(socket: Socket, { bytes, ending }: Message): void {
  socket.write(bytes, () => {
    if (ending === "reset") socket.resetAndDestroy();
    else socket.end();
  });
}

/** An upstream that a test holds, and then one that answers with any bytes. */
export interface WildUpstream extends Disposable {
  readonly url: string;
  /** Ends the reply to the first request: it is then `finished`. */
  finish(): void;
  /** Sends requests to a gateway in front of it until it has sent `count` of them, and of replies. */
  play(port: number, count: number): Promise<void>;
}

const atOnce = 50;

export async function openWildUpstream(seed: number): Promise<WildUpstream> {
  const requests = draw(request, seed);
  const answers = draw(reply, seed);
  const { promise: first, resolve } = Promise.withResolvers<Socket>();
  let connections = 0;
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on("error", () => socket.destroy());
    socket.once("data", () => {
      if (connections++ > 0) return send(socket, answers.next().value);
      const head = Object.entries(sse).map((header) => header.join(": "));
      socket.write(bytesOf(["HTTP/1.1 200 OK", ...head, "connection: close"], Buffer.from(text)));
      resolve(socket);
    });
  });
  server.listen({ port: 0, host: "127.0.0.1", backlog: 2048 });
  await once(server, "listening");
  const { port: own } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${own}`,
    finish: () => void first.then((socket) => socket.end(finished.slice(text.length))),
    async play(port, count) {
      await first;
      let sent = 0;
      const sendSome = async (): Promise<void> => {
        while (sent++ < count || connections <= count) await sendTo(port, requests.next().value);
      };
      await Promise.all(Array.from({ length: atOnce }, sendSome));
    },
    [Symbol.dispose]: () => void server.close(),
  };
}

function* draw(messages: fc.Arbitrary<Message>, seed: number): Generator<Message, never> {
  for (let next = seed; ; next++) yield* fc.sample(messages, { numRuns: 100, seed: next });
}

async function sendTo(port: number, request: Message): Promise<void> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  socket.on("error", () => undefined).on("end", () => socket.end());
  socket.resume();
  const closed = new Promise((resolve) => socket.once("close", resolve));
  send(socket, request);
  await closed;
}
