import { createHash } from "node:crypto";
import type { WireName } from "../replay/builtin.ts";
import { wires } from "../wires/index.ts";
import { oneConnection, sendRequest } from "./client.ts";
import { type PlayedReply, playBody, playedReplies, simpleReply } from "./corpus.ts";
import { ask, type Observation, type ReadyRoute } from "./observe.ts";
import { buildForm } from "./requests.ts";

/** The requests of a route that are looked at, as they arrived at upstream. */
export interface RequestProbes {
  /** A request with instructions, tools and a cap. */
  readonly first: Observation;
  /** The same with the older name of the cap, if the protocol in front has one. */
  readonly olderCap?: Observation;
  /** A request with the results of two calls. */
  readonly results?: Observation;
  /** A form, if the route passes one on. */
  readonly form?: FormProbe;
  /** Requests that were answered before they were read, if the route passes such long ones on. */
  readonly early: readonly EarlyProbe[];
  /** Requests to which a reply broke, and which the provider keeps. */
  readonly kept: readonly KeptProbe[];
}

/** The older name of the cap in Chat Completions. */
export const olderCapMember = "max_tokens";
export const resultOf = (name: string): string => `The result of ${name}.`;

/**
 * Sends the requests. The results answer the calls that came out in front. `hasLong: false` leaves
 * out those of 16 MiB.
 */
export async function probeRequests(
  route: ReadyRoute,
  { hasLong = true }: { readonly hasLong?: boolean } = {},
): Promise<RequestProbes> {
  const first = await ask(route, simpleReply(route.behind, false));
  const olderCap =
    route.front === "openai-chat"
      ? await ask(route, simpleReply(route.behind, false), { capMember: olderCapMember })
      : undefined;
  const { heard } = await ask(route, simpleReply(route.behind, true));
  const blocks = (heard.turn.message?.content ?? []).filter((block) => block.type === "tool-call");
  const answered = heard.turn.calls.map(({ id, name, input }) => ({
    id: blocks.find((block) => block.id === id)?.nativeId ?? id,
    name,
    input,
    result: resultOf(name),
  }));
  const results =
    answered.length < 2
      ? undefined
      : await ask(route, simpleReply(route.behind, false), { answered });
  const form = await probeForm(route);
  return {
    first,
    ...(olderCap && { olderCap }),
    ...(results && { results }),
    ...(form && { form }),
    early: hasLong ? await probeEarly(route) : [],
    kept: await probeKept(route),
  };
}

/** A form on its two sides, a line each. */
export interface FormProbe {
  readonly sent: string;
  readonly arrived: string;
}

async function describeForm(form: FormData): Promise<string> {
  const lines = [...form].map(async ([name, value]) => {
    if (typeof value === "string") return `${name} ${JSON.stringify(value)}`;
    const bytes = new Uint8Array(await value.arrayBuffer());
    const sum = createHash("sha256").update(bytes).digest("hex").slice(0, 8);
    return `${name} ${value.name} (${value.type}, ${bytes.length} bytes, sha256 ${sum}…)`;
  });
  return (await Promise.all(lines)).join(", ");
}

/** `undefined` if the protocol has no form, or none arrives at upstream. */
async function probeForm(route: ReadyRoute): Promise<FormProbe | undefined> {
  const { front, behind, url: baseURL, headers = {}, key = "not-a-key", upstream } = route;
  const body = '{"id":"file_1","object":"file","filename":"notes.bin"}';
  const reply = playBody({ id: `${behind}/form`, name: "a form", kind: "form", body });
  const { prompt, done } = upstream.play(behind, reply);
  const request = front === behind ? buildForm(front, key, prompt) : undefined;
  if (request !== undefined) await sendRequest(request, { ...route, baseURL, headers });
  const received = done().requests.at(-1);
  if (request === undefined || received?.bytes === undefined) return undefined;
  const { "content-type": type = "none" } = received.headers;
  const form = await new Response(received.bytes, { headers: { "content-type": type } })
    .formData()
    .catch(() => undefined);
  return {
    sent: await describeForm(request.body),
    arrived:
      form === undefined ? `no form, with the content type ${type}` : await describeForm(form),
  };
}

/** A request that was answered before it was read, and the next one of its client. */
export interface EarlyProbe {
  readonly refused: Observation;
  readonly next: Observation;
}

/**
 * An error status that comes before the request was read. It says that its connection will be
 * closed, as HTTP demands of a server that does not read on. Closed at once, it could be lost.
 */
function earlyReply(protocol: WireName, status: number): PlayedReply {
  const reply = playBody({
    id: `${protocol}/early-${status}`,
    name: `the status ${status} before the request was read`,
    kind: "early",
    body: wires[protocol].failures?.find((one) => one.status === 400)?.body ?? "{}",
    status,
  });
  const length = { "content-length": String(reply.bytes.length), connection: "close" };
  const headers = { ...reply.answer.headers, ...length };
  return { ...reply, answer: { ...reply.answer, headers, fault: "stall" } };
}

/** More than two systems and a gateway hold of a request that is not read. */
const longPadding = 16 * 1024 * 1024;

async function probeEarly(route: ReadyRoute): Promise<readonly EarlyProbe[]> {
  const { front, behind, url } = route;
  if (front !== behind) return [];
  const padding = "x".repeat(longPadding);
  const probes: EarlyProbe[] = [];
  for (const status of [413, 400]) {
    const agent = oneConnection(url);
    const refused = await ask(route, earlyReply(behind, status), { padding, agent });
    if (refused.requests.length === 0) return [];
    probes.push({ refused, next: await ask(route, simpleReply(behind, false), { agent }) });
    agent.destroy();
  }
  return probes;
}

/** How requests of Responses belong to a conversation that the provider keeps. */
const keptMembers = [
  { store: true },
  { store: true, previous_response_id: "resp_earlier" },
  { store: true, conversation: "conv_earlier" },
];

/** A request to which the reply broke, and its members about the conversation. */
export interface KeptProbe {
  readonly members: object;
  readonly observation: Observation;
}

async function probeKept(route: ReadyRoute): Promise<readonly KeptProbe[]> {
  const { front, behind } = route;
  const broken = playedReplies(behind).find(({ id }) => id.includes("/one-call/resets-after-"));
  if (front !== "openai-responses" || behind !== front || broken === undefined) return [];
  const probes: KeptProbe[] = [];
  for (const members of keptMembers)
    probes.push({ members, observation: await ask(route, broken, { members }) });
  return probes.filter(({ observation }) => observation.requests.length > 0);
}
