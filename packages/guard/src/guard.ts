import { createGate } from "@fullstop/core";
import { readFrames } from "@fullstop/core/adapter";
import { checkGuardOptions } from "./check-options.ts";
import type { Fetch, GuardOptions } from "./options.ts";
import { type Attempts, createAttempts } from "./reply/attempts.ts";
import { createDecider, type Decider } from "./reply/decider.ts";
import { type ClientSignal, errorResponse, replyResponse } from "./reply/response.ts";
import { guardStream, maxHeldOf, type Output } from "./reply/stream.ts";
import type { FetchArguments } from "./request/body.ts";
import { createInspector, type InspectedRequest } from "./request/inspect.ts";

/**
 * Wraps a `fetch`, by default the global one. The replies of LLM providers then give out tool calls
 * only if the whole reply arrived and the provider finished it. Text goes out at once. All other
 * requests pass unchanged.
 *
 * @throws TypeError or RangeError for an unknown option, and for a value that cannot work.
 */
export function guard(fetch: Fetch = globalThis.fetch, options: GuardOptions = {}): Fetch {
  checkGuardOptions(options);
  const inspect = createInspector(options);
  const attempts = createAttempts();
  return async (input, init) => {
    const inspected = await inspect(input, init);
    if (inspected.kind === "refused") return inspected.response;
    if (inspected.kind === "unguarded") return fetch(...inspected.send);
    return sendGuarded(inspected, { fetch, options, attempts });
  };
}

interface GuardContext {
  readonly fetch: Fetch;
  readonly options: GuardOptions;
  readonly attempts: Attempts;
}

/**
 * Sends the request, again if the options ask for that, and gives the guarded reply.
 * Rejects with what `fetch` throws, and with the reason of the caller's signal.
 */
async function sendGuarded(request: InspectedRequest, context: GuardContext): Promise<Response> {
  const { fetch, options } = context;
  const decider = createDecider(request, context);
  let { send } = request;
  for (;;) {
    const client = createClientSignal(send);
    const upstream = await fetch(send[0], { ...send[1], signal: client.signal });
    if (!upstream.ok || upstream.body === null) return upstream;
    const outputs = guardReply(request, { upstream, options, decider, signal: client.signal });
    const first = await outputs.next();
    const result = first.value?.type === "outcome" ? first.value : undefined;
    if (result?.outcome.action !== "retried" && result?.outcome.action !== "failed")
      return replyResponse(upstream, { first, outputs, client });
    const { outcome, turn } = result;
    await outputs.return();
    client.signal.throwIfAborted();
    if (outcome.action === "failed")
      return errorResponse(request.protocol, outcome.failure, { headers: upstream.headers, turn });
    send = outcome.send;
  }
}

interface ReplyContext {
  readonly upstream: Response;
  readonly options: GuardOptions;
  readonly decider: Decider;
  readonly signal: AbortSignal;
}
const guardReply = (
  { reader, sent, protocol }: InspectedRequest,
  { upstream, options, decider, signal }: ReplyContext,
): AsyncGenerator<Output, void> =>
  guardStream({
    gate: createGate(reader, sent, { signal }),
    protocol,
    options,
    keepAliveMs: isEventStream(upstream) ? options.keepAliveMs : Number.POSITIVE_INFINITY,
    frames: readFrames(upstream, { parse: protocol.parse, maxBytes: maxHeldOf(options) }),
    decide: (reply) => decider.decide(reply, upstream),
  });

/** The signal of the caller, and the end of a client that goes away. */
function createClientSignal([input, init]: FetchArguments): ClientSignal {
  const own = new AbortController();
  const given = init?.signal ?? (input instanceof Request ? input.signal : undefined);
  return {
    signal: given ? AbortSignal.any([given, own.signal]) : own.signal,
    leave: () => own.abort(),
  };
}

const isEventStream = ({ headers }: Response): boolean =>
  /^text\/event-stream/i.test(headers.get("content-type") ?? "");
