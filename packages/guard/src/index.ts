export { checkGuardOptions } from "./check-options.ts";
export { guard } from "./guard.ts";
export type {
  Fetch,
  GuardAction,
  GuardedRequest,
  GuardOptions,
  GuardReport,
  HostFacts,
  ProtocolName,
  UnguardedRequest,
} from "./options.ts";
export { protocolError } from "./protocol-error.ts";
export type { Failure } from "./protocols/protocol.ts";
export { createHeldTotal, type HeldShare, type HeldTotal } from "./reply/held-total.ts";
export { replyIdHeader } from "./reply/response.ts";
export { type KnownHost, knownHosts } from "./request/known-hosts.ts";
