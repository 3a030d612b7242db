import type { Adapter } from "@fullstop/core";
import type { guard as guardOfFetch } from "@fullstop/guard";
import fc from "fast-check";
import { hasEffect } from "./apply-damage.ts";
import { layouts } from "./bytes.ts";
import { damagesOf } from "./damage.ts";
import { complete } from "./doors/complete.ts";
import { type DoorName, openDoor } from "./doors/index.ts";
import { createDoorSubject } from "./doors/subject.ts";
import { createGuardedSubject } from "./guarded.ts";
import type { Violation } from "./judge.ts";
import { type ProtocolName, protocols } from "./protocols.ts";
import {
  type ArrivedBody,
  createSubject,
  type Outcome,
  type Sent,
  type Subject,
  transmit,
} from "./subject.ts";

export interface FuzzPlan {
  readonly protocol: ProtocolName;
  readonly runs: number;
  readonly seed: number;
  /** The position of a counterexample of this seed, as fast-check names it. */
  readonly path?: string | undefined;
  /** The time limit. */
  readonly seconds?: number | undefined;
  /** Reports the first counterexample instead of the smallest. */
  readonly asFound?: boolean | undefined;
  /** Reads what the guard passes on, instead of reading with the adapters. */
  readonly guard?: typeof guardOfFetch | undefined;
  /** Reads what a library gives out behind its middleware. */
  readonly door?: DoorName | undefined;
  /** Breaks the adapters for a test of the fuzzer. */
  readonly alter?: ((adapter: Adapter) => Adapter) | undefined;
}

/** Counts of the replies so far. */
export class Tally {
  replies = 0;
  /** Replies without damage. */
  whole = 0;
  finished = 0;
  unfinished = 0;
  undecided = 0;
  /** Replies whose calls were issued, and replies whose calls were withheld. */
  given = 0;
  withheld = 0;
  /**
   * Damaged replies whose issued input differs from the generated one, because the protocol hides
   * the damage.
   */
  hidden = 0;
  /** How often each kind of damage changed a reply. */
  readonly damages = new Map<string, number>();
  /** The doubts, and how often each occurred. */
  readonly doubts = new Map<string, number>();
}

/** A reply that violates a property. */
export interface Counterexample {
  readonly seed: number;
  readonly path: string;
  readonly guard: boolean;
  readonly door?: DoorName | undefined;
  readonly sent: Sent;
  readonly arrived: ArrivedBody;
  readonly broken: Violation;
}
export interface Result {
  readonly tally: Tally;
  readonly seconds: number;
  readonly counterexample?: Counterexample;
}

const sentReplies: (protocol: ProtocolName) => fc.Arbitrary<Sent> = (protocol) =>
  fc.record({
    written: protocols[protocol].replies,
    layout: layouts,
    damages: damagesOf(protocols[protocol].framing),
  });

/** The replies of the hosts that are asked. */
const repliesOf = (protocol: ProtocolName, hosts: readonly string[]): fc.Arbitrary<Sent> =>
  sentReplies(protocol).filter(({ written }) => hosts.includes(written.host));

interface Asked {
  readonly subject: Subject;
  readonly replies: fc.Arbitrary<Sent>;
}

async function askedOf({ protocol, guard, door: name, alter }: FuzzPlan): Promise<Asked> {
  if (name !== undefined) {
    const door = await openDoor(name);
    const hosts = Object.keys(door.models[protocol] ?? {});
    return {
      subject: createDoorSubject(protocol, door),
      replies: repliesOf(protocol, hosts)
        .filter(door.takes)
        .map((sent) => complete(protocol, sent)),
    };
  }
  // Those that the guard reads without options.
  const hosts = protocols[protocol].guarded?.hosts ?? [];
  return guard
    ? {
        subject: await createGuardedSubject(protocols[protocol], guard),
        replies: repliesOf(protocol, hosts),
      }
    : { subject: createSubject(protocols[protocol], alter), replies: sentReplies(protocol) };
}

/**
 * Reads generated replies until one violates a property or the number of runs is reached. Calls
 * `watch` after each.
 */
export async function fuzz(plan: FuzzPlan, watch?: (tally: Tally) => void): Promise<Result> {
  const { protocol, runs, seed, path, seconds, asFound, guard, door } = plan;
  const { subject, replies } = await askedOf(plan);
  const tally = new Tally();
  const began = performance.now();
  let failed = false;
  const property = fc.asyncProperty(replies, async (one) => {
    const outcome = await subject.ask(one);
    if (!failed) countReply({ tally, protocol }, one, outcome);
    failed ||= outcome.broken !== undefined;
    watch?.(tally);
    if (tally.replies % 256 === 0) await new Promise(setImmediate);
    return outcome.broken === undefined;
  });
  const limit =
    seconds === undefined
      ? {}
      : { interruptAfterTimeLimit: seconds * 1000, markInterruptAsFailure: false };
  const found = await fc.check(property, {
    numRuns: runs,
    seed,
    ...limit,
    ...(path !== undefined && { path }),
    ...(asFound && { endOnFailure: true }),
  });
  const spent = (performance.now() - began) / 1000;
  const [smallest] = found.counterexample ?? [];
  if (smallest === undefined) return { tally, seconds: spent };
  const shortest = found.counterexamplePath ?? "";
  const { broken } = await subject.ask(smallest);
  if (broken === undefined)
    throw new Error(`The counterexample is not reproducible: seed ${seed}, path ${shortest}.`);
  const counterexample = {
    seed,
    path: shortest,
    guard: guard !== undefined,
    door,
    sent: smallest,
    arrived: transmit(smallest, protocols[protocol]),
    broken,
  };
  return { tally, seconds: spent, counterexample };
}

function countReply(
  { tally, protocol }: { readonly tally: Tally; readonly protocol: ProtocolName },
  { written: { frames }, damages: list }: Sent,
  { reading, calls }: Outcome,
): void {
  for (const damage of list)
    if (hasEffect(frames, damage, protocols[protocol].dialect)) count(tally.damages, damage.kind);
  tally.replies++;
  tally[reading.verdict]++;
  if (list.length === 0) tally.whole++;
  if (reading.verdict === "undecided") count(tally.doubts, reading.because);
  if (calls === undefined) return;
  if (calls.issued > 0) tally.given++;
  else if (calls.withheld > 0) tally.withheld++;
  if (list.length > 0 && calls.changed > 0) tally.hidden++;
}

function count(counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}
