import type { ClauseTable } from "../clause.ts";
import { type Bytes, joinBytes } from "../framing/framing.ts";
import { framingOf } from "../framing/index.ts";
import { render, utf8, waysFor } from "../harness/bytes.ts";
import { type Check, errorKindOf, outline } from "../harness/check.ts";
import type { Harness } from "../harness/harness.ts";
import { checkReply } from "../harness/harness.ts";
import { type Answer, jsonBody } from "../harness/host.ts";
import { tryParseJson } from "../harness/json.ts";
import { finishedReply } from "../harness/mutate.ts";
import { callShapes, repliesFor, textOnly, writeCall } from "../harness/scenarios.ts";
import { expectOnlyRuns } from "../loop/checks.ts";
import { pagesInside, tornFrames } from "../loop/cut-scripts.ts";
import { loopAround } from "../loop/small-loop.ts";
import type { Frames } from "../wire.ts";
import { changeFrames, changeWhole, ignoreErrors } from "./mutants.ts";

/** The bytes of the reply, with other bytes in place of one event. */
function replaceFrame(harness: Harness, frames: Frames, at: number, other: Bytes): Bytes {
  const { bytes, edges } = render(harness.wire, frames);
  return joinBytes([bytes.subarray(0, edges[at]), other, bytes.subarray(edges[at + 1])]);
}

async function* checkDamagedFrames(harness: Harness): AsyncGenerator<Check> {
  const { wire } = harness;
  const damages = Object.entries(framingOf(wire).damages);
  const replies = repliesFor(wire, [textOnly, ...callShapes.slice(0, 4)]);
  for (const [number, { name, reply }] of replies.entries()) {
    const frames = wire.frames(reply);
    for (const [at, payload] of frames.upToTerminal.entries()) {
      for (const [damage, write] of waysFor(damages, number + at, harness)) {
        const bytes = replaceFrame(harness, frames, at, write(payload));
        yield checkReply(harness, `${name}, event ${at} ${damage}`, bytes, {
          expected: "interrupted, runs nothing, malformed-reply",
          describe: (turn) => `${outline(turn)}, ${errorKindOf(turn)}`,
        });
      }
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
  "bytes that are not text": { chunks: [new Uint8Array([0x64, 0xff, 0xfe, 0x00, 0x0a, 0x0a])] },
};

async function* checkNotReplies(harness: Harness): AsyncGenerator<Check> {
  const { emptyBodies } = framingOf(harness.wire);
  const empty = Object.entries(emptyBodies).map(([at, body]) => [at, { chunks: [body] }] as const);
  for (const [at, answer] of [...Object.entries(notReplies), ...empty]) {
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

/** A reply in two parts: between them an input goes on. */
function splitInput(harness: Harness): readonly [head: Bytes, tail: Bytes] {
  const marker = "<<here>>";
  const reply = finishedReply(harness, [{ ...writeCall, input: { content: marker } }]);
  const { bytes, edges, payloads } = render(harness.wire, reply);
  const at = Math.max(
    0,
    payloads.findIndex((payload) => payload.includes(marker)),
  );
  const length = offeredMebibytes * mebibyte;
  const [head, tail] = framingOf(harness.wire).splitAt(payloads[at] ?? "", marker, length);
  return [
    joinBytes([bytes.subarray(0, edges[at]), head]),
    joinBytes([tail, bytes.subarray(edges[at + 1])]),
  ];
}

async function* checkEndlessInput(harness: Harness): AsyncGenerator<Check> {
  const [head, tail] = splitInput(harness);
  const filler = utf8("a".repeat(mebibyte));
  let sent = 0;
  const endless = function* (): Generator<Bytes> {
    yield head;
    for (; sent < offeredMebibytes; sent++) yield filler;
    yield tail;
  };
  const turn = await harness.ask({ chunks: endless() });
  const read = sent <= maxMebibytes ? `at most ${maxMebibytes} MiB read` : `${sent} MiB read`;
  yield {
    at: `an input of ${offeredMebibytes} MiB`,
    expected: `interrupted, runs nothing, too-large, at most ${maxMebibytes} MiB read`,
    actual: `${outline(turn)}, ${errorKindOf(turn)}, ${read}`,
  };
}

const skipUnreadable = changeFrames((payloads) =>
  payloads.filter((payload) => tryParseJson(payload) !== undefined),
);

/** Clauses about replies that are broken or missing. */
export const wireFaultClauses: ClauseTable = {
  "wire.malformed-frame": {
    rule: "A frame that cannot be read is a hole in the reply: the reply is interrupted with the error `malformed-reply`, and nothing of it runs.",
    references: {
      "BerriAI/litellm#32686":
        "pieces were lost on the way, and the rest was delivered as a success",
    },
    forLoops: {
      rule: "If a frame of a stream cannot be read, nothing of the reply runs.",
      pages: "stream",
    },
    adapter: { check: checkDamagedFrames },
    loop: expectOnlyRuns(tornFrames),
    mutants: { "skips frames that it cannot read": skipUnreadable },
    loopMutants: {
      "runs what is left of a reply with an unreadable frame": loopAround(
        ignoreErrors("malformed-reply"),
      ),
    },
  },
  "wire.page-inside": {
    rule: "If the data of an event is a page in place of JSON, nothing of the reply runs, even if every other event comes.",
    level: "should",
    references: {
      "BerriAI/litellm#22085":
        "lines of a proxy's page were skipped one by one, and the stream was taken for a success",
    },
    loop: expectOnlyRuns(pagesInside),
    loopMutants: { "skips frames that it cannot read": loopAround(skipUnreadable) },
  },
  "wire.not-a-reply": {
    rule: "A 200 without a reply in it (a page, an empty body, keep-alives) is interrupted, and the error describes what came.",
    references: {
      "Wei-Shaw/sub2api#7081":
        "a 200 with nothing in it, and agents retry without end; the vendor SDKs give neither an event nor an error for a page",
    },
    adapter: { check: checkNotReplies },
    mutants: {
      "takes a page or an empty body for an empty answer": ignoreErrors("malformed-reply", "cut"),
    },
  },
  "wire.too-large": {
    rule: "An input without an end is given up as too large, and the rest of it is not read.",
    references: {
      "earendil-works/pi#9265": "megabytes of arguments starve a shared process permanently",
    },
    adapter: { check: checkEndlessInput },
    mutants: { "reads the whole body before it decodes it": changeWhole((body) => body) },
  },
};
