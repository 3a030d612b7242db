import type { GuardReport, UnguardedRequest } from "@fullstop/guard";

/** Learns what happens in a gateway. URLs in it may hold keys in their queries. */
export interface GatewayObserver {
  /** After each guarded reply. */
  readonly onReply?: ((route: string, report: GuardReport) => void) | undefined;
  /** An upstream answered. `headMs`: milliseconds from the request to the head of the reply. */
  readonly onUpstream?:
    | ((route: string, reply: { readonly status: number; readonly headMs: number }) => void)
    | undefined;
  /** The first request to each path that names tools and that the guard cannot judge. */
  readonly onUnguarded?: ((route: string, request: UnguardedRequest) => void) | undefined;
  /** The upstream of a route gave no reply. `code` is the system's own, such as `ECONNREFUSED`. */
  readonly onUnreachable?: ((route: string, code: string) => void) | undefined;
  /** The gateway itself failed. The client got a status 500. */
  readonly onError?: ((route: string, thrown: unknown) => void) | undefined;
}
