import { anyFunction, checkGiven, checkOptions, type OptionKinds } from "@fullstop/core/adapter";
import type { Run, RunEvent } from "@fullstop/loop";
import { toBytes } from "../frame.ts";
import { jsonText } from "../json-text.ts";
import {
  eventStreamHeaders,
  lastEventIdOf,
  type ResponseKind,
  type ResponseOptions,
  refusal,
  respondWithRun,
  responseKinds,
  stream,
} from "../respond.ts";
import type { RunStreams } from "../run-streams.ts";
import { droppedMessage } from "../stream-error.ts";
import type { Encoder, EndOptions } from "../streamed-run.ts";
import { type PublicEvent, toPublicEvent } from "./public-event.ts";

/** What a client of `sseResponse` gets. */
export interface SseOptions extends ResponseOptions, EndOptions {
  /**
   * Changes an event before it is sent, or leaves it out by returning `undefined`. `source` is the
   * event of the run, with everything that is not sent by default.
   */
  readonly select?: ((event: PublicEvent, source: RunEvent) => object | undefined) | undefined;
}

const sseKinds: OptionKinds<Required<SseOptions>> = {
  ...responseKinds,
  select: anyFunction,
};

/**
 * Starts a run, and sends its events as server-sent events: the JSON of a `PublicEvent` each, with an
 * id. The last one is `end`, or `{ type: "failure", message }` if the run rejected.
 * A client that disconnects aborts the run, unless `streams` lets it come back.
 * @throws TypeError or RangeError for options that cannot work.
 */
export async function sseResponse(run: Run, options: SseOptions = {}): Promise<Response> {
  checkGiven(run?.textStream, "sseResponse", "a run: `run({ … })`");
  checkOptions(options, sseKinds, { of: "sseResponse" });
  const { onEnd, onError } = options;
  return respondWithRun({ run, encoder: sseEncoder(options), onEnd, onError }, options, sseKind);
}

/**
 * The rest of a stream for a client that lost its connection: what follows the `Last-Event-ID` of
 * the request, or everything. 204 if it has seen all, which ends an `EventSource`; 404 for an unknown
 * stream; 410 if the stream has dropped events that it needs.
 */
export async function resumeSse(
  streams: RunStreams,
  streamId: string,
  request: Request,
  options: Pick<ResponseOptions, "heartbeatMs"> = {},
): Promise<Response> {
  checkGiven(streams, "resumeSse", "the streams of `createRunStreams()`");
  const after = lastEventIdOf(request);
  const position = await streams.find(streamId, after);
  if (position === "complete") return new Response(null, { status: 204 });
  if (position === "unknown")
    return refusal(404, { kind: "unknown", message: "No stream has this id, or it is over." });
  if (position === "dropped") return refusal(410, { kind: "dropped", message: droppedMessage });
  return stream(streams, { streamId, after }, options, sseKind);
}

const sseKind: ResponseKind = {
  headers: eventStreamHeaders,
  // An `EventSource` comes back after this many milliseconds.
  opening: toBytes("retry: 1000\n\n"),
  failure: (thrown) => toBytes(`data: ${readFailureText(thrown)}\n\n`),
};

const readFailureText = (thrown: unknown): string =>
  JSON.stringify({
    type: "failure",
    message: isDropped(thrown) ? droppedMessage : "The events could not be read.",
  });
const isDropped = (thrown: unknown): boolean =>
  (thrown as { readonly kind?: unknown } | null)?.kind === "dropped";

function sseEncoder({ select, errors = "kind" }: SseOptions): Encoder {
  const encode = (event: RunEvent): readonly string[] => {
    const sent = toPublicEvent(event, errors);
    const chosen = sent === undefined || select === undefined ? sent : select(sent, event);
    if (chosen === undefined) return [];
    const { type, runId, path, turnNumber, at } = event;
    return [jsonText(chosen, (error) => ({ type, runId, path, turnNumber, at, error }))];
  };
  return {
    begin: () => [],
    event: encode,
    failure: (message) => [JSON.stringify({ type: "failure", message })],
    finish: () => [],
  };
}
