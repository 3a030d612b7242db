import { utf8 } from "../bytes.ts";
import type { Check, Clause, ClauseText } from "../clause.ts";
import { clauses } from "../clauses/index.ts";
import { whereverReset } from "../clauses/wire/reset.ts";
import { amongStrangers } from "../clauses/wire/strangers.ts";
import { outline } from "../expect.ts";
import { lengths } from "../places.ts";
import { compared, type Exchange, type Harness } from "../rig.ts";
import { capped, type Replayed, readIn, type Stream } from "./replayed.ts";
import { type Difference, differences } from "./turn.ts";

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

/** How a clause that asks the samples of a wire is asked of recordings. */
interface Asking {
  /** What it asks of each recording beside what it asks of samples. */
  readonly more?: (rig: Harness, exchange: Exchange) => AsyncIterable<Check>;
  /** Recordings that it can be asked of; all unless told. */
  readonly only?: (stream: Stream) => boolean;
}
const askedOfSamples: Readonly<Record<string, Asking>> = {
  "stop.cut": {},
  "stop.later-prefix": {},
  "wire.chunks": {},
  "wire.framing": {},
  "wire.doubled-terminal": { only: ({ bare }) => bare },
  "wire.strangers": { more: amongStrangers },
  "wire.reset": { more: whereverReset },
  "turn.history": {},
  "turn.preview": {},
  "turn.replay-safe": {},
  "request.valid": {},
  "request.replay": {},
};
const askingSamples = clauses.filter(({ id }) => Object.hasOwn(askedOfSamples, id));

/** What is asked of recordings only. */
export const recordedClauses: readonly ClauseText[] = Object.values(texts);
/** What is asked of recordings. */
export const replayClauses: readonly ClauseText[] = [...recordedClauses, ...askingSamples];

const shown = (list: readonly Difference[], side: "expected" | "actual"): string =>
  list.map((one) => `${one.at}: ${JSON.stringify(one[side]) ?? "nothing"}`).join("\n");
const proof = (at: string, list: readonly Difference[], bytes: Uint8Array<ArrayBuffer>): Check =>
  compared({ at, expected: shown(list, "expected"), actual: shown(list, "actual") }, bytes);

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
    ...askingSamples.map((clause) => onSamples(clause, streamed)),
  ];
}

const noStream = "no recording streams";
const without =
  (list: readonly Replayed[], reason: string): NonNullable<Clause["unless"]> =>
  () =>
    list.length === 0 ? reason : undefined;

function onSamples(clause: Clause, streamed: readonly Replayed[]): Clause {
  const { more, only } = askedOfSamples[clause.id] ?? {};
  const can = streamed.filter(({ stream }) => stream && (only?.(stream) ?? true));
  return {
    ...clause,
    unless: (rig) =>
      without(streamed, noStream)(rig) ??
      without(can, "no recording allows it")(rig) ??
      clause.unless?.(rig),
    async *prove(rig) {
      for (const one of can) {
        const alone = onlyWith(rig, one);
        yield* clause.prove(alone);
        if (more !== undefined)
          for (const exchange of alone.exchanges) yield* more(alone, exchange);
      }
    },
  };
}

/** The rig as if there were no other recording. */
function onlyWith(rig: Harness, { recording, cap }: Replayed): Harness {
  const named = ({ name }: Pick<Exchange, "name">): boolean => name === recording.file;
  const wire = { ...rig.wire, samples: rig.wire.samples?.filter(named) ?? [] };
  return { ...capped(rig, cap), wire, exchanges: rig.exchanges.filter(named) };
}

async function* asExpected(known: readonly Replayed[]): AsyncGenerator<Check> {
  for (const { recording, turn } of known)
    if (recording.expected)
      yield proof(recording.file, differences(recording.expected, turn), recording.bytes);
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
      yield proof(
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
