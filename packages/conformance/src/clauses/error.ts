import { type ErrorKind, errorRules, type Turn } from "@fullstop/core";
import type { ClauseTable } from "../clause.ts";
import { framingOf } from "../framing/index.ts";
import { evenlySpread, jsonAnswer, utf8, waysFor, wholeAnswer } from "../harness/bytes.ts";
import { type Check, errorKindOf, outline } from "../harness/check.ts";
import { checkReply, type Harness } from "../harness/harness.ts";
import { nestedValues, tryParseJson } from "../harness/json.ts";
import { insertFrame } from "../harness/mutate.ts";
import { basicCallShapes, repliesFor, textOnly } from "../harness/scenarios.ts";
import { inOnePiece, lackOf, lackOfWays } from "../harness/ways.ts";
import { expectOnlyRuns } from "../loop/checks.ts";
import { errorsBesideEnds, inBandErrors } from "../loop/cut-scripts.ts";
import { loopAround } from "../loop/small-loop.ts";
import { pageOf } from "../reference.ts";
import type { Frames, InBandError } from "../wire.ts";
import {
  alterTurn,
  believeFileEnd,
  both,
  changeTurns,
  ignoreErrorEvents,
  ignoreErrors,
  wholeOnly,
} from "./mutants.ts";

/** The error at each position of a reply, with the rest of the reply after it and without. */
const withErrorAnywhere = (
  frames: Frames,
  error: string,
): readonly { readonly at: string; readonly frames: Frames }[] =>
  [...frames.upToTerminal.keys(), frames.upToTerminal.length].flatMap((index) => {
    const all = insertFrame(frames, index, error);
    const upToError = { upToTerminal: all.upToTerminal.slice(0, index + 1) };
    return [
      { at: `as event ${index}`, frames: all },
      { at: `as event ${index}, the last`, frames: upToError },
    ];
  });

const bodyTypes = ["application/json", "text/plain"];

/** The vendor's sentence in an error: its longest text with a space. */
function sentenceIn(frame: string): string {
  const texts = [...nestedValues(tryParseJson(frame))].filter((value) => typeof value === "string");
  return texts
    .filter((text) => /\S \S/.test(text))
    .reduce((longest, text) => (text.length > longest.length ? text : longest), "");
}

/** Some kinds of errors are stop reasons, and such a turn has no error. */
const describeSentence = (turn: Turn, sentence: string): string =>
  "error" in turn && !turn.error.message.includes(sentence)
    ? `, and the message ${JSON.stringify(turn.error.message)}`
    : "";

async function* checkInBandError(
  harness: Harness,
  { frame, kind }: InBandError,
  number: number,
): AsyncGenerator<Check> {
  const { wire } = harness;
  const expected = `${errorRules[kind].stop}, runs nothing, ${kind}`;
  const sentence = sentenceIn(frame);
  const describe = (turn: Turn): string =>
    `${outline(turn)}, ${errorKindOf(turn, kind)}${describeSentence(turn, sentence)}`;
  const types = [...bodyTypes, framingOf(wire).headers["content-type"]];
  for (const type of wire.whole === undefined ? [] : types) {
    const answer = jsonAnswer(frame, { headers: { "content-type": type } });
    const at = `${frame} instead of a reply, called ${type}`;
    yield checkReply(harness, at, answer, { expected, describe });
  }
  if (wire.whole !== undefined)
    yield checkReply(harness, `${frame} instead of a reply${inOnePiece}`, wholeAnswer(frame), {
      expected,
      describe,
    });
  yield* lackOfWays(harness);
  const replies = repliesFor(wire, [textOnly, ...basicCallShapes]);
  for (const { name, reply } of waysFor(replies, number, harness)) {
    const everywhere = withErrorAnywhere(wire.frames(reply), frame);
    for (const { at, frames } of evenlySpread(everywhere, harness.sample))
      yield checkReply(harness, `${name}, ${frame} ${at}`, frames, { expected, describe });
  }
}

async function* checkInBandErrors(harness: Harness): AsyncGenerator<Check> {
  const { wire } = harness;
  const [reply] = repliesFor(wire, [textOnly]);
  const data = reply === undefined ? [] : wire.frames(reply.reply).upToTerminal.slice(-1);
  const ofFraming = framingOf(wire).exceptions?.(data) ?? [];
  const errors = [
    ...(wire.errors ?? []),
    ...ofFraming.map((frame) => ({ frame, kind: "server" }) as const),
  ];
  for (const [number, error] of errors.entries()) yield* checkInBandError(harness, error, number);
}

async function* checkRetryAfter(harness: Harness): AsyncGenerator<Check> {
  for (const [status, value, milliseconds] of [
    [429, "7", 7000],
    [429, "0", 0],
    [503, "90", 90_000],
    [529, "1.5", 1500],
  ] as const) {
    const before = harness.host.count();
    const turn = await harness.ask(
      jsonAnswer('{"error":{"message":"Later."}}', { status, headers: { "retry-after": value } }),
    );
    const wait = "error" in turn ? turn.error.retryAfterMs : undefined;
    yield {
      at: `status ${status}, retry-after: ${value}`,
      expected: `wait ${milliseconds} ms, 1 request`,
      actual: `wait ${wait} ms, ${harness.host.count() - before} request`,
    };
  }
}

const kindsByStatus: Readonly<Record<number, readonly ErrorKind[]>> = {
  400: ["invalid-request"],
  401: ["auth"],
  403: ["auth"],
  404: ["invalid-request"],
  429: ["rate-limit"],
  500: ["server"],
  502: ["server"],
  503: ["overloaded", "server"],
  529: ["overloaded", "server"],
};
const errorBodies: Readonly<Record<string, { readonly type: string; readonly text: string }>> = {
  "a JSON body": { type: "application/json", text: '{"error":{"message":"No such luck."}}' },
  "a text body": { type: "text/plain", text: "No such luck." },
  "a page": { type: "text/html", text: "<h1>No such luck.</h1>" },
  "an empty body": { type: "text/plain", text: "" },
};

const describeError = (turn: Turn, kind?: ErrorKind): string => {
  const { status, message } = "error" in turn ? turn.error : {};
  const noMessage = message === "" ? ", no message" : "";
  return `${outline(turn)}, ${errorKindOf(turn, kind)}, status ${status}${noMessage}`;
};
const expectedError = (status: number, allowed: readonly ErrorKind[], turn: Turn): string => {
  const kind = allowed.find((one) => errorKindOf(turn, one) === one) ?? allowed[0] ?? "server";
  const shownStatus = "error" in turn ? status : undefined;
  return `${errorRules[kind].stop}, runs nothing, ${kind}, status ${shownStatus}`;
};

async function* checkStatuses(harness: Harness): AsyncGenerator<Check> {
  for (const [key, allowed] of Object.entries(kindsByStatus)) {
    const status = Number(key);
    for (const [name, { type, text }] of Object.entries(errorBodies)) {
      const turn = await harness.ask({
        status,
        headers: { "content-type": type },
        chunks: [utf8(text)],
      });
      const expected = expectedError(status, allowed, turn);
      yield { at: `status ${status} with ${name}`, expected, actual: describeError(turn) };
    }
  }
  yield* lackOf(harness, "failures", "about the vendor's own bodies of errors");
  for (const { status, headers, body, kind } of harness.wire.failures ?? []) {
    const answer = jsonAnswer(body, { status, headers });
    yield checkReply(harness, `status ${status} with ${body}`, answer, {
      expected: (turn) => expectedError(status, [kind], turn),
      describe: (turn) => describeError(turn, kind),
    });
  }
}

async function* checkRefusedConnection(harness: Harness): AsyncGenerator<Check> {
  const turn = await harness.ask({ chunks: [], fault: "refuse" });
  yield {
    at: "a refused connection",
    expected: "interrupted, runs nothing, network",
    actual: `${outline(turn)}, ${errorKindOf(turn)}`,
  };
}

const dropSentences = changeTurns((turn) =>
  "error" in turn
    ? alterTurn(turn, { error: { ...turn.error, message: "The provider reported an error." } })
    : turn,
);

export const errorClauses: ClauseTable = {
  "error.in-band": {
    rule: "An error inside a reply, or in place of one, counts at any position: nothing runs, and the turn holds its kind and the vendor's sentence.",
    references: {
      "boringstack-xyz/tsforge#237":
        "an error in place of a reply in one piece became an empty reply",
      "openclaw/openclaw#78180": "the vendor's sentence was lost, and only a status was left",
      "https://platform.claude.com/docs/en/build-with-claude/streaming#error-events":
        "an overloaded_error comes inside a 200",
    },
    forLoops: {
      rule: "If an error comes inside a reply, nothing of the reply runs.",
      references: [],
      pages: "errorInStream",
    },
    adapter: {
      whyNotAsked: ({ wire }) =>
        wire.errors === undefined ? "the wire has no error inside a reply" : undefined,
      check: checkInBandErrors,
    },
    loop: expectOnlyRuns(inBandErrors),
    mutants: {
      "ignores errors inside a reply": ignoreErrorEvents,
      "ignores errors, and takes the end of the file for the end of the reply": both(
        ignoreErrorEvents,
        believeFileEnd,
      ),
      "drops the vendor's sentence of an error": dropSentences,
      "drops the vendor's sentence of an error in one piece": wholeOnly(dropSentences),
    },
    loopMutants: {
      "takes an error for the end of a reply": loopAround(ignoreErrors("overloaded", "server")),
    },
  },
  "error.retry-after": {
    rule: "The turn holds the time that a provider asks to wait, in milliseconds, and the request is not repeated without the caller.",
    references: {
      "https://www.npmjs.com/package/@anthropic-ai/sdk":
        "version 1.12 sleeps for a retry-after of any length by itself",
    },
    adapter: { check: checkRetryAfter },
    mutants: {
      "forgets how long to wait": changeTurns((turn) => {
        if (!("error" in turn)) return turn;
        const { message } = turn.error;
        return alterTurn(turn, { error: { ...turn.error, retryAfterMs: undefined, message } });
      }),
    },
  },
  "error.status": {
    rule: "An error status ends as a turn with a typed error and a message, with any body.",
    references: {
      "earendil-works/pi#5793":
        "one catch-all error for many causes, without a retry and without diagnostics",
    },
    adapter: { check: checkStatuses },
    mutants: {
      "calls every failure a network error": changeTurns((turn) => {
        if (!("error" in turn)) return turn;
        const error = { ...turn.error, kind: "network", message: "" };
        return alterTurn(turn, { stopReason: "interrupted", error });
      }),
    },
  },
  "error.unreachable": {
    rule: "If a provider cannot be reached, the result is an interrupted turn with a typed error: nothing is thrown.",
    references: {
      "NousResearch/hermes-agent#83229": "a connection error was reported as a truncated output",
    },
    adapter: { check: checkRefusedConnection },
    mutants: {
      "throws if the provider cannot be reached": changeTurns((turn) => {
        if ("error" in turn && turn.error.kind === "network") throw turn.error;
        return turn;
      }),
    },
  },
  "error.then-end": {
    rule: "If an error comes inside a reply, nothing of the reply runs, even if its stop reason came before, or the end of a complete reply follows.",
    level: "should",
    // The pages do not say that a stream goes on after an error, and ends well.
    references: [pageOf("errorInStream", "anthropic-messages")],
    forLoops: { references: [], pages: "errorInStream" },
    loop: expectOnlyRuns(errorsBesideEnds),
    loopMutants: { "ignores errors inside a reply": loopAround(ignoreErrorEvents) },
  },
};
