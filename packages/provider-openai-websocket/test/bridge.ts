import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";

type Fetch = typeof globalThis.fetch;
type Fields = Record<string, unknown>;

/** What the server of a socket keeps between two replies. */
interface Memory {
  id: unknown;
  /** How many replies were sent. */
  replies: number;
  items: readonly unknown[];
  /** The client closed the socket. */
  readonly closed: AbortSignal;
}

/** A server that answers over sockets with what `fetch` answers, as the vendor's does. */
export interface Bridge {
  /** `http://127.0.0.1:<port>/v1` */
  readonly url: string;
  /** The names of the events that clients sent, and whether they continued a reply. */
  readonly received: readonly Fields[];
  /** The sockets that were opened. */
  readonly sockets: readonly WebSocket[];
  close(): Promise<void>;
}

/** `fetchFor` gets the header `x-endpoint` of the handshake. */
export async function bridge(fetchFor: (endpoint: string) => Fetch): Promise<Bridge> {
  const server = createServer();
  const sockets: WebSocket[] = [];
  const received: Fields[] = [];
  const wss = new WebSocketServer({ server, path: "/v1/responses" });
  wss.on("connection", (socket, { headers }) => {
    sockets.push(socket);
    const closed = new AbortController();
    socket.once("close", () => closed.abort());
    const memory: Memory = { id: undefined, items: [], replies: 0, closed: closed.signal };
    const fetch = fetchFor(String(headers["x-endpoint"]));
    socket.on("message", (data) => {
      const { type: _type, ...body } = JSON.parse(String(data)) as Fields;
      received.push(body);
      answer(socket, memory, { body, fetch }).catch(() => socket.close(1011));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    received,
    sockets,
    close: async () => {
      for (const socket of sockets) socket.terminate();
      wss.close();
      server.close();
      await once(server, "close");
    },
  };
}

async function answer(
  socket: WebSocket,
  memory: Memory,
  { body, fetch }: { readonly body: Fields; readonly fetch: Fetch },
): Promise<void> {
  const { previous_response_id: previous, input, ...rest } = body;
  const send = (event: object): void => socket.send(JSON.stringify(event));
  if (previous !== undefined && previous !== memory.id)
    return send({
      type: "error",
      status: 400,
      error: { code: "previous_response_not_found", message: `${previous} is not known.` },
    });
  const items = [...(previous === undefined ? [] : memory.items), ...(input as unknown[])];
  const response = await fetch("http://server.example/v1/responses", {
    method: "POST",
    body: JSON.stringify({ ...rest, input: items, stream: true }),
    headers: { "content-type": "application/json", authorization: "Bearer key" },
    signal: memory.closed,
  });
  memory.id = undefined;
  if (!response.ok) {
    const text = await response.text();
    const headers = Object.fromEntries(response.headers);
    return send({ type: "error", status: response.status, error: errorIn(text), headers });
  }
  const reply = ++memory.replies;
  let ended = false;
  for await (const sent of dataOf(response)) {
    // The replies and items of the suite repeat their ids, and those of a server have their own.
    const data = sent.replaceAll(/"(resp|msg|fc|ctc)_[^"]*/g, (id) => `${id}_${reply}`);
    socket.send(data);
    const completed = data.includes('"response.completed"') ? parse(data) : undefined;
    ended ||= /"type":\s*"(response\.(completed|incomplete|failed|done)|error)"/.test(data);
    if (completed === undefined) continue;
    const { id, output } = completed["response"] as Fields;
    memory.id = id;
    memory.items = [...items, ...((output as unknown[] | undefined) ?? [])];
  }
  if (!ended) socket.close(1011);
}

const parse = (text: string): Fields | undefined => {
  try {
    return JSON.parse(text) as Fields;
  } catch {
    return undefined;
  }
};
const errorIn = (text: string): unknown => parse(text)?.["error"] ?? { message: text };

/** The data of each complete server-sent event. */
async function* dataOf(response: Response): AsyncGenerator<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    const frames = text.split(/\r?\n\r?\n|\r\r/);
    text = frames.pop() ?? "";
    for (const frame of frames) {
      const lines = frame.split(/\r\n|\r|\n/).filter((line) => line.startsWith("data:"));
      if (lines.length > 0) yield lines.map((line) => line.slice(5).trimStart()).join("\n");
    }
  }
}
