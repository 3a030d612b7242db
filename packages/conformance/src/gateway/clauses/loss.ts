import { type ErrorKind, errorRules, type Turn } from "@fullstop/core";
import { sameJson } from "../../harness/json.ts";
import { askReplies, type GatewayClauseTable } from "../clause.ts";
import {
  changeReply,
  changeReplyEvents,
  dropReplyEvents,
  replaceInReply,
  replaceStop,
} from "../mutants.ts";
import {
  callLines,
  describeTurn,
  groupOf,
  isClaimed,
  isComparable,
  isDocumentedAndFinished,
  isMerged,
  leftUnfinished,
  losesForeign,
  severityOfFinished,
  translates,
} from "../outcome.ts";

/** What only its provider understands: whole blocks, and signatures of others. */
const opaqueValues = (turn: Turn): readonly unknown[] =>
  (turn.message?.content ?? []).flatMap((block) =>
    block.type === "native" ? [block.data] : (block.providerData ?? []),
  );

const countOpaque = ({ length }: readonly unknown[]): string =>
  `${length} signatures and blocks that the next request returns`;

const kindOf = (turn: Turn): ErrorKind => ("error" in turn ? turn.error.kind : "server");
const mayRetry = (turn: Turn): boolean => errorRules[kindOf(turn)].retry;
const describeRetry = (turn: Turn, more = ""): string =>
  `a later attempt ${mayRetry(turn) ? "may succeed" : "fails as well"} (${kindOf(turn)}${more})`;

/** Clauses about what does not arrive, and about two things that become one. */
export const lossClauses: GatewayClauseTable = {
  "loss.call": {
    rule: "Every call of a finished reply arrives.",
    references: { "QuantumNous/new-api#7252": "the calls of the last frame were dropped" },
    question: askReplies({
      about: (seen) => isComparable(seen) && seen.sent.calls.length > 0 && !isMerged(seen),
      expected: ({ sent: { calls }, sent }) =>
        `${calls.length} ${calls.length === 1 ? "call" : "calls"}: ${callLines(sent).join(" and ")}`,
      kept: ({ sent, heard }) => heard.turn.calls.length >= sent.calls.length,
      severity: "a finished call is lost",
    }),
    mutants: {
      "loses the second call": dropReplyEvents(
        "openai-chat/two-parallel-calls",
        '"tool_calls":[{"index":1',
      ),
    },
  },
  "loss.text": {
    rule: "The text of a finished reply arrives as it is.",
    references: {
      "BerriAI/litellm#32686":
        "parts of a reply were lost, and only a comparison with the whole reply shows that",
    },
    question: askReplies({
      about: (seen) => isComparable(seen) && !losesForeign(seen),
      expected: ({ sent }) => JSON.stringify(sent.text),
      actual: ({ heard }) => JSON.stringify(heard.turn.text),
      severity: "a detail is lost",
    }),
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
    references: { "Portkey-AI/gateway#1797": "a failure of upstream became a clean status 200" },
    question: askReplies({
      // A gateway that translates has passed the stop reason on before the error.
      about: (seen) =>
        seen.played.kind === "status" ||
        (seen.played.kind === "error" && !(translates(seen) && seen.sent.native !== undefined)),
      expected: ({ played }) => `an error: ${played.name}`,
      kept: leftUnfinished,
      severity: severityOfFinished,
    }),
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
    question: askReplies({
      about: (seen) => isComparable(seen) && !seen.played.id.includes("/fixture-"),
      expected: ({ sent }) => `${sent.usage.output} output tokens`,
      actual: ({ heard }) => `${heard.turn.usage.output} output tokens`,
      severity: "a detail is lost",
    }),
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
    question: askReplies({
      about: (seen) =>
        !translates(seen) && isComparable(seen) && opaqueValues(seen.sent).length > 0,
      expected: ({ sent }) => countOpaque(opaqueValues(sent)),
      actual: ({ sent, heard }) => {
        const there = opaqueValues(heard.turn);
        return countOpaque(
          opaqueValues(sent).filter((value) => there.some((other) => sameJson(value, other))),
        );
      },
      severity: "a detail is lost",
    }),
    mutants: {
      "loses the signatures of reasoning": dropReplyEvents(
        "anthropic/fixture-thinking-call",
        '"signature_delta"',
      ),
    },
  },
  "merge.calls": {
    rule: "Two calls do not become one.",
    references: {
      "su-kaka/gcli2api#406": "parallel calls without ids and under one index became one",
    },
    question: askReplies({
      about: (seen) => isDocumentedAndFinished(seen) && seen.sent.calls.length > 1,
      expected: ({ sent }) => `${sent.calls.length} calls: ${callLines(sent).join(" and ")}`,
      kept: (seen) => !isMerged(seen),
      severity: "a finished call is lost",
    }),
    mutants: {
      "joins the second call to the first": changeReplyEvents(
        "openai-chat/two-parallel-calls",
        (data) =>
          data.includes('"index":1,"id"')
            ? undefined
            : data.replace('"tool_calls":[{"index":1', '"tool_calls":[{"index":0'),
      ),
    },
  },
  "merge.stops": {
    rule: "A limit does not leave as a refusal or a filter, nor the reverse.",
    references: { "envoyproxy/ai-gateway#2121": "a refusal and a full context window were merged" },
    question: askReplies({
      about: ({ played, sent, heard }) =>
        played.kind === "documented" &&
        heard.status < 400 &&
        [sent, heard.turn].every(
          (turn) => isClaimed(turn) && groupOf[turn.stopReason] !== "failed",
        ),
      expected: ({ sent }) => `${sent.stopReason}: upstream sent ${describeTurn(sent)}`,
      kept: ({ sent, heard }) => groupOf[sent.stopReason] === groupOf[heard.turn.stopReason],
      severity: "a stop reason is relabelled",
    }),
    mutants: {
      "says `length` for a filtered reply": replaceStop("text-only", "content_filter", "length"),
    },
  },
  "merge.errors": {
    rule: "An error that a later attempt may cure does not leave as one that it cannot cure, nor the reverse.",
    level: "should",
    references: {
      "theopenco/llmgateway#1682":
        "an incomplete reply became a status 500, for which clients repeat the request",
    },
    question: askReplies({
      // A client that looks at the status alone sees no difference.
      about: ({ played, sent, heard }) =>
        played.kind === "status" &&
        heard.status !== played.status &&
        "error" in sent &&
        "error" in heard.turn,
      expected: ({ sent }) => describeRetry(sent),
      actual: ({ sent, heard }) =>
        mayRetry(sent) === mayRetry(heard.turn)
          ? describeRetry(sent)
          : describeRetry(heard.turn, `, status ${heard.status}`),
      severity: "a detail is lost",
    }),
    mutants: {
      "answers each error with the status 500": changeReply("openai-chat/status", (answer) =>
        answer.status === 200 ? answer : { ...answer, status: 500, text: '{"error":{}}' },
      ),
    },
  },
};
