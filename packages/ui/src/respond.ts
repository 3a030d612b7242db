import {
  anyFunction,
  anyText,
  type OptionKinds,
  oneOf,
  positiveNumber,
  withMethods,
} from "@fullstop/core/adapter";
import { type BodyOptions, clientBody } from "./client-body.ts";
import type { ErrorDetail } from "./error-text.ts";
import { createRunStreams, type RunStreams } from "./run-streams.ts";
import { StreamError } from "./stream-error.ts";
import type { EndOptions, RunSource } from "./streamed-run.ts";

/** What all responses with a stream have in common. */
export interface ResponseOptions {
  /**
   * Lets a client lose its connection and come back: the run goes on for `graceMs` without it.
   * Without this option a disconnected client aborts the run.
   */
  readonly streams?: RunStreams | undefined;
  /**
   * The name under which `streams` keeps this run. A client that knows it can read the run, so check
   * that the client may. Needed with `streams`.
   */
  readonly streamId?: string | undefined;
  /**
   * An idle connection gets a comment this often, in milliseconds, so that proxies keep it open.
   * Default: 15,000.
   */
  readonly heartbeatMs?: number | undefined;
  /**
   * `"message"` also sends what the provider wrote about an error. Default: `"kind"`, a sentence
   * for the kind of error.
   */
  readonly errors?: ErrorDetail | undefined;
}

const runStreams = withMethods(["start", "find", "connect"], "the result of `createRunStreams()`");

export const responseKinds: OptionKinds<Required<ResponseOptions & EndOptions>> = {
  streams: runStreams,
  streamId: anyText,
  heartbeatMs: positiveNumber,
  errors: oneOf("kind", "message"),
  onEnd: anyFunction,
  onError: anyFunction,
};

export interface ResponseKind extends Omit<BodyOptions, "heartbeatMs"> {
  readonly headers: Readonly<Record<string, string>>;
}

export const eventStreamHeaders: Readonly<Record<string, string>> = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  // Nginx would collect the events.
  "x-accel-buffering": "no",
};

const defaultHeartbeatMs = 15_000;

/** Starts a run, and serves its first client. `skipsOpening`: it has what `begin` gave. */
export async function respondWithRun(
  source: RunSource,
  options: ResponseOptions,
  kind: ResponseKind & { readonly skipsBegun?: boolean },
): Promise<Response> {
  const { streams = createRunStreams({ graceMs: 0, keepEndedMs: 0 }), streamId = "run" } = options;
  if (options.streams !== undefined && options.streamId === undefined)
    throw new TypeError("`streams` needs a `streamId`, such as the id of the chat.");
  try {
    const { begunAt } = await streams.start(streamId, source);
    return stream(
      streams,
      { streamId, after: kind.skipsBegun ? begunAt : undefined },
      options,
      kind,
    );
  } catch (thrown) {
    if (thrown instanceof StreamError && thrown.kind === "full") return refusal(503, thrown);
    throw thrown;
  }
}

export interface ClientPosition {
  readonly streamId: string;
  readonly after: string | undefined;
}

export function stream(
  streams: RunStreams,
  { streamId, after }: ClientPosition,
  { heartbeatMs = defaultHeartbeatMs }: Pick<ResponseOptions, "heartbeatMs">,
  { headers, opening, failure }: ResponseKind,
): Response {
  const client = streams.connect(streamId, after);
  const body = clientBody(client, { heartbeatMs, opening, failure });
  return new Response(body, { headers });
}

/** A response for a program: the sentence says what happened. */
export const refusal = (
  status: number,
  { kind, message }: Pick<StreamError, "kind" | "message">,
): Response => Response.json({ error: { kind, message } }, { status });

export const lastEventIdOf = (request: Request): string | undefined =>
  request.headers.get("last-event-id") ?? undefined;
