import { utf8 } from "../bytes.ts";
import type { Check, Clause, ClauseText } from "../clause.ts";
import { clauses } from "../clauses/index.ts";
import { whereverReset } from "../clauses/wire/reset.ts";
import { amongStrangers } from "../clauses/wire/strangers.ts";
import { outline } from "../expect.ts";
import { type Difference, describeSide, differences } from "../fixtures/differences.ts";
import { lengths } from "../places.ts";
import { compared, type Harness } from "../rig.ts";
import type { Fixture } from "../wire.ts";
import { capped, type Replayed, readIn } from "./replayed.ts";

const texts = {
  turn: {
    id: "replay.turn",
    rule: "A recorded reply reads as the turn that stands beside it.",
    level: "must",
    because:
      "litellm#32686: pieces of a reply were lost, and only somebody who knew the whole could see it",
  },
  ended: {
    id: "replay.ended",
    rule: "A recorded reply that reads as finished holds an end that its protocol names.",
    level: "must",
    because:
      "OpenRouterTeam/ai-sdk-provider#558: an early end of file became a successful empty call",
  },
  pieces: {
    id: "replay.pieces",
    rule: "A recorded reply reads the same, to the letter, in whatever pieces its bytes come.",
    level: "must",
    because:
      "https://html.spec.whatwg.org/multipage/server-sent-events.html: the stream is decoded as one",
  },
  body: {
    id: "replay.body",
    rule: "A recorded reply in one JSON body runs nothing where it is cut, by a clean end or a broken connection.",
    level: "must",
    because: "litellm#32159: a connection cut behind a load balancer was passed on as a clean end",
  },
} as const satisfies Record<string, ClauseText>;

/** More checks of a clause for one fixture. */
type MoreChecks = (harness: Harness, fixture: Fixture) => AsyncIterable<Check>;
const none: MoreChecks = async function* () {};
/** The clauses that mutate fixtures, and what they also check for each recording. For other fixtures that takes too long. */
const fixtureClauses: Readonly<Record<string, MoreChecks>> = {
  "stop.cut": none,
  "stop.later-prefix": none,
  "wire.chunks": none,
  "wire.framing": none,
  "wire.doubled-terminal": none,
  "wire.strangers": amongStrangers,
  "wire.reset": whereverReset,
  "turn.history": none,
  "turn.preview": none,
  "turn.replay-safe": none,
  "request.valid": none,
  "request.replay": none,
};
const mutating = clauses.filter(({ id }) => Object.hasOwn(fixtureClauses, id));

/** What is asked of recordings only. */
export const recordedClauses: readonly ClauseText[] = Object.values(texts);
/** What is asked of recordings. */
export const replayClauses: readonly ClauseText[] = [...recordedClauses, ...mutating];

const toCheck = (at: string, list: readonly Difference[], bytes: Uint8Array<ArrayBuffer>): Check =>
  compared(
    { at, expected: describeSide(list, "expected"), actual: describeSide(list, "actual") },
    bytes,
  );

/** The clauses, to be asked of these recordings. */
export function clausesOf(all: readonly Replayed[]): readonly Clause[] {
  const streamed = all.filter(({ stream }) => stream !== undefined);
  const bodies = all.filter(({ stream }) => stream === undefined);
  const known = all.filter(({ recording }) => recording.expected);
  return [
    {
      ...texts.turn,
      prove: () => asExpected(known),
      unless: without(known, "no NAME.turn.json says what a recording must read as"),
    },
    { ...texts.ended, prove: () => ended(streamed), unless: without(streamed, noStream) },
    { ...texts.pieces, prove: (rig) => inPieces(rig, all) },
    {
      ...texts.body,
      prove: (rig) => cutBodies(rig, bodies),
      unless: without(bodies, "no recording is one JSON body"),
    },
    ...mutating.map((clause) => onRecordings(clause, streamed)),
  ];
}

const noStream = "no recording streams";
const without =
  (list: readonly Replayed[], reason: string): NonNullable<Clause["unless"]> =>
  () =>
    list.length === 0 ? reason : undefined;

function onRecordings(clause: Clause, streamed: readonly Replayed[]): Clause {
  const more = fixtureClauses[clause.id] ?? none;
  return {
    ...clause,
    unless: (rig) => without(streamed, noStream)(rig) ?? clause.unless?.(rig),
    async *prove(rig) {
      for (const one of streamed) {
        const alone = onlyWith(rig, one);
        yield* clause.prove(alone);
        for (const fixture of alone.exchanges) yield* more(alone, fixture);
      }
    },
  };
}

/** The harness with only this recording. */
function onlyWith(rig: Harness, { stream, cap }: Replayed): Harness {
  const fixtures = stream === undefined ? [] : [stream.fixture];
  return { ...capped(rig, cap), wire: { ...rig.wire, fixtures }, exchanges: fixtures };
}

async function* asExpected(known: readonly Replayed[]): AsyncGenerator<Check> {
  for (const { recording, turn } of known)
    if (recording.expected)
      yield toCheck(recording.file, differences(recording.expected.turn, turn), recording.bytes);
}

const isFinished = ({ turn }: Replayed): boolean =>
  turn.stopReason === "stop" || turn.stopReason === "tool-use";

async function* ended(streamed: readonly Replayed[]): AsyncGenerator<Check> {
  for (const one of streamed) {
    const { recording, turn, stream } = one;
    const expected =
      isFinished(one) && stream?.ended === false
        ? "interrupted, runs nothing: no event of it is an end of this protocol"
        : outline(turn);
    yield compared({ at: recording.file, expected, actual: outline(turn) }, recording.bytes);
  }
}

async function* inPieces(rig: Harness, all: readonly Replayed[]): AsyncGenerator<Check> {
  for (const { recording, turn, cap } of all)
    for (const size of [1, 2, 3, 7]) {
      // What an error says may quote the piece that it came with.
      const whole = { ...turn, ...(turn.error && { error: { kind: turn.error.kind } }) };
      yield toCheck(
        `${recording.file}, ${size} bytes at a time`,
        differences(whole, await readIn(capped(rig, cap), recording, size)),
        recording.bytes,
      );
    }
}

async function* cutBodies(rig: Harness, bodies: readonly Replayed[]): AsyncGenerator<Check> {
  for (const { recording, cap } of bodies) {
    const { bytes, headers } = recording;
    const whole = utf8(new TextDecoder().decode(bytes).trimEnd()).length;
    const edges = Array.from({ length: 17 }, (_, n) => Math.floor((whole * n) / 16));
    for (const length of lengths({ bytes, edges, whole, payloads: [] }, rig).filter(
      (cut) => cut < whole,
    )) {
      const sent = bytes.subarray(0, length);
      for (const fault of [undefined, "reset"] as const) {
        const actual = outline(await capped(rig, cap).ask({ chunks: [sent], headers, fault }));
        const how = fault === undefined ? "cut" : "reset";
        yield compared(
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
