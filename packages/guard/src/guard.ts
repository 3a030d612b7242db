import { createGate } from "@fullstop/core";
import { readFrames, watchForLeak } from "@fullstop/core/adapter";
import { checkGuardOptions } from "./check-options.ts";
import type { Fetch, GuardOptions } from "./options.ts";
import { type Attempts, createAttempts } from "./reply/attempts.ts";
import { createDecider, type Decide } from "./reply/decider.ts";
import { type HeldShare, unlimited } from "./reply/held-total.ts";
import { noRoomError } from "./reply/no-room.ts";
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
  if (typeof fetch !== "function")
    throw new TypeError(
      "The first argument of `guard` must be a `fetch`. Options come second: `guard(globalThis.fetch, { … })`.",
    );
  checkGuardOptions(options, "guard");
  const inspect = createInspector(options);
  const shared = { fetch, options, attempts: createAttempts(), reasked: createAttempts() };
  const { heldTotal = unlimited } = options;
  return async (...call) => {
    const share = heldTotal.open();
    let client: ClientSignal | undefined;
    const onEnd = (): void => {
      share.keep(0);
      client?.stop();
    };
    let sent: Sent | undefined;
    try {
      const inspected = await inspect(call, share);
      if (inspected.kind === "refused") return inspected.response;
      if (inspected.kind === "unguarded") return await fetch(...inspected.send);
      client = createClientSignal(inspected.send);
      sent = await sendGuarded(inspected, { ...shared, share, client, onEnd });
      return sent.response;
    } finally {
      if (sent?.isOpen !== true) onEnd();
    }
  };
}

interface Sent {
  readonly response: Response;
  readonly isOpen: boolean;
}
const whole = (response: Response): Sent => ({ response, isOpen: false });

interface GuardContext {
  readonly fetch: Fetch;
  readonly options: GuardOptions;
  readonly attempts: Attempts;
  readonly reasked: Attempts;
  readonly share: HeldShare;
  readonly client: ClientSignal;
  readonly onEnd: () => void;
}

/** Rejects with what `fetch` throws, and with the reason of the caller's signal. */
async function sendGuarded(request: InspectedRequest, context: GuardContext): Promise<Sent> {
  const { fetch, options, share, client, onEnd } = context;
  const replyId = crypto.randomUUID();
  const decide = createDecider(request, { ...context, replyId });
  const before = share.bytes;
  let { send } = request;
  for (;;) {
    const upstream = await fetch(send[0], { ...send[1], signal: client.signal });
    if (!upstream.ok || upstream.body === null) {
      share.keep(0);
      // The caller's signal still ends the body of an error.
      return { response: upstream, isOpen: upstream.body !== null };
    }
    const outputs = guardReply(request, { upstream, options, decide, share, client });
    const first = await outputs.next();
    const result = first.value?.type === "outcome" ? first.value : undefined;
    if (result?.outcome.action !== "retried" && result?.outcome.action !== "failed")
      return {
        response: replyResponse(upstream, { replyId, first, outputs, client, onEnd }),
        isOpen: true,
      };
    const { outcome, turn } = result;
    await outputs.return();
    share.keep(before);
    client.signal.throwIfAborted();
    if (outcome.action === "failed") {
      const reply = { replyId, headers: upstream.headers, turn };
      return whole(errorResponse(request.protocol, outcome.failure, reply));
    }
    send = outcome.send;
  }
}

interface ReplyContext {
  readonly upstream: Response;
  readonly options: GuardOptions;
  readonly decide: Decide;
  readonly share: HeldShare;
  readonly client: ClientSignal;
}
function guardReply(
  { reader, sent, protocol }: InspectedRequest,
  { upstream, options, decide, share, client }: ReplyContext,
): AsyncGenerator<Output, void> {
  const { onPreview, leakIn } = watchForLeak(reader.readSent?.(sent.body).tools, undefined);
  return guardStream({
    gate: createGate(reader, sent, { signal: client.signal, onPreview }),
    leakIn,
    protocol,
    options,
    isStream: isEventStream(upstream),
    share,
    frames: readFrames(upstream, {
      signal: client.signal,
      parse: protocol.parse,
      maxBytes: maxHeldOf(options),
      onBytes(bytes) {
        if (!share.take(bytes)) throw noRoomError();
      },
    }),
    decide: (reply) => decide(reply, upstream),
    leave: client.leaveReply,
  });
}

/** `AbortSignal.any` needs several times the CPU, and its weak references burden the collector. */
function createClientSignal([input, init]: FetchArguments): ClientSignal {
  let own = new AbortController();
  const given = init?.signal ?? (input instanceof Request ? input.signal : undefined);
  const follow = (): void => own.abort(given?.reason);
  if (given?.aborted) follow();
  else given?.addEventListener("abort", follow, { once: true });
  return {
    get signal() {
      return own.signal;
    },
    leave: () => own.abort(),
    leaveReply() {
      if (own.signal.aborted) return;
      own.abort();
      own = new AbortController();
    },
    stop: () => given?.removeEventListener("abort", follow),
  };
}

const isEventStream = ({ headers }: Response): boolean =>
  /^text\/event-stream/i.test(headers.get("content-type") ?? "");
