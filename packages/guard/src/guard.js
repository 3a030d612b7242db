import { createGate } from "@fullstop/core";
import { readFrames } from "@fullstop/core/adapter";
import { createAttempts } from "./reply/attempts.ts";
import { createDecider } from "./reply/decider.ts";
import { errorResponse, replyResponse } from "./reply/response.ts";
import { guardStream } from "./reply/stream.ts";
import { createInspector } from "./request/inspect.ts";
/**
 * Wraps a `fetch`, by default the global one. The replies of LLM providers then give out tool calls
 * only if the whole reply arrived and the provider finished it. Text goes out at once. All other
 * requests pass unchanged.
 */
export function guard(fetch = globalThis.fetch, options = {}) {
  const inspect = createInspector(options);
  const attempts = createAttempts();
  return async (input, init) => {
    const inspected = await inspect(input, init);
    if (inspected.kind === "refused") return inspected.response;
    if (inspected.kind === "unguarded") return fetch(...inspected.send);
    return sendGuarded(inspected, { fetch, options, attempts });
  };
}
/** Sends the request, again if the options ask for that, and gives the guarded reply. */
async function sendGuarded(request, context) {
  const { fetch, options } = context;
  const decider = createDecider(request, context);
  let { send } = request;
  for (;;) {
    const client = new AbortController();
    const upstream = await fetch(...withSignal(send, client.signal));
    if (!upstream.ok || upstream.body === null) return upstream;
    const outputs = guardStream({
      gate: createGate(request.reader, request.sent, { signal: client.signal }),
      protocol: request.protocol,
      options,
      keepAliveMs: isEventStream(upstream) ? options.keepAliveMs : Number.POSITIVE_INFINITY,
      frames: readFrames(upstream, { parse: request.protocol.parse }),
      decide: (reply) => decider.decide(reply, upstream),
    });
    const first = await outputs.next();
    const outcome = outcomeOf(first);
    if (outcome?.action === "retried") {
      await outputs.return();
      send = outcome.send;
      continue;
    }
    if (outcome?.action !== "failed") {
      const cancel = () => client.abort();
      return replyResponse(upstream, { first, outputs, cancel });
    }
    await outputs.return();
    return errorResponse(request.protocol, outcome.failure, upstream.headers);
  }
}
const outcomeOf = ({ value }) => (value?.type === "outcome" ? value.outcome : undefined);
/** Adds a signal of the guard: a client that goes away ends the request. */
function withSignal([input, init], own) {
  const given = init?.signal ?? (input instanceof Request ? input.signal : undefined);
  return [input, { ...init, signal: given ? AbortSignal.any([given, own]) : own }];
}
const isEventStream = ({ headers }) =>
  /^text\/event-stream/i.test(headers.get("content-type") ?? "");
