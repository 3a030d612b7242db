import {
  type Fetch,
  type GuardOptions,
  guard,
  type HeldTotal,
  protocolError,
} from "@fullstop/guard";
import { errorOf } from "./answers.ts";
import { limitBody } from "./body-limit.ts";
import { needsNewerNode } from "./decode-reply.ts";
import { addReplyHeaders, requestHeaders } from "./headers.ts";
import type { Limits } from "./limits.ts";
import type { GatewayObserver } from "./observer.ts";
import { redirectOf } from "./redirect.ts";
import type { Route } from "./routes.ts";

interface UpstreamOptions extends GatewayObserver {
  readonly guard?: GuardOptions | undefined;
  readonly fetch?: Fetch | undefined;
  readonly limits: Limits;
  /** What the requests of all upstreams hold together. */
  readonly heldTotal: HeldTotal;
}

/** Sends a request to one upstream. `rest` is what the client wrote behind the name of the route. */
export type Upstream = (request: Request, rest: string) => Promise<Response>;

/** The upstream gave no reply. */
class UpstreamError extends Error {
  readonly code: string;
  constructor(cause: unknown) {
    super("The upstream gave no reply.", { cause });
    this.code = codeOf(cause);
  }
}

/** The code of the system, found in the causes of an error. Its message may hold a key. */
function codeOf(thrown: unknown, depth = 0): string {
  if (!(thrown instanceof Error) || depth > 5) return "unknown";
  const { code, cause, message } = thrown as Error & { readonly code?: unknown };
  if (message === needsNewerNode) return message;
  if (message === "bad port") return "the web standard forbids this port";
  if (typeof code === "string" && /^[A-Z][A-Z0-9_]+$/.test(code)) return code;
  return cause === undefined ? thrown.name : codeOf(cause, depth + 1);
}

export function createUpstream(name: string, route: Route, options: UpstreamOptions): Upstream {
  const { limits, heldTotal } = options;
  const { maxBody, maxHeld, maxDecoded } = limits;
  const base = route.url.replace(/(?<!\/)\/+$/, "");
  const guarded = guard(observedFetch(name, options), {
    ...options.guard,
    ...route.guard,
    maxHeld,
    maxDecoded,
    heldTotal,
    host: () => route.host,
    onReply: (report) => options.onReply?.(name, report),
    onUnguarded: (request) => options.onUnguarded?.(name, request),
  });
  return async (request, rest) => {
    const target = { method: request.method, url: new URL(base + rest) };
    if (lengthOf(request) > maxBody) return bodyTooLarge(target, maxBody);
    const body = limitBody(request, maxBody);
    try {
      const reply = await guarded(target.url, requestInit(request, body.stream));
      return await toClient(reply, target, { name, base, options });
    } catch (thrown) {
      if (body.isTooLarge()) return bodyTooLarge(target, maxBody);
      if (request.signal.aborted) return new Response(null, { status: clientClosed });
      return failed(thrown, target, { name, options });
    }
  };
}

const observedFetch =
  (name: string, { fetch = globalThis.fetch, onUpstream }: UpstreamOptions): Fetch =>
  async (...call) => {
    const began = performance.now();
    const reply = await fetch(...call).catch((thrown: unknown) => {
      throw new UpstreamError(thrown);
    });
    onUpstream?.(name, { status: reply.status, headMs: performance.now() - began });
    return reply;
  };

const lengthOf = ({ headers }: Request): number => Number(headers.get("content-length") ?? 0);

function requestInit(
  { method, headers, signal }: Request,
  body: ReadableStream<Uint8Array> | null,
): RequestInit {
  return {
    method,
    headers: requestHeaders(headers),
    redirect: "manual",
    signal,
    ...(body !== null && { body, duplex: "half" }),
  };
}

/** The status that logs use for a client that went away. It is never sent. */
const clientClosed = 499;

interface ReplyContext {
  readonly name: string;
  readonly base: string;
  readonly options: GatewayObserver;
}

/** The reply of the upstream for the client. An address of the upstream is one of the gateway. */
async function toClient(
  { status, statusText, headers, body }: Response,
  target: Target,
  { name, base, options }: ReplyContext,
): Promise<Response> {
  const isBound = !/^(?:GET|HEAD)$/.test(target.method) || isGuardedPath(target);
  const redirect = redirectOf(headers.get("location"), { ...target, name, base, status, isBound });
  const refusal =
    redirect.kind === "past-guard"
      ? redirectRefused(target, name, redirect.origin)
      : statusRefusal(target, status);
  if (refusal !== undefined) {
    await body?.cancel().catch(() => undefined);
    options.onUnreachable?.(name, redirect.kind === "past-guard" ? "redirect" : `status ${status}`);
    return refusal;
  }
  const reply = new Response(body, { status, statusText: asciiOf(statusText) });
  addReplyHeaders(headers, reply.headers);
  if (redirect.kind === "inside") reply.headers.set("location", redirect.path);
  return reply;
}

/** A reason phrase in other characters cannot be sent. The status says the same. */
const asciiOf = (text: string): string => (/^[\t\x20-\x7e]*$/.test(text) ? text : "");
const isGuardedPath = (target: Target): boolean =>
  protocolError(target, { status: 502, isRetryable: false, message: "" }) !== undefined;

function failed(
  thrown: unknown,
  target: Target,
  { name, options }: { readonly name: string; readonly options: GatewayObserver },
): Response {
  if (thrown instanceof UpstreamError) {
    options.onUnreachable?.(name, thrown.code);
    return unreachable(target, name, thrown.code);
  }
  options.onError?.(name, thrown);
  return internalError(target);
}

type Target = Parameters<typeof errorOf>[0];

const bodyTooLarge = (target: Target, maxBody: number): Response =>
  errorOf(target, {
    status: 413,
    type: "request_too_large",
    isRetryable: false,
    message: `The gateway takes request bodies of at most ${maxBody} bytes, and this one is larger. Send less, or raise \`--max-body\`.`,
  });

const unreachable = (target: Target, name: string, code: string): Response =>
  errorOf(target, {
    status: 502,
    type: "upstream_unreachable",
    isRetryable: true,
    message: `The gateway got no reply from ${target.url.origin} (${code}). Check that it runs, and that the address of the route "${name}" is right.`,
  });

const redirectRefused = (target: Target, name: string, origin: string | undefined): Response =>
  errorOf(target, {
    status: 502,
    type: "upstream_redirect",
    isRetryable: false,
    message:
      origin === undefined
        ? `The upstream ${target.url.origin} redirects to an address that is not a valid http or https URL. Check the address of the route "${name}".`
        : `The upstream redirects to ${origin}, where the gateway could not guard the reply. If this is the right address, start the gateway with \`--to ${name}=${origin}\`.`,
  });

/** HTTP has no status above 599, and programs cannot send one. */
const statusRefusal = (target: Target, status: number): Response | undefined =>
  status <= 599
    ? undefined
    : errorOf(target, {
        status: 502,
        type: "upstream_status",
        isRetryable: true,
        message: `The upstream ${target.url.origin} answered with the status ${status}, which HTTP does not have.`,
      });

const internalError = (target: Target): Response =>
  errorOf(target, {
    status: 500,
    type: "internal_error",
    isRetryable: false,
    message: "The gateway failed on this request. Its log has the cause.",
  });
