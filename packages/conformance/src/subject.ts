import type { Adapter, Endpoint, readTurn } from "@fullstop/core";
import type { Wire } from "./wire.ts";

/** What the suite judges: an adapter, and the wire that it must understand. */
export interface Subject {
  /** What reports call it: the name of its wire unless given. */
  readonly name?: string | undefined;
  readonly wire: Wire;
  /** Ids of clauses that this subject does not claim to keep, with the reason. A clause listed and yet kept is broken. */
  readonly notClaimed?: Readonly<Record<string, string>>;
  adapter(endpoint: Endpoint): Adapter;
  /** Another reader than the core's: something wrapped around `readTurn`, or a gate on trial. */
  readonly read?: typeof readTurn;
}
