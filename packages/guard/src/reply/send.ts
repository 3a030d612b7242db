import { createGate } from "@fullstop/core";
import { readFrames, type SentRequest, watchForLeak } from "@fullstop/core/adapter";
import type { Fetch, GuardOptions } from "../options.ts";
import type { FetchArguments } from "../request/body.ts";
import type { InspectedRequest } from "../request/inspect.ts";
import type { Attempts } from "./attempts.ts";
import { createDecider, type Decide } from "./decider.ts";
import type { HeldShare } from "./held-total.ts";
import { noRoomError } from "./no-room.ts";
import { type ClientSignal, errorResponse, replyResponse, turnOf } from "./response.ts";
import { defaultMaxHeld, guardStream, maxHeldOf, type Output } from "./stream.ts";
import type { KeptEnding, Outcome } from "./verdict.ts";

export interface Sent {
  readonly response: Response;
  readonly isOpen: boolean;
}
const whole = (response: Response): Sent => ({ response, isOpen: false });

export interface SendContext {
  readonly fetch: Fetch;
  readonly options: GuardOptions;
  readonly attempts: Attempts;
  readonly reasked: Attempts;
  readonly share: HeldShare;
  readonly client: ClientSignal;
  readonly onEnd: () => void;
}

/** Rejects with what `fetch` throws, and with the reason of the caller's signal. */
export async function sendGuarded(request: InspectedRequest, context: SendContext): Promise<Sent> {
  const { share, client, onEnd } = context;
  const replyId = crypto.randomUUID();
  const asking = { ...context, request, decide: createDecider(request, { ...context, replyId }) };
  const open = ({ upstream, first, outputs }: BegunReply): Sent => ({
    response: replyResponse(upstream, { replyId, first, outputs, client, onEnd }),
    isOpen: true,
  });
  const before = share.bytes;
  let { send } = request;
  for (;;) {
    const reply = await ask({ send, sent: request.sent }, asking);
    if (!("outputs" in reply)) {
      share.keep(0);
      // The caller's signal still ends the body of an error.
      return { response: reply.upstream, isOpen: reply.upstream.body !== null };
    }
    const outcome = outcomeOf(reply);
    if (outcome?.action !== "retried" && outcome?.action !== "failed") return open(reply);
    if (outcome.action === "retried" && outcome.kept !== undefined) {
      const { kept, sent = request.sent } = outcome;
      return open(await askOnceMore({ send: outcome.send, sent }, { asking, reply, kept }));
    }
    await reply.outputs.return();
    share.keep(before);
    client.signal.throwIfAborted();
    if (outcome.action === "failed") {
      const { upstream, first } = reply;
      const failed = { replyId, headers: upstream.headers, turn: turnOf(first) };
      return whole(errorResponse(request.protocol, outcome.failure, failed));
    }
    send = outcome.send;
  }
}

interface ErrorReply {
  readonly upstream: Response;
}
interface BegunReply extends ErrorReply {
  readonly first: IteratorResult<Output, void>;
  readonly outputs: AsyncGenerator<Output, void>;
}
const outcomeOf = ({ first: { value } }: BegunReply): Outcome | undefined =>
  value?.type === "outcome" ? value.outcome : undefined;

interface AskedRequest {
  readonly send: FetchArguments;
  readonly sent: SentRequest;
}
interface Asking extends SendContext {
  readonly request: InspectedRequest;
  readonly decide: Decide;
}

async function ask({ send, sent }: AskedRequest, asking: Asking): Promise<BegunReply | ErrorReply> {
  const { fetch, client } = asking;
  const own = client.openReply();
  const upstream = await fetch(send[0], { ...send[1], signal: own.signal });
  if (!upstream.ok || upstream.body === null) return { upstream };
  const outputs = guardReply({ upstream, sent, own }, asking);
  return { upstream, first: await outputs.next(), outputs };
}

interface FirstReply {
  readonly asking: Asking;
  readonly reply: BegunReply;
  readonly kept: KeptEnding;
}

/** Gives the second reply if it begins with success, and otherwise the first one with its ending. */
async function askOnceMore(
  asked: AskedRequest,
  { asking, reply, kept }: FirstReply,
): Promise<BegunReply> {
  const { share, client } = asking;
  const heldBefore = share.bytes;
  const second = await ask(asked, asking).catch(() => undefined);
  if (second !== undefined && "outputs" in second && hasBegun(second)) {
    kept.drop();
    await reply.outputs.return();
    return second;
  }
  if (second !== undefined && "outputs" in second) await second.outputs.return();
  else await second?.upstream.body?.cancel();
  share.keep(heldBefore);
  if (!client.signal.aborted) return { ...reply, first: await reply.outputs.next() };
  await reply.outputs.return();
  throw client.signal.reason;
}

function hasBegun(reply: BegunReply): boolean {
  const { action } = outcomeOf(reply) ?? {};
  return action !== "failed" && action !== "retried";
}

interface OpenReply {
  readonly upstream: Response;
  readonly sent: SentRequest;
  readonly own: AbortController;
}
function guardReply(
  { upstream, sent, own }: OpenReply,
  { request: { reader, protocol }, options, decide, share, client }: Asking,
): AsyncGenerator<Output, void> {
  const { onPreview, leakIn } = watchForLeak(reader.readSent?.(sent.body).tools, undefined);
  const maxHeld = maxHeldOf(options);
  const maxTextLength = Math.max(maxHeld, defaultMaxHeld);
  return guardStream({
    gate: createGate(reader, sent, { signal: client.signal, onPreview, maxTextLength }),
    leakIn,
    protocol,
    options,
    isStream: isEventStream(upstream),
    share,
    frames: readFrames(upstream, {
      signal: own.signal,
      parse: protocol.parse,
      maxBytes: maxHeld,
      onBytes(bytes) {
        if (!share.take(bytes)) throw noRoomError();
      },
    }),
    decide: (ended) => decide(ended, upstream),
    leave: () => own.abort(),
  });
}

const isEventStream = ({ headers }: Response): boolean =>
  /^text\/event-stream/i.test(headers.get("content-type") ?? "");
