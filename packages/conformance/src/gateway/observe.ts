import type { Agent } from "node:http";
import type { Turn } from "@fullstop/core";
import { evenlySpread } from "../harness/bytes.ts";
import { limitConcurrency } from "../harness/concurrency.ts";
import type { Received } from "../harness/host.ts";
import { isObject, nestedValues, tryParseJson } from "../harness/json.ts";
import { cap } from "../harness/scenarios.ts";
import { readers as builtin, type WireName } from "../replay/builtin.ts";
import { type HeardReply, readReply, sendRequest } from "./client.ts";
import { type PlayedReply, playedReplies, simpleReply } from "./corpus.ts";
import type { ProtocolReader } from "./protocols.ts";
import { buildRequest, type Conversation, type FrontRequest } from "./requests.ts";
import type { Upstream } from "./upstream.ts";

/** One way through a gateway. */
export interface GatewayRoute {
  readonly front: WireName;
  /** The address in front, as the vendor's SDK takes it. */
  readonly url: string;
  readonly behind: WireName;
  /** The model that requests name; by default the one that the replies of the protocol name. */
  readonly model?: string | undefined;
  /** Headers of every request in front, beside those of the protocol. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly key?: string | undefined;
}

/** A route that can be asked. */
export interface ReadyRoute extends GatewayRoute {
  readonly readers: { readonly front: ProtocolReader; readonly behind: ProtocolReader };
  readonly upstream: Upstream;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** One exchange: what upstream played, and what came out in front. */
export interface Observation {
  readonly played: PlayedReply;
  /** What upstream played, read by the gate. */
  readonly sent: Turn;
  /** The usage of a reply that looks finished reaches the cap: a guard may withhold its calls. */
  readonly reachesCap: boolean;
  /** What came out in front. */
  readonly heard: HeardReply;
  readonly requests: readonly Received[];
  readonly request: FrontRequest;
  /** Why the reply was not played. */
  readonly problem?: string | undefined;
}

/**
 * Both sides are read as replies to a request with a cap just above the one that was sent. Otherwise
 * the gate would find out by the usage that a relabelled reply was cut, which most clients do not.
 */
const readingCap = cap + 1;

interface RequestOptions extends Pick<Conversation, "answered" | "capMember" | "members"> {
  /** Follows the prompt. */
  readonly padding?: string;
  /** The connection; by default one for this request alone. */
  readonly agent?: Agent;
}

/** Sends one request through the gateway while upstream plays the reply. */
export async function ask(
  route: ReadyRoute,
  played: PlayedReply,
  { padding = "", agent, ...options }: RequestOptions = {},
): Promise<Observation> {
  const { front, behind, url: baseURL, headers = {}, key = "not-a-key", readers } = route;
  const { upstream, timeoutMs, signal } = route;
  const { prompt, done } = upstream.play(behind, played);
  const model = route.model ?? builtin[behind].model;
  const said = `${prompt}${padding}`;
  const conversation = { model, prompt: said, stream: played.streams, key, ...options };
  const request = buildRequest(front, conversation);
  const { body } = buildRequest(front, { ...conversation, cap: readingCap });
  try {
    const received = await sendRequest(request, { baseURL, headers, timeoutMs, signal, agent });
    const heard = await readReply(readers.front, body, received);
    const { requests, problem } = done();
    const sent = await readPlayed(route, played, readingCap);
    const strict = await readPlayed(route, played, cap);
    const reachesCap = sent.calls.length > 0 && strict.calls.length === 0;
    return { played, sent, reachesCap, heard, requests, request, problem };
  } finally {
    done();
  }
}

/** What upstream played, read by the gate as the answer to a request with this cap. */
async function readPlayed(
  { behind, readers }: ReadyRoute,
  { bytes, status, answer, streams }: PlayedReply,
  maxTokens: number,
): Promise<Turn> {
  const { model } = builtin[behind];
  const about = { model, prompt: "Go.", stream: streams, key: "not-a-key", cap: maxTokens };
  const { body } = buildRequest(behind, about);
  const { turn } = await readReply(readers.behind, body, {
    status,
    headers: answer.headers ?? {},
    bytes,
    ...(answer.fault !== undefined && { fault: "the connection was reset" }),
  });
  return turn;
}

/** Why the simplest request of the route does not arrive. `undefined` if it does. */
export async function findObstacle(route: ReadyRoute): Promise<string | undefined> {
  const before = route.upstream.seen.length;
  const { requests, heard, problem } = await ask(route, simpleReply(route.behind, false));
  if (problem !== undefined) return problem;
  if (requests.length > 0) return undefined;
  const text = new TextDecoder().decode(heard.bytes).slice(0, 600);
  const others = route.upstream.seen
    .slice(before)
    .map(({ method, path }) => `${method} ${path}`)
    .join(", ");
  return `no request arrived at upstream (${route.upstream.url}). The gateway answered ${heard.status === 0 ? `nothing (${heard.fault})` : `with the status ${heard.status}: ${text}`}${others === "" ? "" : `. Upstream received ${others}`}`;
}

/** How the replies of a route are observed. */
export interface ObserveOptions {
  /** Replies at the same time. */
  readonly jobs: number;
  /** At most this many of the replies, evenly spread. */
  readonly sample?: number | undefined;
  /** Only the replies whose id begins with this text. */
  readonly reply?: string | undefined;
}

/** How often a request is sent if none arrives at upstream: a busy gateway may refuse one. */
const maxAttempts = 3;

async function askUntilSent(route: ReadyRoute, played: PlayedReply): Promise<Observation> {
  for (let attempt = 1; ; attempt++) {
    const observation = await ask(route, played);
    if (observation.requests.length > 0 || attempt === maxAttempts) return observation;
  }
}

/** Plays every reply of the protocol behind, in the order of the corpus. */
export async function observeReplies(
  route: ReadyRoute,
  { jobs, sample, reply = "" }: ObserveOptions,
): Promise<readonly Observation[]> {
  const selected = playedReplies(route.behind).filter(({ id }) => id.startsWith(reply));
  const all = evenlySpread(selected, sample);
  const enqueue = limitConcurrency(jobs);
  const observe = (played: PlayedReply): Promise<Observation> => {
    route.signal?.throwIfAborted();
    return askUntilSent(route, played);
  };
  return Promise.all(all.map((played) => enqueue(async () => observe(played))));
}

/** A request as it arrived at upstream, at the last attempt. */
export const arrivedAt = ({ requests }: Observation): Received | undefined => requests.at(-1);
export const bodyOf = (observation: Observation): unknown =>
  tryParseJson(arrivedAt(observation)?.body ?? "");

export function callsIn(body: unknown): readonly { readonly id: string; readonly name: string }[] {
  return [...nestedValues(body)].flatMap((value) => {
    if (!isObject(value)) return [];
    const { function: chat, functionCall: camel, function_call: snake } = value;
    const inner = [chat, camel, snake].find(isObject) ?? value;
    const hasInput = ["arguments", "input", "args"].some((key) => Object.hasOwn(inner, key));
    const { name } = inner;
    const id = value["call_id"] ?? value["id"] ?? inner["id"] ?? name;
    return hasInput && typeof name === "string" ? [{ id: String(id), name }] : [];
  });
}
