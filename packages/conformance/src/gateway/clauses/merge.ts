import { type ErrorKind, errorRules, type Turn } from "@fullstop/core";
import { askReplies, type GatewayClauseTable } from "../clause.ts";
import { changeReply, changeReplyEvents, replaceInReply } from "../mutants.ts";
import {
  type Compare,
  type Comparison,
  callLines,
  describeTurn,
  groupOf,
  isClaimed,
  isDocumentedAndFinished,
  isMerged,
  keptIf,
} from "../outcome.ts";

const mergedCalls: Compare = (observation) => {
  const { sent } = observation;
  if (!isDocumentedAndFinished(observation) || sent.calls.length < 2) return undefined;
  return keptIf(
    !isMerged(observation),
    `${sent.calls.length} calls: ${callLines(sent).join(" and ")}`,
    observation,
    "a finished call is lost",
  );
};

const mergedStops: Compare = (observation) => {
  const { played, sent, heard } = observation;
  if (played.kind !== "documented" || !isClaimed(sent) || !isClaimed(heard.turn)) return undefined;
  const [before, after] = [groupOf[sent.stopReason], groupOf[heard.turn.stopReason]];
  if (before === "failed" || after === "failed" || heard.status >= 400) return undefined;
  return keptIf(
    before === after,
    `${sent.stopReason}: upstream sent ${describeTurn(sent)}`,
    observation,
    "a stop reason is relabelled",
  );
};

const kindOf = (turn: Turn): ErrorKind | undefined =>
  "error" in turn ? turn.error.kind : undefined;

const sameRetry: Compare = (observation): Comparison | undefined => {
  const { played, sent, heard } = observation;
  const [before, after] = [kindOf(sent), kindOf(heard.turn)];
  if (played.kind !== "status" || before === undefined || after === undefined) return undefined;
  // A client that looks at the status alone sees no difference.
  if (heard.status === played.status) return undefined;
  const say = (kind: ErrorKind): string =>
    errorRules[kind].retry ? "a later attempt may succeed" : "a later attempt fails as well";
  const same = errorRules[before].retry === errorRules[after].retry;
  return {
    expected: `${say(before)} (${before})`,
    actual: same
      ? `${say(before)} (${before})`
      : `${say(after)} (${after}, status ${heard.status})`,
    severity: "a detail is lost",
  };
};

/** Clauses about two things that become one. */
export const mergeClauses: GatewayClauseTable = {
  "merge.calls": {
    rule: "Two calls do not become one.",
    level: "must",
    references: {
      "su-kaka/gcli2api#406": "parallel calls without ids and under one index became one",
    },
    question: askReplies(mergedCalls),
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
    level: "must",
    references: {
      "envoyproxy/ai-gateway#2121": "a refusal and a full context window were merged",
    },
    question: askReplies(mergedStops),
    mutants: {
      "says `length` for a filtered reply": replaceInReply(
        "openai-chat/text-only",
        '"finish_reason":"content_filter"',
        '"finish_reason":"length"',
      ),
    },
  },
  "merge.errors": {
    rule: "An error that a later attempt may cure does not leave as one that it cannot cure, nor the reverse.",
    level: "should",
    references: {
      "theopenco/llmgateway#1682":
        "an incomplete reply became a status 500, for which clients repeat the request",
    },
    question: askReplies(sameRetry),
    mutants: {
      "answers each error with the status 500": changeReply("openai-chat/status", (answer) =>
        answer.status === 200 ? answer : { ...answer, status: 500, text: '{"error":{}}' },
      ),
    },
  },
};
