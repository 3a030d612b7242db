/** Where a reply of an upstream sends its client. */
export type Redirect =
  /** The reply has no address, or one of another host that may be visited. */
  | { readonly kind: "none" }
  /** An address of the upstream, as a path of the gateway. */
  | { readonly kind: "inside"; readonly path: string }
  /** An address at which the client would be past the guard. Not every address has an origin. */
  | { readonly kind: "past-guard"; readonly origin: string | undefined };

interface RedirectedRequest {
  /** The name of the route. */
  readonly name: string;
  /** The address of the upstream, without a slash at its end. */
  readonly base: string;
  /** The address that was requested. */
  readonly url: URL;
  /** The status of the reply. Clients follow `location` only if it is that of a redirect. */
  readonly status: number;
  /** The reply to this request is guarded, or the request may change something. */
  readonly isBound: boolean;
}

/**
 * Finds out where `location` leads. Clients follow it with their key and their body, so an address
 * of the upstream becomes a path of the gateway. A file on another host may be fetched there.
 */
export function redirectOf(
  location: string | null,
  { name, base, url, status, isBound }: RedirectedRequest,
): Redirect {
  if (location === null) return { kind: "none" };
  const isFollowed = status >= 300 && status < 400;
  const target = URL.canParse(location, url.href) ? new URL(location, url.href) : undefined;
  if (target === undefined || !/^https?:$/.test(target.protocol))
    return isFollowed ? { kind: "past-guard", origin: undefined } : { kind: "none" };
  const start = new URL(base);
  const root = start.pathname.replace(/\/$/, "");
  const isInside = target.origin === start.origin && `${target.pathname}/`.startsWith(`${root}/`);
  if (isInside) {
    const rest = target.pathname.slice(root.length) + target.search + target.hash;
    return { kind: "inside", path: `/${name}${rest}` };
  }
  return isFollowed && (isBound || target.hostname === start.hostname)
    ? { kind: "past-guard", origin: target.origin }
    : { kind: "none" };
}
