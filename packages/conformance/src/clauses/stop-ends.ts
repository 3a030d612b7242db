import type { Turn } from "@fullstop/core";
import type { ClauseTable } from "../clause.ts";
import { dataOfMessage } from "../framing/aws.ts";
import { framingOf } from "../framing/index.ts";
import {
  evenlySpread,
  newBeginnings,
  prefixLengths,
  type Rendered,
  render,
  renderBody,
  smallSample,
  utf8,
  waysFor,
} from "../harness/bytes.ts";
import { type Check, expectedWhenCut, outline } from "../harness/check.ts";
import type { Harness } from "../harness/harness.ts";
import { checkReply } from "../harness/harness.ts";
import { jsonBody } from "../harness/host.ts";
import { tryParseJson } from "../harness/json.ts";
import { basicCallShapes, repliesFor, textOnly } from "../harness/scenarios.ts";
import { inOnePiece, lackOfWays } from "../harness/ways.ts";
import { expectOnlyRuns } from "../loop/checks.ts";
import { cutReplies, missingTerminals } from "../loop/cut-scripts.ts";
import { smallLoop } from "../loop/small-loop.ts";
import type { Fixture } from "../wire.ts";
import {
  alterTurn,
  changeAwsMessages,
  changeBodies,
  changeTurns,
  ignoreReasons,
  wholeOnly,
} from "./mutants.ts";

async function* checkCuts(harness: Harness): AsyncGenerator<Check> {
  const streams: Uint8Array[] = [];
  const bodies: Uint8Array[] = [];
  for (const exchange of harness.exchanges) {
    const { frames, body } = exchange;
    yield* checkCutReply(harness, exchange, {
      rendered: render(harness.wire, frames),
      tried: streams,
    });
    if (body === undefined) continue;
    const rendered = renderBody(utf8(body));
    yield* checkCutReply(harness, exchange, { rendered, tried: bodies, isWhole: true });
  }
  yield* lackOfWays(harness);
}

interface WayOfCutting {
  readonly rendered: Rendered;
  /** The beginnings of earlier replies. */
  readonly tried: Uint8Array[];
  readonly isWhole?: true;
}

async function* checkCutReply(
  harness: Harness,
  { name, turn }: Fixture,
  { rendered, tried, isWhole }: WayOfCutting,
): AsyncGenerator<Check> {
  for (const bytes of newBeginnings(rendered, harness, tried)) {
    const suffix = isWhole ? inOnePiece : "";
    const at = `${name}${suffix}, cut after ${bytes.length} of ${rendered.completeLength} bytes`;
    const sent = isWhole ? { chunks: [bytes], headers: jsonBody, isWhole } : bytes;
    yield checkReply(harness, at, sent, { expected: (actual) => expectedWhenCut(turn, actual) });
  }
}

async function* checkCutsAfterTerminal(harness: Harness): AsyncGenerator<Check> {
  const { usual, ends } = framingOf(harness.wire);
  for (const [number, { name, frames, turn }] of harness.exchanges.entries()) {
    for (const style of waysFor(ends, number, harness)) {
      const rendered = render(harness.wire, frames, style);
      const { completeLength } = rendered;
      const exhaustive = harness.exhaustive && style === usual;
      const later = prefixLengths(rendered, { ...harness, exhaustive }).filter(
        (length) => length > completeLength,
      );
      for (const length of [completeLength, ...later]) {
        const bytes = rendered.bytes.subarray(0, length);
        const mayDoubt = harness.wire.ends !== true && !isBetweenEvents(rendered, length);
        yield checkReply(
          harness,
          `${name}, ${length - completeLength} bytes after its terminal`,
          bytes,
          { expected: (actual) => (mayDoubt ? completeOrCut(turn, actual) : outline(turn)) },
        );
      }
    }
  }
}

/** Whether every event that began is complete, except for at most one byte of its last line end. */
const isBetweenEvents = (
  { edges, completeLength, tailLength }: Rendered,
  length: number,
): boolean =>
  length === completeLength ||
  edges.some((edge) => length <= edge && edge - length <= Math.min(1, tailLength));

const completeOrCut = (complete: Fixture["turn"], actual: Turn): string => {
  const cut = expectedWhenCut(complete, actual);
  return outline(actual) === cut ? cut : outline(complete);
};

/** The frames of a reply. The request is aborted when `after` frames have been taken. */
function* abortingChunks(
  { bytes, edges }: Rendered,
  after: number,
  abort: () => void,
): Generator<Uint8Array<ArrayBuffer>> {
  for (let index = 0; index < edges.length - 1; index++) {
    if (index === after) abort();
    yield bytes.subarray(edges[index], edges[index + 1]);
  }
  if (after >= edges.length - 1) abort();
}

async function* checkAborts(harness: Harness): AsyncGenerator<Check> {
  for (const { name, reply } of repliesFor(harness.wire, [textOnly, ...basicCallShapes])) {
    const rendered = render(harness.wire, harness.wire.frames(reply));
    const moments = Array.from({ length: rendered.edges.length + 1 }, (_, index) => index - 1);
    for (const after of evenlySpread(moments, smallSample(harness))) {
      const controller = new AbortController();
      if (after < 0) controller.abort();
      const turn = await harness.ask(
        { chunks: abortingChunks(rendered, after, () => controller.abort()) },
        { signal: controller.signal },
      );
      const when = after < 0 ? "before it was sent" : `after ${after} frames`;
      yield {
        at: `${name}, aborted ${when}`,
        expected: "aborted, runs nothing",
        actual: outline(turn),
      };
    }
  }
}

const bodyEnds = ["}", '":0}}', ":0}}", "0}}", '"}', "}}", "}]}", '"}]}', "}]}}", "}}]}", "}}]}}"];

/** What a parser that repairs JSON makes of a body. */
function closeBody(text: string): string {
  if (tryParseJson(text) !== undefined) return text;
  return bodyEnds.map((end) => text + end).find((one) => tryParseJson(one) !== undefined) ?? text;
}

export const stopEndClauses: ClauseTable = {
  "stop.cut": {
    rule: "A reply that ends before its terminal is complete runs nothing, and is not a finished answer.",
    references: {
      "OpenRouterTeam/ai-sdk-provider#558": "an early end of file became a successful empty call",
    },
    forLoops: {
      rule: "A stream that ends before its native stop reason runs nothing.",
      references: {
        "OpenRouterTeam/ai-sdk-provider#558": "an early end of file became a successful empty call",
        "NousResearch/hermes-agent#80498":
          "a stream that closed behind the name of a call ran it with an empty input",
      },
      pages: "stream",
    },
    adapter: { check: checkCuts },
    loop: expectOnlyRuns(cutReplies),
    mutants: {
      "runs calls without a terminal": ignoreReasons("no-terminal"),
      "closes the brackets of a reply in one piece that was cut": wholeOnly(
        changeBodies(closeBody),
      ),
      "takes the end of the file for the end of the reply": changeTurns((turn) =>
        turn.stopReason === "interrupted" && turn.withheld.length === 0
          ? alterTurn(turn, { stopReason: "stop" })
          : turn,
      ),
    },
  },
  "stop.no-terminal": {
    rule: "A stream that ends behind its native stop reason, without the protocol's own end, runs nothing.",
    level: "should",
    references: {
      "https://platform.claude.com/docs/en/build-with-claude/streaming":
        "every stream ends with `message_stop`; that a reply without it must not run is not written there",
    },
    loop: expectOnlyRuns(missingTerminals),
    loopMutants: {
      "runs calls without the protocol's own end": ({ wire: { frames, ...wire }, ...sound }) =>
        smallLoop({
          ...sound,
          wire: {
            ...wire,
            frames: (reply) => ({
              upToTerminal: [...frames(reply).upToTerminal, '{"say":"over"}'],
            }),
            eventsAfterStop: 1,
          },
        }),
    },
  },
  "stop.later-prefix": {
    rule: "Bytes missing after the terminal event do not change the result. A protocol without a terminal event may report `interrupted` if a later event is cut.",
    references: {
      "https://www.npmjs.com/package/@anthropic-ai/sdk":
        "version 1.12 loses the last event if the blank line after it is missing",
    },
    adapter: { check: checkCutsAfterTerminal },
    mutants: {
      "loses the last event if the blank line after it is missing": {
        framing: "sse",
        subject: changeBodies((text) => {
          const blankLines = ["\n\n", "\n\r\n", "\r\r"].map((end) => text.lastIndexOf(end));
          return text.slice(0, Math.max(...blankLines) + 2);
        }),
      },
      "loses the last event if the line end after it is missing": {
        framing: "ndjson",
        subject: changeBodies((text) => text.slice(0, text.lastIndexOf("\n") + 1)),
      },
      "reads an event only when the next one begins": {
        framing: "aws",
        subject: changeAwsMessages((message, index, { length }) =>
          index < length - 1 ? [dataOfMessage(message)] : [],
        ),
      },
    },
  },
  "stop.abort": {
    rule: "A reply whose request was aborted runs nothing, before and after its terminal.",
    references: {
      "PrimeIntellect-ai/prime-agent#346":
        "tools start after Ctrl+C; the openai and anthropic SDKs end silently on abort",
    },
    adapter: { check: checkAborts },
    mutants: { "runs the calls of an aborted reply": ignoreReasons("aborted") },
  },
};
