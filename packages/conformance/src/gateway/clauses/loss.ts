import type { Turn } from "@fullstop/core";
import { sameJson } from "../../harness/json.ts";
import { askReplies, type GatewayClauseTable } from "../clause.ts";
import { changeReply, dropReplyEvents, replaceInReply } from "../mutants.ts";
import {
  type Compare,
  callLines,
  isDocumentedAndFinished,
  isForeign,
  isMerged,
  isReadable,
  keptIf,
  looksFinished,
  severityOfFinished,
} from "../outcome.ts";

const lostCalls: Compare = (observation) => {
  const { sent, heard } = observation;
  if (!isDocumentedAndFinished(observation) || !isReadable(observation)) return undefined;
  if (sent.calls.length === 0 || isMerged(observation)) return undefined;
  const count = sent.calls.length;
  return keptIf(
    heard.turn.calls.length >= count,
    `${count} ${count === 1 ? "call" : "calls"}: ${callLines(sent).join(" and ")}`,
    observation,
    "a finished call is lost",
  );
};

const lostText: Compare = (observation, { front, behind }) => {
  if (!isDocumentedAndFinished(observation) || !isReadable(observation)) return undefined;
  const { sent, heard } = observation;
  if (front !== behind && sent.message?.content.some(isForeign)) return undefined;
  return {
    expected: JSON.stringify(sent.text),
    actual: JSON.stringify(heard.turn.text),
    severity: "a detail is lost",
  };
};

const errorLeavesError: Compare = (observation, { front, behind }) => {
  const { played, sent, heard } = observation;
  if (played.kind !== "error" && played.kind !== "status") return undefined;
  // A gateway that translates has passed the stop reason on before the error.
  if (front !== behind && played.kind === "error" && sent.native !== undefined) return undefined;
  return keptIf(
    !looksFinished(heard.turn),
    `an error: ${played.name}`,
    observation,
    severityOfFinished(observation),
  );
};

const lostUsage: Compare = (observation) => {
  if (!isDocumentedAndFinished(observation) || !isReadable(observation)) return undefined;
  const { sent, heard, played } = observation;
  if (played.id.includes("/fixture-")) return undefined;
  return {
    expected: `${sent.usage.output} output tokens`,
    actual: `${heard.turn.usage.output} output tokens`,
    severity: "a detail is lost",
  };
};

/** What only its provider understands: whole blocks, and signatures of others. */
const opaqueValues = (turn: Turn): readonly unknown[] =>
  (turn.message?.content ?? []).flatMap((block) =>
    block.type === "native" ? [block.data] : (block.providerData ?? []),
  );

const lostContent: Compare = (observation, { front, behind }) => {
  if (front !== behind || !isDocumentedAndFinished(observation)) return undefined;
  const wanted = opaqueValues(observation.sent);
  if (wanted.length === 0 || !isReadable(observation)) return undefined;
  const there = opaqueValues(observation.heard.turn);
  const lost = wanted.filter((value) => !there.some((other) => sameJson(value, other)));
  return {
    expected: `${wanted.length} signatures and blocks that the next request returns`,
    actual: `${wanted.length - lost.length} signatures and blocks that the next request returns`,
    severity: "a detail is lost",
  };
};

/** Clauses about what does not arrive. */
export const lossClauses: GatewayClauseTable = {
  "loss.call": {
    rule: "Every call of a finished reply arrives.",
    level: "must",
    references: {
      "QuantumNous/new-api#7252": "the calls of the last frame were dropped",
    },
    question: askReplies(lostCalls),
    mutants: {
      "loses the second call": dropReplyEvents(
        "openai-chat/two-parallel-calls",
        '"tool_calls":[{"index":1',
      ),
    },
  },
  "loss.text": {
    rule: "The text of a finished reply arrives as it is.",
    level: "must",
    references: {
      "BerriAI/litellm#32686":
        "parts of a reply were lost, and only a comparison with the whole reply shows that",
    },
    question: askReplies(lostText),
    mutants: {
      "loses text": replaceInReply(
        "openai-chat/text-only",
        '{"content":"one. "}',
        '{"content":""}',
      ),
    },
  },
  "loss.error": {
    rule: "An error of upstream leaves as an error.",
    level: "must",
    references: {
      "Portkey-AI/gateway#1797": "a failure of upstream became a clean status 200",
    },
    question: askReplies(errorLeavesError),
    mutants: {
      "answers an error with an empty finished reply": changeReply(
        "openai-chat/status",
        (answer) =>
          answer.status === 200
            ? answer
            : {
                ...answer,
                status: 200,
                text: '{"choices":[{"index":0,"message":{"role":"assistant","content":""},"finish_reason":"stop"}]}',
              },
      ),
    },
  },
  "loss.usage": {
    rule: "The output tokens of a finished reply arrive.",
    level: "should",
    references: {
      "vllm-project/vllm#58228": "only the usage showed that the output cap had cut a call",
    },
    question: askReplies(lostUsage),
    mutants: {
      "loses the usage": replaceInReply(
        "openai-chat/text-only",
        '"completion_tokens":12',
        '"completion_tokens":0',
      ),
    },
  },
  "loss.content": {
    rule: "In one protocol, everything that the next request must return arrives: signed reasoning and the blocks of server tools.",
    level: "should",
    references: {
      "https://platform.claude.com/docs/en/build-with-claude/extended-thinking":
        "thinking blocks go back unchanged, with their signatures",
    },
    question: askReplies(lostContent),
    mutants: {
      "loses the signatures of reasoning": dropReplyEvents(
        "anthropic/fixture-thinking-call",
        '"signature_delta"',
      ),
    },
  },
};
