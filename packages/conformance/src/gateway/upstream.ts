import { notFound } from "../harness/bytes.ts";
import type { Answer, Received } from "../harness/host.ts";
import { asksForStream } from "../loop/script.ts";
import type { WireName } from "../replay/builtin.ts";
import { type Serving, serve } from "../server.ts";
import { wires } from "../wires/index.ts";
import type { PlayedReply } from "./corpus.ts";

export interface UpstreamRequests {
  readonly requests: readonly Received[];
  /** Why the reply could not be played; absent if it was. */
  readonly problem?: string;
}

/** The server behind a gateway. It plays a reply for each request that names it. */
export interface Upstream {
  /** `http://127.0.0.1:<port>`, without a slash at its end. */
  readonly url: string;
  /** The last requests, also those that name no reply. */
  readonly seen: readonly Received[];
  /** Plays the reply for requests with the returned prompt. `done` ends that, and returns them. */
  play(
    protocol: WireName,
    reply: PlayedReply,
  ): { readonly prompt: string; done(): UpstreamRequests };
  close(): Promise<void>;
}

const answerUnknown = ({ method, path }: Received): Answer =>
  notFound(`This server plays a model for conformance gateway. ${method} ${path} names no reply.`);

const markPattern = /\[reply ([0-9a-f-]{36})\]/g;

interface Playing {
  readonly protocol: WireName;
  readonly reply: PlayedReply;
  readonly requests: Received[];
  problem?: string;
}

/** Why this request cannot be answered with the reply. */
function problemOf({ protocol, reply }: Playing, request: Received): string | undefined {
  const wire = wires[protocol];
  if (reply.kind === "form") return undefined;
  if (wire.agent?.route.test(request.path) !== true)
    return `the gateway sent the request to ${request.path}, which is not a path of ${protocol}`;
  const isStatus = reply.kind === "status" || reply.kind === "early";
  if (!isStatus && asksForStream(wire, request) !== reply.streams)
    return `the gateway asked upstream for ${reply.streams ? "one JSON body" : "a stream"}, and this reply is not in that form`;
  return undefined;
}

/** Starts the server, by default at a free port. Rejects if the port is taken. */
export async function startUpstream(port?: number): Promise<Upstream> {
  const playing = new Map<string, Playing>();
  const find = (body: string): Playing | undefined => {
    const marks = [...body.matchAll(markPattern)].map(([, mark = ""]) => mark);
    return marks.map((mark) => playing.get(mark)).find((one) => one !== undefined);
  };
  const answer = (request: Received): Answer => {
    const found = find(request.body);
    if (found === undefined) return answerUnknown(request);
    found.requests.push(request);
    const problem = problemOf(found, request);
    if (problem === undefined) return found.reply.answer;
    found.problem ??= problem;
    return answerUnknown(request);
  };
  const isAnsweredEarly = (body: string): boolean => find(body)?.reply.kind === "early";
  const serving: Serving = await serve(answer, { port, isAnsweredEarly });
  return {
    url: serving.url,
    seen: serving.requests,
    play: (protocol, reply) => {
      const mark = crypto.randomUUID();
      const entry: Playing = { protocol, reply, requests: [] };
      playing.set(mark, entry);
      return {
        prompt: `Go. [reply ${mark}]`,
        done: () => {
          playing.delete(mark);
          const { requests, problem } = entry;
          return { requests, ...(problem !== undefined && { problem }) };
        },
      };
    },
    close: serving.close,
  };
}
