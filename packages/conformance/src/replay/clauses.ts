import { type ClauseFor, clausesIn, type Question } from "../clause.ts";
import { adapterClauses } from "../clauses/index.ts";
import { checkUnknownEvents } from "../clauses/wire.ts";
import { checkResets } from "../clauses/wire-connection.ts";
import { type Difference, describeSide, differences } from "../fixtures/compare.ts";
import { pieceSize, prefixLengths, renderBody, waysFor } from "../harness/bytes.ts";
import { type Check, isFinished, outline, withBytes } from "../harness/check.ts";
import type { Harness } from "../harness/harness.ts";
import { checkReply } from "../harness/harness.ts";
import type { Fixture } from "../wire.ts";
import { wordsIn } from "../wires/shared.ts";
import { capped, type Replayed, readIn } from "./replayed.ts";

/** Recordings that are ready to be asked about. */
export interface Recordings {
  readonly harness: Harness;
  readonly all: readonly Replayed[];
}

export type RecordedClause = ClauseFor<Recordings>;

const noStreamReason = "no recording streams";

/** Asks about some of the recordings. `reason`: why nothing is asked if there are none. */
const askSome = (
  isAsked: (replayed: Replayed) => boolean,
  reason: string,
  check: (some: readonly Replayed[], harness: Harness) => AsyncIterable<Check>,
): Question<Recordings> => ({
  whyNotAsked: ({ all }) => (all.some(isAsked) ? undefined : reason),
  check: ({ all, harness }) => check(all.filter(isAsked), harness),
});

const isStreamed = ({ stream }: Replayed): boolean => stream !== undefined;

/** The clauses for recordings only. */
export const recordedClauses: readonly RecordedClause[] = clausesIn<RecordedClause>([
  {
    "replay.turn": {
      rule: "A recorded reply reads as the turn in its turn file.",
      references: {
        "BerriAI/litellm#32686":
          "parts of a reply were lost, and only a comparison with the whole reply shows that",
      },
      question: askSome(
        ({ recording }) => recording.expected !== undefined,
        "no recording has a turn file (NAME.turn.json)",
        checkTurns,
      ),
    },
    "replay.ended": {
      rule: "A recorded reply that reads as finished has an event that ends it in its protocol.",
      references: {
        "OpenRouterTeam/ai-sdk-provider#558": "an early end of file became a successful empty call",
      },
      question: askSome(isStreamed, noStreamReason, checkEnds),
    },
    "replay.pieces": {
      rule: "A recorded reply reads exactly the same however its bytes are split into chunks.",
      references: {
        "https://html.spec.whatwg.org/multipage/server-sent-events.html":
          "the stream is decoded as one",
      },
      question: { check: ({ all, harness }) => checkPieces(all, harness) },
    },
    "replay.body": {
      rule: "A recorded JSON body that is cut runs nothing, after a clean end and after a broken connection.",
      references: {
        "BerriAI/litellm#32159": "a load balancer passed on a cut connection as a clean end",
      },
      question: askSome((one) => !isStreamed(one), "no recording is one JSON body", checkCutBodies),
    },
  },
]);

type MoreChecks = (harness: Harness, fixture: Fixture) => AsyncIterable<Check>;

/** Checks of recordings beside those of the clause. For all fixtures these would take too long. */
const moreChecks: Readonly<Record<string, MoreChecks>> = {
  "wire.strangers": checkUnknownEvents,
  "wire.reset": checkResets,
};

/** The clauses that mutate fixtures. */
const fixtureClauses: readonly string[] = wordsIn(`
  stop.cut stop.later-prefix wire.chunks wire.framing wire.doubled-terminal wire.strangers wire.reset
  turn.history turn.preview request.valid request.replay
`);

/** All clauses about recordings. */
export const replayClauses: readonly RecordedClause[] = [
  ...recordedClauses,
  ...adapterClauses.filter(({ id }) => fixtureClauses.includes(id)).map(onRecordings),
];

function onRecordings({ question, ...clause }: ClauseFor<Harness>): RecordedClause {
  const asked = askSome(isStreamed, noStreamReason, async function* (streamed, harness) {
    for (const one of streamed) {
      const alone = onlyWith(harness, one);
      yield* question.check(alone);
      for (const fixture of alone.exchanges) yield* moreChecks[clause.id]?.(alone, fixture) ?? [];
    }
  });
  const whyNotAsked: Question<Recordings>["whyNotAsked"] = (recordings) =>
    asked.whyNotAsked?.(recordings) ?? question.whyNotAsked?.(recordings.harness);
  return { ...clause, question: { ...asked, whyNotAsked } };
}

function onlyWith(harness: Harness, { stream, cap }: Replayed): Harness {
  const fixtures = stream === undefined ? [] : [stream.fixture];
  return { ...capped(harness, cap), wire: { ...harness.wire, fixtures }, exchanges: fixtures };
}

const checkDifferences = (
  at: string,
  list: readonly Difference[],
  bytes: Uint8Array<ArrayBuffer>,
): Check =>
  withBytes(
    { at, expected: describeSide(list, "expected"), actual: describeSide(list, "actual") },
    bytes,
  );

async function* checkTurns(known: readonly Replayed[]): AsyncGenerator<Check> {
  for (const { recording, turn } of known)
    if (recording.expected)
      yield checkDifferences(
        recording.file,
        differences(recording.expected.turn, turn),
        recording.bytes,
      );
}

async function* checkEnds(streamed: readonly Replayed[]): AsyncGenerator<Check> {
  for (const { recording, turn, stream } of streamed) {
    const expected =
      isFinished(turn) && stream?.ended === false
        ? "interrupted, runs nothing: no event ends the reply in this protocol"
        : outline(turn);
    yield withBytes({ at: recording.file, expected, actual: outline(turn) }, recording.bytes);
  }
}

async function* checkPieces(all: readonly Replayed[], harness: Harness): AsyncGenerator<Check> {
  for (const [number, { recording, turn, cap }] of all.entries())
    for (const smallest of waysFor([1, 2, 3, 7], number, harness)) {
      const size = pieceSize(recording.bytes, smallest, harness);
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
  bodies: readonly Replayed[],
  harness: Harness,
): AsyncGenerator<Check> {
  for (const { recording, cap } of bodies) {
    const { bytes, headers } = recording;
    const rendered = renderBody(bytes);
    const { completeLength: whole } = rendered;
    for (const length of prefixLengths(rendered, harness).filter((cut) => cut < whole)) {
      const chunks = [bytes.subarray(0, length)];
      for (const fault of [undefined, "reset"] as const) {
        const how = fault === undefined ? "cut" : "reset";
        const at = `${recording.file}, ${how} after ${length} of ${whole} bytes`;
        const sent = { chunks, headers, fault };
        yield checkReply(capped(harness, cap), at, sent, "interrupted, runs nothing");
      }
    }
  }
}
