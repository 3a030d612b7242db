import type { ClauseTable } from "../clause.ts";
import { checkHolds, checkPasses, whyNoClient } from "../guard/checks.ts";
import { framesOf } from "../guard/left-reply.ts";
import { changeEdited, changeLeaving, firstCallFrame } from "../guard/mutants.ts";
import { checkRepeatedLeave, checkSecondLeave } from "../guard/once.ts";
import { whyNoRepetition, whyNoSecondReply } from "./call-once.ts";

/** The frames without the last one that has the text. */
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
const unreadField = /,"(?:stop_sequence|logprobs|annotations|modelVersion)":(?:null|\[\]|"[^"]*")/;

/** A guard that judges no reply. */
const passWhatCame = changeLeaving(({ came }) => ({ text: came, status: 200, isBroken: false }));

/** Clauses about a guard between an adapter and the provider. */
export const guardTable: ClauseTable = {
  "guard.passes": {
    rule: "A reply whose calls may run, and a finished reply without calls, leave the guard with the very bytes that came. If a reply does not say its calls as they are granted, they leave as they are granted, each once.",
    level: "must",
    references: [
      {
        issue: "maximhq/bifrost#6123",
        note: "a gateway writes replies anew, and says `end_turn` for a reply with a call",
      },
    ],
    guard: { whyNotAsked: whyNoClient, check: checkPasses },
    mutants: [
      {
        wrong: "loses a field that it does not know",
        subject: changeLeaving(({ left }) => ({
          text: left.text.replace(unreadField, ""),
        })),
      },
      {
        wrong: "loses the last byte",
        subject: changeLeaving(({ left }) => ({ text: left.text.slice(0, -1) })),
      },
      {
        wrong: "swallows a finished call",
        subject: changeLeaving(({ left, read }) => ({
          text: framesOf(left.text)
            .filter((frame) => read(frame).callParts.length === 0)
            .join(""),
        })),
      },
      {
        wrong: "says a call as often as the provider said it",
        subject: changeLeaving(({ left, came }) => (left.isBroken ? {} : { text: came })),
      },
    ],
  },
  "guard.holds": {
    rule: "No part of a tool call leaves the guard before the whole reply has proven finished, wherever the reply is cut. What leaves instead keeps the rules of the protocol, and does not end as a finished answer.",
    level: "must",
    references: [
      { issue: "Portkey-AI/gateway#1797", note: "an upstream that is cut ends cleanly" },
    ],
    guard: { whyNotAsked: whyNoClient, check: checkHolds },
    mutants: [
      {
        wrong: "lets the first part of a call out",
        subject: changeLeaving((passage) =>
          passage.left.status < 400 ? { text: passage.left.text + firstCallFrame(passage) } : {},
        ),
      },
      {
        wrong: "numbers what it adds wrongly",
        subject: changeEdited(({ left }) =>
          left.text.replaceAll(/("(?:output_)?index":)\d+(?=,"(?:content_block|item)")/g, "$17"),
        ),
      },
      {
        wrong: "leaves a block open",
        subject: changeEdited(({ left }) => withoutLast(left.text, "content_block_stop")),
      },
      {
        wrong: "calls a cut reply finished",
        subject: changeEdited(({ left, wire: { nativeStops } }) =>
          left.text
            .replaceAll(`"${nativeStops.length}"`, `"${nativeStops.stop}"`)
            .replaceAll(/\bincomplete\b/g, "completed"),
        ),
      },
      {
        wrong: "passes on a cut connection as a clean end",
        subject: changeLeaving(({ left, came }) =>
          left.isBroken ? { text: came, isBroken: false } : {},
        ),
      },
      {
        wrong: "lets calls out when the reply is complete, and only says `length`",
        subject: changeLeaving(({ came, left }) => (left.status < 400 ? { text: came } : {})),
      },
    ],
  },
  "guard.once": {
    rule: "If a host says a call a second time or ends it twice, a client finds it once behind the guard.",
    level: "must",
    references: [
      {
        issue: "BerriAI/litellm#37273",
        note: "two `content_block_stop` for one `tool_use` block, and the tool ran twice",
      },
      { issue: "katanemo/plano#898", note: "two `message_stop` for one message" },
      { issue: "vllm-project/vllm#47916", note: "two values of `call_id` for one call" },
    ],
    guard: {
      whyNotAsked: (harness) => whyNoClient(harness) ?? whyNoRepetition(harness),
      check: checkRepeatedLeave,
    },
    mutants: [{ wrong: "lets out what came", subject: passWhatCame }],
  },
  "guard.one-reply": {
    rule: "No call of a reply that was cut leaves the guard if another reply follows it in the same body.",
    level: "must",
    references: [
      {
        issue: "vercel/ai#18331",
        note: "an intermediary asked again, and wrote the second message behind the first",
      },
    ],
    guard: {
      whyNotAsked: (harness) => whyNoClient(harness) ?? whyNoSecondReply(harness),
      check: checkSecondLeave,
    },
    mutants: [{ wrong: "lets out what came", subject: passWhatCame }],
  },
};
