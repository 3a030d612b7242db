import { wires } from "../../wires/index.ts";
import { askReplies, type GatewayClauseTable } from "../clause.ts";
import { replaceInReply } from "../mutants.ts";
import {
  type Compare,
  canSay,
  describeTurn,
  groupOf,
  hasWordForCalls,
  isClaimed,
  isDocumentedAndFinished,
  isReadable,
  keptIf,
  looksFinished,
  severityOfFinished,
} from "../outcome.ts";

const relabelled =
  (group: "limit" | "blocked" | "failed"): Compare =>
  (observation, route) => {
    const { played, sent, heard } = observation;
    if (played.kind !== "documented" || !isClaimed(sent)) return undefined;
    if (groupOf[sent.stopReason] !== group || !canSay(route, sent.stopReason)) return undefined;
    return keptIf(
      !looksFinished(heard.turn),
      `not finished: upstream sent ${describeTurn(sent)}`,
      observation,
      severityOfFinished(observation),
    );
  };

const finishedLeavesFinished: Compare = (observation) => {
  if (!isDocumentedAndFinished(observation)) return undefined;
  const { sent, heard } = observation;
  const claimsOther = isClaimed(heard.turn) && heard.status < 400;
  return keptIf(
    !claimsOther,
    `finished: upstream sent ${describeTurn(sent)}`,
    observation,
    sent.calls.length > 0 ? "a finished call is lost" : "a stop reason is relabelled",
  );
};

const wordForCalls: Compare = (observation, { front, behind }) => {
  const { sent, heard } = observation;
  if (!isDocumentedAndFinished(observation) || !isReadable(observation)) return undefined;
  if (sent.calls.length === 0 || heard.turn.calls.length === 0) return undefined;
  const { nativeStops } = wires[behind];
  if (
    !hasWordForCalls(front) ||
    sent.native?.stop !== (nativeStops["tool-use"] ?? nativeStops.stop)
  )
    return undefined;
  const expected = wires[front].nativeStops["tool-use"] ?? "";
  const actual = heard.turn.native?.stop ?? "none";
  return { expected, actual, severity: "a stop reason is relabelled" };
};

/** Clauses about stop reasons that become others. */
export const relabelClauses: GatewayClauseTable = {
  "relabel.limit": {
    rule: "A reply that was cut at a limit does not leave as finished.",
    level: "must",
    references: {
      "BerriAI/litellm#25825, BerriAI/litellm#10768": "`length` was reported as `stop`",
      "NousResearch/hermes-agent#7693":
        "a client that guards itself against routers that rewrite `length` to `tool_calls`",
    },
    question: askReplies(relabelled("limit")),
    mutants: {
      "says `tool_calls` for `length`": replaceInReply(
        "openai-chat/one-call",
        '"finish_reason":"length"',
        '"finish_reason":"tool_calls"',
      ),
    },
  },
  "relabel.blocked": {
    rule: "A refused or filtered reply does not leave as finished.",
    level: "must",
    references: {
      "envoyproxy/ai-gateway#2121": "unknown reasons became `stop` silently",
    },
    question: askReplies(relabelled("blocked")),
    mutants: {
      "says `stop` for a filtered reply": replaceInReply(
        "openai-chat/text-only",
        '"finish_reason":"content_filter"',
        '"finish_reason":"stop"',
      ),
    },
  },
  "relabel.failed": {
    rule: "A reply that upstream reports as paused, malformed or failed does not leave as finished.",
    level: "must",
    references: {
      "Portkey-AI/gateway#1200, Portkey-AI/gateway#363": "unknown stop reasons became `stop`",
    },
    question: askReplies(relabelled("failed")),
    mutants: {
      "says `tool_use` for a paused reply": replaceInReply(
        "anthropic/one-call-pause",
        '"stop_reason":"pause_turn"',
        '"stop_reason":"tool_use"',
      ),
    },
  },
  "relabel.finished": {
    rule: "A finished reply leaves as finished.",
    level: "must",
    references: {
      "theopenco/llmgateway#1682": "a reply became a status 500",
    },
    question: askReplies(finishedLeavesFinished),
    mutants: {
      "says `length` for a finished reply": replaceInReply(
        "openai-chat/one-call",
        '"finish_reason":"tool_calls"',
        '"finish_reason":"length"',
      ),
    },
  },
  "relabel.calls": {
    rule: "Calls leave with the native stop reason that asks for tools, if upstream sent it or has no other.",
    level: "must",
    references: {
      "BerriAI/litellm#34692, BerriAI/litellm#22900":
        "calls left as `end_turn` or `stop`, and agents dropped them",
    },
    question: askReplies(wordForCalls),
    mutants: {
      "says `stop` beside calls": replaceInReply(
        "openai-chat/one-call",
        '"finish_reason":"tool_calls"',
        '"finish_reason":"stop"',
      ),
    },
  },
};
