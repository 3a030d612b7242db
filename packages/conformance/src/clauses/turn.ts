import { type Turn, validateHistory } from "@fullstop/core";
import type { ClauseTable } from "../clause.ts";
import { repliesToBoundaries } from "../harness/boundaries.ts";
import { commonPrefixLength, prefixLengths, render, smallSample } from "../harness/bytes.ts";
import { type Check, withBytes } from "../harness/check.ts";
import { answerWith, firstMessages, type Harness, nextMessages } from "../harness/harness.ts";
import {
  allRepliesFor,
  isReplyCall,
  repliesFor,
  textOnly,
  tokensForStop,
} from "../harness/scenarios.ts";
import { checkReplies, lackOfWays, waysOf } from "../harness/ways.ts";
import type { Reply } from "../wire.ts";
import {
  addUpUsage,
  alterTurn,
  changeTurns,
  keepWithheldCalls,
  loseUsage,
  previewTwice,
  wholeOnly,
} from "./mutants.ts";

/** Where a value can still be changed. An error is an object of the runtime. */
function* mutablePaths(value: unknown, at: string): Generator<string> {
  if (typeof value !== "object" || value === null || value instanceof Error) return;
  if (!Object.isFrozen(value)) yield at;
  for (const [key, inner] of Object.entries(value)) yield* mutablePaths(inner, `${at}.${key}`);
}

async function* checkFrozen(harness: Harness): AsyncGenerator<Check> {
  for (const { name, frames } of harness.exchanges) {
    const { bytes } = render(harness.wire, frames);
    const mutable = [...mutablePaths(await harness.read(bytes), "turn")].join(", ");
    yield withBytes({ at: name, expected: "nothing", actual: mutable || "nothing" }, bytes);
  }
}

/** A history with the turn of each exchange, cut after each event. */
async function* checkHistories(harness: Harness): AsyncGenerator<Check> {
  for (const { at, bytes } of repliesToBoundaries(harness)) {
    const turn = await harness.read(bytes);
    const flaws = validateHistory(nextMessages(firstMessages, turn)).map(
      (flaw) => `message ${flaw.at}: ${flaw.rule} ${flaw.id ?? ""}`,
    );
    yield withBytes({ at, expected: "no flaw", actual: flaws.join(", ") || "no flaw" }, bytes);
  }
}

async function* checkPreview(harness: Harness): AsyncGenerator<Check> {
  for (const { name, frames } of harness.exchanges) {
    const { bytes } = render(harness.wire, frames);
    const texts: string[] = [];
    const turn = await harness.read(bytes, {
      onPreview: (event) => event.type === "text" && texts.push(event.text),
    });
    yield withBytes({ at: name, expected: turn.text, actual: texts.join("") }, bytes);
  }
}

/** The native stop reason, with its detail if the wire's has one: `failed:server_error`. */
function describeNative(native: Turn["native"], expected: string): string {
  const { stop = "none", detail } = native ?? {};
  return expected === `${stop}:${detail}` ? expected : stop;
}

async function* checkNativeKept(harness: Harness): AsyncGenerator<Check> {
  for (const { name, reply } of allRepliesFor(harness.wire, harness)) {
    for (const [suffix, sent] of waysOf(harness, reply)) {
      const { answer, bytes } = answerWith(harness.wire, sent);
      const { native, message, stopReason } = await harness.ask(answer);
      const actual = describeNative(native, reply.stop);
      yield withBytes({ at: name + suffix, expected: reply.stop, actual }, bytes);
      if (message === undefined) continue;
      const stored = `${message.stopReason}, ${describeNative(message.native, reply.stop)}`;
      const expected = `${stopReason}, ${reply.stop}`;
      const at = `${name}${suffix}, its message`;
      yield withBytes({ at, expected, actual: stored }, bytes);
    }
  }
  yield* lackOfWays(harness);
}

const replyTextOf = ({ blocks }: Reply): string =>
  blocks.flatMap((block) => (isReplyCall(block) ? [] : [block.text])).join("");

async function* checkText(harness: Harness): AsyncGenerator<Check> {
  const { wire } = harness;
  for (const { name, reply } of allRepliesFor(wire, harness))
    yield* checkReplies(harness, name, reply, {
      expected: replyTextOf(reply),
      describe: ({ text }) => text,
    });
  const tried: Uint8Array[] = [];
  for (const stop of Object.values(wire.nativeStops)) yield* checkTextOfCuts(harness, stop, tried);
}

/** Cuts a reply with a text. The beginnings that it shares with `tried` are not tried again. */
async function* checkTextOfCuts(
  harness: Harness,
  stop: string,
  tried: Uint8Array[],
): AsyncGenerator<Check> {
  const { wire } = harness;
  const sentence = "One sentence. ";
  const blocks = [{ text: sentence }, { name: "read", id: "call_1", input: {} }];
  const rendered = render(wire, wire.frames({ blocks, stop, output: tokensForStop(wire, stop) }));
  const expected = "the beginning of the text, as far as it came";
  const known = commonPrefixLength(rendered.bytes, tried);
  tried.push(rendered.bytes);
  let longest = "";
  const effort = { exhaustive: false, sample: smallSample(harness) };
  const whole = rendered.bytes.length;
  for (const length of new Set([...prefixLengths(rendered, effort), whole])) {
    if (length < known && length < whole) continue;
    const bytes = rendered.bytes.subarray(0, length);
    const { text } = await harness.ask(bytes);
    const hasGrown = text.startsWith(longest) && sentence.startsWith(text);
    longest = text;
    const at = `cut after ${length} bytes, under "${stop}"`;
    yield withBytes({ at, expected, actual: hasGrown ? expected : text }, bytes);
  }
  const at = `the whole, under "${stop}"`;
  yield withBytes({ at, expected: sentence, actual: longest }, rendered.bytes);
}

async function* checkUsage(harness: Harness): AsyncGenerator<Check> {
  for (const { name, reply } of repliesFor(harness.wire, [textOnly]))
    for (const output of [1, 17, 1023])
      yield* checkReplies(
        harness,
        `${name}, ${output} tokens`,
        { ...reply, output },
        { expected: `${output}`, describe: ({ usage }) => `${usage.output}` },
      );
}

/** Clauses about what a turn holds, and about a history with the turn in it. */
export const turnClauses: ClauseTable = {
  "turn.frozen": {
    rule: "A turn cannot be changed after it was read: its calls, their inputs and its message are frozen.",
    references: { "pydantic/pydantic-ai#6968": "what ran was not what was approved" },
    adapter: { check: checkFrozen },
    mutants: {
      "returns turns that can be changed": changeTurns((turn) =>
        alterTurn(turn, { calls: [...turn.calls] }),
      ),
    },
  },
  "turn.history": {
    rule: "A history with the turn in it is valid: it holds the calls that run and no withheld one, each with one result directly after it, and its ids are unique.",
    references: {
      "anthropics/claude-code#8210, letta-ai/letta#3273, google/adk-python#3970":
        "a conversation that holds a call without its result is lost",
    },
    adapter: { check: checkHistories },
    mutants: { "keeps calls that never get a result": keepWithheldCalls },
  },
  "turn.preview": {
    rule: "The preview that is shown while a reply arrives is the text of the turn, in pieces, no more and no less.",
    level: "should",
    references: {
      "mastra-ai/mastra#24211": "tools started from what was streamed, and a retry ran them again",
    },
    adapter: { check: checkPreview },
    mutants: { "shows text twice": previewTwice },
  },
  "turn.reason-kept": {
    rule: "The provider's native stop reason is kept beside the shared one, on the turn and on the message that is stored.",
    references: {
      "NousResearch/hermes-agent#42314":
        "a dropped connection was reported as an output limit, and people changed the wrong setting",
    },
    adapter: { check: checkNativeKept },
    mutants: {
      "forgets the native stop reason": changeTurns((turn) =>
        alterTurn(turn, { native: undefined }),
      ),
    },
  },
  "turn.text-kept": {
    rule: "The caller gets the full text of a reply, however it ended. Of a cut reply the caller gets the text that arrived.",
    references: {
      "anomalyco/opencode#38747, OpenRouterTeam/ai-sdk-provider#558":
        "people ask for the partial text that retries discard",
    },
    adapter: { check: checkText },
    mutants: {
      "forgets the text of replies that failed": changeTurns((turn) =>
        turn.message === undefined ? alterTurn(turn, { text: "" }) : turn,
      ),
    },
  },
  "turn.usage": {
    rule: "The turn's output tokens are those that the reply reports, counted once.",
    references: {
      "https://platform.claude.com/docs/en/build-with-claude/streaming":
        "usage is cumulative; if it is added up, caps seem to be reached that were not",
    },
    adapter: { check: checkUsage },
    mutants: {
      "adds up usage that is cumulative": addUpUsage,
      "loses the usage of a reply in one piece": wholeOnly(loseUsage),
    },
  },
};
