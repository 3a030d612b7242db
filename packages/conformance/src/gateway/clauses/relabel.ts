import type { Question } from "../../clause.ts";
import { cap, nativeStopForCalls } from "../../harness/scenarios.ts";
import { wires } from "../../wires/index.ts";
import { askReplies, type GatewayClauseTable, type RouteEvidence } from "../clause.ts";
import { changeReply, replaceInReply, replaceStop } from "../mutants.ts";
import {
  canSay,
  describeTurn,
  groupOf,
  hasWordForCalls,
  isClaimed,
  isComparable,
  isDocumentedAndFinished,
  leftUnfinished,
  lostCallOr,
  severityOfFinished,
} from "../outcome.ts";

const askRelabelled = (group: "limit" | "blocked" | "failed"): Question<RouteEvidence> =>
  askReplies({
    about: (seen) =>
      seen.played.kind === "documented" &&
      isClaimed(seen.sent) &&
      groupOf[seen.sent.stopReason] === group &&
      canSay(seen),
    expected: ({ sent }) => `not finished: upstream sent ${describeTurn(sent)}`,
    kept: leftUnfinished,
    severity: severityOfFinished,
  });

/** Clauses about stop reasons that become others. */
export const relabelClauses: GatewayClauseTable = {
  "relabel.limit": {
    rule: "A reply that was cut at a limit does not leave as finished.",
    references: {
      "BerriAI/litellm#25825, BerriAI/litellm#10768": "`length` was reported as `stop`",
      "NousResearch/hermes-agent#7693":
        "a client that guards itself against routers that rewrite `length` to `tool_calls`",
    },
    question: askRelabelled("limit"),
    mutants: {
      "says `tool_calls` for `length`": replaceStop("one-call", "length", "tool_calls"),
      "says `tool_calls` for `length` if the usage is below the cap": changeReply(
        "openai-chat/one-call-length",
        (answer) =>
          answer.text.includes(`"completion_tokens":${cap}`)
            ? answer
            : { ...answer, text: answer.text.replaceAll('"length"', '"tool_calls"') },
      ),
    },
  },
  "relabel.blocked": {
    rule: "A refused or filtered reply does not leave as finished.",
    references: { "envoyproxy/ai-gateway#2121": "unknown reasons became `stop` silently" },
    question: askRelabelled("blocked"),
    mutants: {
      "says `stop` for a filtered reply": replaceStop("text-only", "content_filter", "stop"),
    },
  },
  "relabel.failed": {
    rule: "A reply that upstream reports as paused, malformed or failed does not leave as finished.",
    references: {
      "Portkey-AI/gateway#1200, Portkey-AI/gateway#363": "unknown stop reasons became `stop`",
    },
    question: askRelabelled("failed"),
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
    references: { "theopenco/llmgateway#1682": "a reply became a status 500" },
    question: askReplies({
      about: isDocumentedAndFinished,
      expected: ({ sent }) => `finished: upstream sent ${describeTurn(sent)}`,
      kept: ({ heard }) => !isClaimed(heard.turn) || heard.status >= 400,
      severity: lostCallOr("a stop reason is relabelled"),
    }),
    mutants: {
      "says `length` for a finished reply": replaceStop("one-call", "tool_calls", "length"),
    },
  },
  "relabel.calls": {
    rule: "Calls leave with the native stop reason that asks for tools, if upstream sent it or has no other.",
    references: {
      "BerriAI/litellm#34692, BerriAI/litellm#22900":
        "calls left as `end_turn` or `stop`, and agents dropped them",
    },
    question: askReplies({
      about: (seen) => {
        const { sent, heard, route } = seen;
        return (
          isComparable(seen) &&
          sent.calls.length > 0 &&
          heard.turn.calls.length > 0 &&
          hasWordForCalls(route.front) &&
          sent.native?.stop === nativeStopForCalls(wires[route.behind])
        );
      },
      expected: ({ route }) => wires[route.front].nativeStops["tool-use"] ?? "",
      actual: ({ heard }) => heard.turn.native?.stop ?? "none",
      severity: "a stop reason is relabelled",
    }),
    mutants: { "says `stop` beside calls": replaceStop("one-call", "tool_calls", "stop") },
  },
};
