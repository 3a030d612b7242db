import type { ClauseTable } from "../clause.ts";
import { prefixLengths, render, utf8 } from "../harness/bytes.ts";
import {
  type Check,
  errorKindOf,
  expectedTurnOf,
  expectedWhenCut,
  outline,
  withBytes,
} from "../harness/check.ts";
import type { Harness } from "../harness/harness.ts";
import { type Answer, jsonBody } from "../harness/host.ts";
import { finishedReply, insertFrame } from "../harness/mutate.ts";
import { callShapes, repliesFor, textOnly, writeCall } from "../harness/scenarios.ts";
import { expectOnlyRuns } from "../loop/checks.ts";
import { scripts } from "../loop/scripts.ts";
import type { Fixture, Frames } from "../wire.ts";
import {
  ignoreErrors,
  loseUnendedReplies,
  readWholeBody,
  skipUnreadableFrames,
} from "./mutants.ts";

async function checkUnreadable(harness: Harness, at: string, frames: Frames): Promise<Check> {
  const { bytes } = render(frames);
  const turn = await harness.ask(bytes);
  const actual = `${outline(turn)}, ${errorKindOf(turn)}`;
  return withBytes({ at, expected: "interrupted, runs nothing, malformed-reply", actual }, bytes);
}

async function* checkTornFrames(harness: Harness): AsyncGenerator<Check> {
  const { wire } = harness;
  for (const { name, reply } of repliesFor(wire, [textOnly, ...callShapes.slice(0, 4)])) {
    const frames = wire.frames(reply);
    for (const [at, payload] of frames.upToTerminal.entries()) {
      const half = payload.slice(0, Math.ceil(payload.length / 2));
      const torn = { ...frames, upToTerminal: frames.upToTerminal.with(at, half) };
      yield checkUnreadable(harness, `${name}, event ${at} torn`, torn);
      const withPage = insertFrame(frames, at, "<html>Bad gateway</html>");
      yield checkUnreadable(harness, `${name}, a page before event ${at}`, withPage);
    }
  }
}

const page = utf8("<!doctype html><title>502</title><h1>Bad gateway</h1>\n");

const notReplies: Readonly<Record<string, Omit<Answer, "fault">>> = {
  "a page": { headers: { "content-type": "text/html; charset=utf-8" }, chunks: [page] },
  "a page that is called an event stream": { chunks: [page] },
  "a page that is called JSON": { headers: jsonBody, chunks: [page] },
  "plain text": {
    headers: { "content-type": "text/plain" },
    chunks: [utf8("upstream connect error")],
  },
  "an empty body": { chunks: [] },
  "an empty body that is called JSON": { headers: jsonBody, chunks: [] },
  "only comments": { chunks: [utf8(": keep-alive\n\n: keep-alive\n\n")] },
  "only the end of streams of another protocol": { chunks: [utf8("data: [DONE]\n\n")] },
  "bytes that are not text": {
    chunks: [new Uint8Array([0x64, 0xff, 0xfe, 0x00, 0x0a, 0x0a])],
  },
};

async function* checkNotReplies(harness: Harness): AsyncGenerator<Check> {
  for (const [at, answer] of Object.entries(notReplies)) {
    const turn = await harness.ask(answer);
    const hasMessage = "error" in turn && turn.error.message.length > 10;
    const actual = `${outline(turn)}${hasMessage ? ", with a message" : ""}`;
    yield { at, expected: "interrupted, runs nothing, with a message", actual };
  }
}

const mebibyte = 1024 * 1024;

/** No reader should take more MiB than this. */
const maxMebibytes = 24;

const offeredMebibytes = 2 * maxMebibytes;

async function* checkEndlessInput(harness: Harness): AsyncGenerator<Check> {
  const marker = "<<here>>";
  const reply = finishedReply(harness, [{ ...writeCall, input: { content: marker } }]);
  const [head = "", tail = ""] = new TextDecoder().decode(render(reply).bytes).split(marker);
  const filler = utf8("a".repeat(mebibyte));
  let sent = 0;
  const endless = function* (): Generator<Uint8Array<ArrayBuffer>> {
    yield utf8(head);
    for (; sent < offeredMebibytes; sent++) yield filler;
    yield utf8(tail);
  };
  const turn = await harness.ask({ chunks: endless() });
  const read = sent <= maxMebibytes ? `at most ${maxMebibytes} MiB read` : `${sent} MiB read`;
  yield {
    at: `an input of ${offeredMebibytes} MiB`,
    expected: `interrupted, runs nothing, too-large, at most ${maxMebibytes} MiB read`,
    actual: `${outline(turn)}, ${errorKindOf(turn)}, ${read}`,
  };
}

async function* checkResetsOfReplies(harness: Harness): AsyncGenerator<Check> {
  const { wire } = harness;
  for (const { name, reply } of repliesFor(wire, [textOnly, ...callShapes.slice(0, 4)])) {
    const exchange = { name, frames: wire.frames(reply), turn: expectedTurnOf(wire, reply) };
    yield* checkResets(harness, exchange);
  }
}

/** The reply, with a connection that breaks at each place in turn. */
export async function* checkResets(
  harness: Harness,
  { name, frames, turn }: Fixture,
): AsyncGenerator<Check> {
  const rendered = render(frames);
  const { completeLength } = rendered;
  const ownEnd = harness.wire.ends ? rendered.edges[frames.upToTerminal.length] : undefined;
  // Without an own end the events after the terminal must arrive, too.
  const requiredLength =
    ownEnd === undefined && frames.after ? rendered.bytes.length - 2 : completeLength;
  for (const length of prefixLengths(rendered, { ...harness, exhaustive: false })) {
    const bytes = rendered.bytes.subarray(0, length);
    const actual = await harness.ask({ chunks: [bytes], fault: "reset" });
    const mayDoubt =
      length < (ownEnd ?? Number.POSITIVE_INFINITY) && actual.stopReason === "interrupted";
    const isCut = length < requiredLength || mayDoubt;
    yield withBytes(
      {
        at: `${name}, reset after ${length} of ${completeLength} bytes`,
        expected: isCut ? expectedWhenCut(turn, actual) : outline(turn),
        actual: outline(actual),
      },
      bytes,
    );
  }
}

/** Long enough for the bytes that are sent before the silence. Over a network it may be too short, so no complete reply is tried there. */
const stallIdleMs = 25;

async function* checkStalls(harness: Harness): AsyncGenerator<Check> {
  const { wire, host } = harness;
  for (const { name, reply } of repliesFor(wire, [textOnly, ...callShapes.slice(0, 2)])) {
    const turn = expectedTurnOf(wire, reply);
    const { bytes, edges } = render(wire.frames(reply));
    const triesCompleteReply = wire.ends && !host.usesNetwork;
    for (const length of triesCompleteReply ? edges : edges.slice(0, -1)) {
      const sent = bytes.subarray(0, length);
      const actual = await harness.ask({ chunks: [sent], fault: "stall" }, { idleMs: stallIdleMs });
      const expected = length < bytes.length ? expectedWhenCut(turn, actual) : outline(turn);
      const at = `${name}, silent after ${length} bytes`;
      yield withBytes({ at, expected, actual: outline(actual) }, sent);
    }
  }
}

/** Clauses about replies that are broken or missing, and about connections that break or fall silent. */
export const wireFaultClauses: ClauseTable = {
  "wire.malformed-frame": {
    rule: "A frame that cannot be read is a hole in the reply: the reply is interrupted with the error `malformed-reply`, and nothing of it runs.",
    level: "must",
    references: [
      {
        issue: "BerriAI/litellm#32686",
        note: "pieces were lost on the way, and the rest was delivered as a success",
      },
    ],
    adapter: { check: checkTornFrames },
    loop: expectOnlyRuns(scripts.tornFrames),
    mutants: [
      {
        wrong: "skips frames that it cannot read",
        subject: skipUnreadableFrames,
      },
    ],
  },
  "wire.not-a-reply": {
    rule: "A 200 without a reply in it (a page, an empty body, keep-alives) is interrupted, and the error describes what came.",
    level: "must",
    references: [
      {
        issue: "sub2api#7081",
        note: "a 200 with nothing in it, and agents retry without end; the vendor SDKs give neither an event nor an error for a page",
      },
    ],
    adapter: { check: checkNotReplies },
    mutants: [
      {
        wrong: "takes a page or an empty body for an empty answer",
        subject: ignoreErrors("malformed-reply", "cut"),
      },
    ],
  },
  "wire.too-large": {
    rule: "An input without an end is given up as too large, and the rest of it is not read.",
    level: "must",
    references: [
      {
        issue: "earendil-works/pi#9265",
        note: "megabytes of arguments starve a shared process permanently",
      },
    ],
    adapter: { check: checkEndlessInput },
    mutants: [{ wrong: "reads the whole body before it decodes it", subject: readWholeBody }],
  },
  "wire.reset": {
    rule: "A connection that breaks before the protocol's own end interrupts the reply, even if a native stop reason of a finished reply came. After that end it changes nothing.",
    level: "must",
    references: [
      {
        issue: "BerriAI/litellm#32159",
        note: "a connection that was cut behind a load balancer was passed on as a clean end",
      },
    ],
    adapter: { check: checkResetsOfReplies },
    loop: expectOnlyRuns(scripts.resets),
    mutants: [
      {
        wrong: "takes a broken connection for the end of the reply",
        subject: ignoreErrors("network"),
      },
      {
        wrong: "discards a complete reply because its connection broke",
        subject: loseUnendedReplies,
      },
    ],
  },
  "wire.stall": {
    rule: "A connection that falls silent before the terminal is given up after the idle time, and nothing of the reply runs. After the protocol's own end silence changes nothing.",
    level: "must",
    references: [
      {
        url: "https://github.com/anthropics/anthropic-sdk-typescript#timeouts",
        note: "the time-out ends with the headers, so a silent body hangs without end",
      },
    ],
    adapter: { check: checkStalls },
    mutants: [
      { wrong: "takes silence for the end of the reply", subject: ignoreErrors("timeout") },
      {
        wrong: "discards a complete reply because of the silence after it",
        subject: loseUnendedReplies,
      },
    ],
  },
};
