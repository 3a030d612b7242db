import type { AdapterClause, ClauseText } from "../clause.ts";
import { adapterClauses } from "../clauses/index.ts";
import { checkUnknownEvents } from "../clauses/wire.ts";
import { checkResets } from "../clauses/wire-connection.ts";
import { type Difference, describeSide, differences } from "../fixtures/compare.ts";
import { prefixLengths, renderBody, waysFor } from "../harness/bytes.ts";
import { type Check, outline, withBytes } from "../harness/check.ts";
import type { Harness } from "../harness/harness.ts";
import { listReferences } from "../reference.ts";
import type { Fixture } from "../wire.ts";
import { capped, type Replayed, readIn } from "./replayed.ts";

const recordingRules = {
  turn: {
    id: "replay.turn",
    rule: "A recorded reply reads as the turn in its turn file.",
    level: "must",
    references: listReferences({
      "BerriAI/litellm#32686":
        "parts of a reply were lost, and only a comparison with the whole reply shows that",
    }),
  },
  ended: {
    id: "replay.ended",
    rule: "A recorded reply that reads as finished has an event that ends it in its protocol.",
    level: "must",
    references: listReferences({
      "OpenRouterTeam/ai-sdk-provider#558": "an early end of file became a successful empty call",
    }),
  },
  pieces: {
    id: "replay.pieces",
    rule: "A recorded reply reads exactly the same however its bytes are split into chunks.",
    level: "must",
    references: listReferences({
      "https://html.spec.whatwg.org/multipage/server-sent-events.html":
        "the stream is decoded as one",
    }),
  },
  body: {
    id: "replay.body",
    rule: "A recorded JSON body that is cut runs nothing, after a clean end and after a broken connection.",
    level: "must",
    references: listReferences({
      "BerriAI/litellm#32159": "a load balancer passed on a cut connection as a clean end",
    }),
  },
} as const satisfies Record<string, ClauseText>;

/** Additional checks of a clause for one fixture. */
type MoreChecks = (harness: Harness, fixture: Fixture) => AsyncIterable<Check>;
const noMoreChecks: MoreChecks = async function* () {};
/**
 * The clauses that mutate fixtures, and their additional checks for recordings. For all fixtures
 * these would take too long.
 */
const fixtureClauses: Readonly<Record<string, MoreChecks>> = {
  "stop.cut": noMoreChecks,
  "stop.later-prefix": noMoreChecks,
  "wire.chunks": noMoreChecks,
  "wire.framing": noMoreChecks,
  "wire.doubled-terminal": noMoreChecks,
  "wire.strangers": checkUnknownEvents,
  "wire.reset": checkResets,
  "turn.history": noMoreChecks,
  "turn.preview": noMoreChecks,
  "turn.replay-safe": noMoreChecks,
  "request.valid": noMoreChecks,
  "request.replay": noMoreChecks,
};
const mutatingClauses = adapterClauses.filter(({ id }) => Object.hasOwn(fixtureClauses, id));

export const recordedClauses: readonly ClauseText[] = Object.values(recordingRules);
export const replayClauses: readonly ClauseText[] = [...recordedClauses, ...mutatingClauses];

const checkDifferences = (
  at: string,
  list: readonly Difference[],
  bytes: Uint8Array<ArrayBuffer>,
): Check =>
  withBytes(
    { at, expected: describeSide(list, "expected"), actual: describeSide(list, "actual") },
    bytes,
  );

/** All clauses for recordings, bound to these recordings. */
export function clausesOf(all: readonly Replayed[]): readonly AdapterClause[] {
  const streamed = all.filter(({ stream }) => stream !== undefined);
  const bodies = all.filter(({ stream }) => stream === undefined);
  const known = all.filter(({ recording }) => recording.expected);
  return [
    {
      ...recordingRules.turn,
      adapter: {
        check: () => checkTurns(known),
        whyNotAsked: unlessAny(known, "no recording has a turn file (NAME.turn.json)"),
      },
    },
    {
      ...recordingRules.ended,
      adapter: {
        check: () => checkEnds(streamed),
        whyNotAsked: unlessAny(streamed, noStreamReason),
      },
    },
    { ...recordingRules.pieces, adapter: { check: (harness) => checkPieces(harness, all) } },
    {
      ...recordingRules.body,
      adapter: {
        check: (harness) => checkCutBodies(harness, bodies),
        whyNotAsked: unlessAny(bodies, "no recording is one JSON body"),
      },
    },
    ...mutatingClauses.map((clause) => onRecordings(clause, streamed)),
  ];
}

const noStreamReason = "no recording streams";
const unlessAny =
  (list: readonly Replayed[], reason: string): (() => string | undefined) =>
  () =>
    list.length === 0 ? reason : undefined;

function onRecordings(clause: AdapterClause, streamed: readonly Replayed[]): AdapterClause {
  const more = fixtureClauses[clause.id] ?? noMoreChecks;
  const { adapter: question } = clause;
  return {
    ...clause,
    adapter: {
      whyNotAsked: (harness) =>
        unlessAny(streamed, noStreamReason)() ?? question.whyNotAsked?.(harness),
      async *check(harness) {
        for (const one of streamed) {
          const alone = onlyWith(harness, one);
          yield* question.check(alone);
          for (const fixture of alone.exchanges) yield* more(alone, fixture);
        }
      },
    },
  };
}

/** The harness with only this recording. */
function onlyWith(harness: Harness, { stream, cap }: Replayed): Harness {
  const fixtures = stream === undefined ? [] : [stream.fixture];
  return { ...capped(harness, cap), wire: { ...harness.wire, fixtures }, exchanges: fixtures };
}

async function* checkTurns(known: readonly Replayed[]): AsyncGenerator<Check> {
  for (const { recording, turn } of known)
    if (recording.expected)
      yield checkDifferences(
        recording.file,
        differences(recording.expected.turn, turn),
        recording.bytes,
      );
}

const readsAsFinished = ({ turn }: Replayed): boolean =>
  turn.stopReason === "stop" || turn.stopReason === "tool-use";

async function* checkEnds(streamed: readonly Replayed[]): AsyncGenerator<Check> {
  for (const one of streamed) {
    const { recording, turn, stream } = one;
    const expected =
      readsAsFinished(one) && stream?.ended === false
        ? "interrupted, runs nothing: no event ends the reply in this protocol"
        : outline(turn);
    yield withBytes({ at: recording.file, expected, actual: outline(turn) }, recording.bytes);
  }
}

async function* checkPieces(harness: Harness, all: readonly Replayed[]): AsyncGenerator<Check> {
  for (const [number, { recording, turn, cap }] of all.entries())
    for (const size of waysFor([1, 2, 3, 7], number, harness)) {
      // The message of an error may quote the chunk that it came with.
      const whole = { ...turn, ...(turn.error && { error: { kind: turn.error.kind } }) };
      yield checkDifferences(
        `${recording.file}, ${size} bytes at a time`,
        differences(whole, await readIn(capped(harness, cap), recording, size)),
        recording.bytes,
      );
    }
}

async function* checkCutBodies(
  harness: Harness,
  bodies: readonly Replayed[],
): AsyncGenerator<Check> {
  for (const { recording, cap } of bodies) {
    const { bytes, headers } = recording;
    const rendered = renderBody(bytes);
    const { completeLength: whole } = rendered;
    for (const length of prefixLengths(rendered, harness).filter((cut) => cut < whole)) {
      const sent = bytes.subarray(0, length);
      for (const fault of [undefined, "reset"] as const) {
        const actual = outline(await capped(harness, cap).ask({ chunks: [sent], headers, fault }));
        const how = fault === undefined ? "cut" : "reset";
        yield withBytes(
          {
            at: `${recording.file}, ${how} after ${length} of ${whole} bytes`,
            expected: "interrupted, runs nothing",
            actual,
          },
          sent,
        );
      }
    }
  }
}
