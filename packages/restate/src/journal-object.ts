import type { Claim, RunEnd } from "@fullstop/loop/journal";
import {
  handlers,
  type ObjectContext,
  type ObjectSharedContext,
  object,
  RestatePromise,
  type VirtualObjectDefinition,
} from "@restatedev/restate-sdk";
import { beginningKey, endKey } from "./state-key.ts";

interface Fenced {
  readonly fence: number;
}
interface Lasting {
  readonly leaseMs: number;
}
interface Line extends Fenced {
  readonly key: string;
  readonly json?: string | undefined;
}
interface Release extends Fenced {
  readonly end?: RunEnd | undefined;
}

/** Who has a run: the caller, or another process. `deleted`: its state was cleared. */
export type Holder = "caller" | "other" | "deleted";

/** What the virtual object of a run does. Its key is the id of the run. */
export type JournalHandlers = {
  claim: (context: ObjectContext, request: Lasting) => Promise<Claim>;
  renew: (context: ObjectContext, request: Fenced & Lasting) => Promise<Holder>;
  write: (context: ObjectContext, line: Line) => Promise<Holder>;
  release: (context: ObjectContext, release: Release) => Promise<Holder>;
  stateKeys: (context: ObjectSharedContext) => Promise<readonly string[]>;
  read: (context: ObjectSharedContext, keys: readonly string[]) => Promise<readonly string[]>;
  /** Removes everything. False: a lease is held. */
  delete: (context: ObjectContext) => Promise<boolean>;
};

/** The steps of a run may be large, and Restate would keep each of these calls for a day. */
const cheap = { enableLazyState: true, journalRetention: 0, idempotencyRetention: 0 };
/** The answer to a claim is kept for a client that did not get it. */
const repeatable = { ...cheap, idempotencyRetention: { minutes: 1 } };

export function journalObject(name: string): VirtualObjectDefinition<string, JournalHandlers> {
  const { exclusive, shared } = handlers.object;
  const all: JournalHandlers = {
    claim: exclusive(repeatable, claim),
    renew: exclusive(cheap, renew),
    write: exclusive(cheap, write),
    release: exclusive(cheap, release),
    stateKeys: shared(cheap, (context: ObjectSharedContext) => context.stateKeys()),
    read: shared(cheap, read),
    delete: exclusive(cheap, remove),
  };
  return object<string, JournalHandlers>({ name, handlers: all });
}

const leaseKey = "lease";
interface LeaseState extends Fenced {
  /** Milliseconds since 1970. 0: it was given back. */
  readonly until: number;
  readonly end?: RunEnd | undefined;
}
const readLease = (context: ObjectContext): Promise<LeaseState | null> =>
  context.get<LeaseState>(leaseKey);

async function findHolder(context: ObjectContext, { fence }: Fenced): Promise<Holder> {
  const lease = await readLease(context);
  if (lease === null) return "deleted";
  return lease.fence === fence ? "caller" : "other";
}

const claim: JournalHandlers["claim"] = async (context, { leaseMs }) => {
  const now = await context.date.now();
  const lease = await readLease(context);
  if (lease !== null && lease.until > now)
    return {
      granted: false,
      renewal: `${lease.fence} ${lease.until}`,
      freeInMs: lease.until - now,
    };
  // A run that was deleted and started again must not get a fence that an old process still has.
  const fence = Math.max(now, (lease?.fence ?? 0) + 1);
  context.set<LeaseState>(leaseKey, { fence, until: now + leaseMs });
  return { granted: true, fence };
};

const renew: JournalHandlers["renew"] = async (context, { fence, leaseMs }) => {
  const now = await context.date.now();
  const holder = await findHolder(context, { fence });
  if (holder === "caller") context.set<LeaseState>(leaseKey, { fence, until: now + leaseMs });
  return holder;
};

const write: JournalHandlers["write"] = async (context, { fence, key, json }) => {
  const holder = await findHolder(context, { fence });
  if (holder !== "caller") return holder;
  if (json === undefined) context.set(beginningKey(key), true);
  else context.set(endKey(key, json), json);
  return holder;
};

const release: JournalHandlers["release"] = async (context, { fence, end }) => {
  const holder = await findHolder(context, { fence });
  if (holder === "caller") context.set<LeaseState>(leaseKey, { fence, until: 0, end });
  return holder;
};

/** Asks for all values before it waits for the first. */
const read: JournalHandlers["read"] = (context, keys) =>
  RestatePromise.all(keys.map((key) => context.get<string>(key) as RestatePromise<string>));

const remove: JournalHandlers["delete"] = async (context) => {
  const now = await context.date.now();
  if (((await readLease(context))?.until ?? 0) > now) return false;
  context.clearAll();
  return true;
};
