import type { ClauseTable } from "../clause.ts";
import {
  assembledCalls,
  checkHolds,
  checkPasses,
  describeCalls,
  whyNoClient,
} from "../guard/checks.ts";
import type { GuardHarness } from "../guard/harness.ts";
import { framesOf } from "../guard/left-reply.ts";
import { changeEdited, changeLeaving, firstCallFrame, passIf } from "../guard/mutants.ts";
import { chunks, render } from "../harness/bytes.ts";
import { type Check, describeCall, withBytes } from "../harness/check.ts";
import { isObject, tryParseJson } from "../harness/json.ts";
import { cap } from "../harness/scenarios.ts";
import {
  describeExcess,
  noExcess,
  repeatedReplies,
  repliesBehindACall,
  whyNoRepetition,
  whyNoSecondReply,
} from "../harness/second-reply.ts";

async function* checkRepeatedLeave(harness: GuardHarness): AsyncGenerator<Check> {
  for (const { at, frames, calls } of repeatedReplies(harness.wire)) {
    const { bytes } = render(harness.wire, frames);
    const expected = describeCalls(calls.map(describeCall));
    for (const size of [bytes.length, 7]) {
      const { text } = await harness.pass({ chunks: chunks(bytes, size) });
      const actual = assembledCalls(harness.readLeft(text));
      yield withBytes({ at: `${at}, ${size} bytes at a time`, expected, actual }, bytes);
    }
  }
}

async function* checkSecondLeave(harness: GuardHarness): AsyncGenerator<Check> {
  for (const { at, frames, calls } of repliesBehindACall(harness.wire)) {
    const { bytes } = render(harness.wire, frames);
    const { text } = await harness.pass({ chunks: [bytes] });
    const left = harness.readLeft(text).calls.map(({ name, input }) => {
      const value = tryParseJson(input);
      return { name, input: isObject(value) ? value : {} };
    });
    yield withBytes({ at, expected: noExcess, actual: describeExcess(left, calls) }, bytes);
  }
}

const withoutLast = (text: string, part: string): string => {
  const frames = framesOf(text);
  return frames
    .toSpliced(
      frames.findLastIndex((frame) => frame.includes(part)),
      1,
    )
    .join("");
};

/** A field of each protocol that no decoder reads. */
const unreadField =
  /,"(?:stop_sequence|logprobs|annotations|modelVersion|service_tier)":(?:null|\[\]|"[^"]*")/;

const passWhatCame = changeLeaving(({ came }) => ({ text: came, status: 200, isBroken: false }));

/** Clauses about a guard between an adapter and the provider. */
export const guardTable: ClauseTable = {
  "guard.passes": {
    rule: "A reply whose calls may run, and a finished reply without calls, leave the guard with the very bytes that came. If a reply does not say its calls as they are granted, they leave as they are granted, each once.",
    references: {
      "maximhq/bifrost#6123":
        "a gateway writes replies anew, and says `end_turn` for a reply with a call",
    },
    guard: { whyNotAsked: whyNoClient, check: checkPasses },
    mutants: {
      "loses a field that it does not know": changeLeaving(({ left }) => ({
        text: left.text.replace(unreadField, ""),
      })),
      "loses the last byte": changeLeaving(({ left }) => ({ text: left.text.slice(0, -1) })),
      "swallows a finished call": changeLeaving(({ left, read }) => ({
        text: framesOf(left.text)
          .filter((frame) => read(frame).callParts.length === 0)
          .join(""),
      })),
      "says a call as often as the provider said it": changeLeaving(({ left, came }) =>
        left.isBroken ? {} : { text: came },
      ),
    },
  },
  "guard.holds": {
    rule: "No part of a tool call leaves the guard before the whole reply has proven finished, wherever the reply is cut. What leaves instead keeps the rules of the protocol, and does not end as a finished answer.",
    references: { "Portkey-AI/gateway#1797": "an upstream that is cut ends cleanly" },
    guard: { whyNotAsked: whyNoClient, check: checkHolds },
    mutants: {
      "lets the first part of a call out": changeLeaving((passage) =>
        passage.left.status < 400 ? { text: passage.left.text + firstCallFrame(passage) } : {},
      ),
      "numbers what it adds wrongly": changeEdited(({ left }) =>
        left.text.replaceAll(/("(?:output_)?index":)\d+(?=,"(?:content_block|item|step)")/g, "$17"),
      ),
      "leaves a block open": changeEdited(({ left }) =>
        withoutLast(left.text, "content_block_stop"),
      ),
      "calls a cut reply finished": changeEdited(({ left, wire: { nativeStops } }) =>
        left.text
          .replaceAll(`"${nativeStops.length}"`, `"${nativeStops.stop}"`)
          .replaceAll(/\bincomplete\b/g, "completed"),
      ),
      "passes on a cut connection as a clean end": changeLeaving(({ left, came }) =>
        left.isBroken ? { text: came, isBroken: false } : {},
      ),
      "lets calls out when the reply is complete, and only says `length`": changeLeaving(
        ({ came, left }) => (left.status < 400 ? { text: came } : {}),
      ),
      "lets calls out under the stop reason of the cap if the usage is below the cap": passIf(
        ({ came, says }) => says === "length" && !came.includes(`:${cap}`),
      ),
      "lets the calls of a reply in one piece out if it has no stop reason": passIf(
        ({ isBody, says }) => isBody && says === undefined,
      ),
      "lets the calls of a reply in one piece out under a stop reason that it does not know":
        passIf(({ isBody, says }) => isBody && says === "unknown"),
    },
  },
  "guard.once": {
    rule: "If a host says a call a second time or ends it twice, a client finds it once behind the guard.",
    references: {
      "BerriAI/litellm#37273":
        "two `content_block_stop` for one `tool_use` block, and the tool ran twice",
      "katanemo/plano#898": "two `message_stop` for one message",
      "vllm-project/vllm#47916": "two values of `call_id` for one call",
    },
    guard: {
      whyNotAsked: (harness) => whyNoClient(harness) ?? whyNoRepetition(harness),
      check: checkRepeatedLeave,
    },
    mutants: { "lets out what came": passWhatCame },
  },
  "guard.one-reply": {
    rule: "No call of a reply that was cut leaves the guard if another reply follows it in the same body.",
    references: {
      "vercel/ai#18331":
        "an intermediary asked again, and wrote the second message behind the first",
    },
    guard: {
      whyNotAsked: (harness) => whyNoClient(harness) ?? whyNoSecondReply(harness),
      check: checkSecondLeave,
    },
    mutants: { "lets out what came": passWhatCame },
  },
};
