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
