import { once } from "node:events";
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { createGate, type ReplyReader, type Turn, toProviderError } from "@fullstop/core";
import {
  judgeRoute,
  loadReader,
  observeReplies,
  probeRequests,
  type Relay,
  type RelayedAnswer,
  startUpstream,
} from "../../src/gateway/index.ts";
import type { Verdict } from "../../src/index.ts";
import type { WireName } from "../../src/replay/index.ts";

interface Sent extends Pick<RelayedAnswer, "broken"> {
  readonly bytes: Buffer;
}

async function readBytes(message: IncomingMessage): Promise<Sent> {
  const pieces: Buffer[] = [];
  try {
    for await (const piece of message as AsyncIterable<Buffer>) pieces.push(piece);
  } catch {
    return { bytes: Buffer.concat(pieces), broken: true };
  }
  return { bytes: Buffer.concat(pieces), broken: false };
}

interface Passed {
  readonly url: string;
  readonly method: string | undefined;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer | string;
}

/** Sends a request to upstream, and reads the answer. */
async function pass({ url, method, headers, body }: Passed, gateway: Relay) {
  const passed = httpRequest(url, {
    method,
    agent: false,
    headers: { ...headers, "content-length": Buffer.byteLength(body), ...gateway.headers },
  });
  const responding = Promise.withResolvers<IncomingMessage>();
  passed.on("response", responding.resolve);
  passed.on("error", responding.reject);
  passed.end(body);
  const response = await responding.promise;
  if (gateway.takesNoEarlyAnswer && !passed.writableFinished)
    throw new Error("Upstream answered before the end of the request.");
  const { bytes, broken } = await readBytes(response);
  const answer = { status: response.statusCode ?? 502, text: bytes.toString("utf8"), broken };
  return { answer, type: String(response.headers["content-type"]) };
}

async function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { upstream, gateway }: { readonly upstream: string; readonly gateway: Relay },
): Promise<void> {
  const { bytes } = await readBytes(incoming);
  const text = bytes.toString("utf8");
  const isJson = incoming.headers["content-type"] === "application/json";
  const other = gateway.readsTexts ? text : bytes;
  const body = isJson && gateway.request !== undefined ? gateway.request(text) : other;
  if (body === undefined) {
    outgoing.writeHead(503, { "content-type": "application/json" }).end('{"error":{}}');
    return;
  }
  const { host: _, "content-length": __, ...headers } = incoming.headers;
  const url = `${upstream}${incoming.url}`;
  const request = { url, method: incoming.method, headers, body };
  const first = await pass(request, gateway);
  const { answer, type } = gateway.repeats?.(first.answer) ? await pass(request, gateway) : first;
  const changed = gateway.answer === undefined ? answer : gateway.answer(answer, text);
  outgoing.writeHead(changed?.status ?? 200, { "content-type": type });
  if (changed === undefined) return outgoing.flushHeaders();
  outgoing.write(changed.text, () =>
    changed.broken ? outgoing.socket?.resetAndDestroy() : outgoing.end(),
  );
}

/** Starts the gateway on the loopback. */
async function startRelay(
  gateway: Relay,
  upstream: string,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer((incoming, outgoing) => {
    forward(incoming, outgoing, { upstream, gateway }).catch(() => outgoing.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The app has every provider. */
const folder = fileURLToPath(new URL("../../../../apps/cli/", import.meta.url));
export const readerOf = async (name: WireName): Promise<ReplyReader> =>
  (await loadReader(name, folder)).reader;

/** A gateway that passes everything on. */
export const soundGateway: Relay = { protocol: "openai-chat" };

export interface JudgeGatewayOptions {
  readonly only?: string;
  /** At most this many of the replies. */
  readonly sample?: number | undefined;
  /** `false` leaves out the clause that sends requests of 16 MiB. */
  readonly hasLong?: boolean;
}

/** Judges a small gateway, and returns its verdicts by the ids of the clauses. */
export async function judgeGateway(
  gateway: Relay,
  { only, sample, hasLong = "upstream.early".startsWith(only ?? "") }: JudgeGatewayOptions = {},
): Promise<ReadonlyMap<string, Verdict>> {
  const { protocol, reply } = gateway;
  const upstream = await startUpstream();
  const small = await startRelay(gateway, upstream.url);
  const url = protocol.startsWith("openai") ? `${small.url}/v1` : small.url;
  const reader = await loadReader(protocol, folder);
  const readers = { front: reader, behind: reader };
  try {
    const route = {
      front: protocol,
      behind: protocol,
      url,
      readers,
      upstream,
      // Only a reply that never ends takes so long.
      timeoutMs: reply?.endsWith("/resets") ? 500 : 10_000,
    };
    const probes = await probeRequests(route, { hasLong });
    const observations = await observeReplies(route, { jobs: 4, reply, sample });
    const verdicts = judgeRoute({ route, observations, probes }, { all: true, only });
    const found = new Map<string, Verdict>();
    for await (const verdict of verdicts) found.set(verdict.clause.id, verdict);
    return found;
  } finally {
    await small.close();
    await upstream.close();
  }
}

export const brokenClauses = (verdicts: ReadonlyMap<string, Verdict>): readonly string[] =>
  [...verdicts.values()].flatMap(({ clause, status }) => (status === "broken" ? [clause.id] : []));

/** The gate's verdict on a reply of Chat Completions. */
function readChat(reader: ReplyReader, { text, broken }: RelayedAnswer, body: ChatBody): Turn {
  const gate = createGate(reader, { body });
  try {
    for (const event of body.stream ? eventsOf(text) : [text])
      gate.push(event === "[DONE]" ? event : JSON.parse(event));
    if (broken) throw new TypeError("terminated");
  } catch (thrown) {
    gate.fail(toProviderError(thrown, reader));
  }
  return gate.end();
}

interface ChatBody {
  readonly stream?: boolean;
}

const badGateway = { status: 502, broken: false, text: '{"error":{"message":"It broke."}}' };

/** A guard for Chat Completions: it holds a reply until the gate has read it. */
export const chatGuard = (reader: ReplyReader): Relay => ({
  ...soundGateway,
  answer: (answer, request) => {
    if (answer.status !== 200) return answer;
    const body = JSON.parse(request) as ChatBody;
    const { withheld, stopReason } = readChat(reader, answer, body);
    if (stopReason === "interrupted" || stopReason === "error") return { ...answer, ...badGateway };
    return withheld.length === 0
      ? answer
      : { ...answer, text: withheldReply(body.stream === true, stopReason) };
  },
});

const eventsOf = (text: string): readonly string[] =>
  text
    .split("\n")
    .filter((line) => line.startsWith("data: "))
    .map((line) => line.slice("data: ".length));

function withheldReply(streams: boolean, stopReason: string): string {
  const blocked = stopReason === "content-filter" || stopReason === "refusal";
  const finish_reason = blocked ? "content_filter" : "length";
  const content = "(Held back a call; nothing of it ran.)";
  const message = { role: "assistant", content };
  if (!streams) return JSON.stringify({ choices: [{ index: 0, message, finish_reason }] });
  const chunk = { choices: [{ index: 0, delta: message, finish_reason }] };
  return `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`;
}
