import { checkGuardOptions } from "./check-options.ts";
import type { Fetch, GuardOptions } from "./options.ts";
import { createAttempts } from "./reply/attempts.ts";
import { unlimited } from "./reply/held-total.ts";
import type { ClientSignal } from "./reply/response.ts";
import { type Sent, sendGuarded } from "./reply/send.ts";
import type { FetchArguments } from "./request/body.ts";
import { createInspector } from "./request/inspect.ts";

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

/** `AbortSignal.any` needs several times the CPU, and its weak references burden the collector. */
function createClientSignal([input, init]: FetchArguments): ClientSignal {
  const client = new AbortController();
  const replies = new Set<AbortController>();
  const given = init?.signal ?? (input instanceof Request ? input.signal : undefined);
  const leave = (reason?: unknown): void => {
    for (const one of [client, ...replies]) one.abort(reason);
  };
  const follow = (): void => leave(given?.reason);
  if (given?.aborted) follow();
  else given?.addEventListener("abort", follow, { once: true });
  return {
    signal: client.signal,
    leave: () => leave(),
    openReply() {
      const own = new AbortController();
      replies.add(own);
      if (client.signal.aborted) own.abort(client.signal.reason);
      return own;
    },
    stop: () => given?.removeEventListener("abort", follow),
  };
}
