import type { Turn } from "@fullstop/core";
import type { Question } from "../../clause.ts";
import { isFinished } from "../../harness/check.ts";
import { sameJson } from "../../harness/json.ts";
import { toolNames } from "../../harness/scenarios.ts";
import { unlistedStop } from "../../harness/word-replies.ts";
import { askReplies, type GatewayClauseTable, playedOnly, type RouteEvidence } from "../clause.ts";
import { changeReply, dropReplyEvents, replaceInReply } from "../mutants.ts";
import type { Observation } from "../observe.ts";
import {
  callLines,
  canSay,
  describeTurn,
  losesForeign,
  lostCallOr,
  translates,
} from "../outcome.ts";

/** Whether a reply finished, and all of its calls may run. */
const isWhole = ({ sent }: Observation): boolean => isFinished(sent) && sent.withheld.length === 0;

/** Whether a call is for a tool that the protocol defines itself, such as `apply_patch_call`. */
const callsOwnTool = ({ calls }: Turn): boolean =>
  calls.some(({ name }) => !toolNames.includes(name));

const isExact = ({ played, heard }: Observation): boolean =>
  Buffer.compare(played.bytes, heard.bytes) === 0;

/** The finished replies, and those of them that did not leave byte for byte. */
function exactReplies(
  evidence: RouteEvidence,
): Readonly<Record<"finished" | "others", readonly Observation[]>> {
  const finished = playedOnly(evidence).filter(
    ({ sent, reachesCap }) => isFinished(sent) && !reachesCap,
  );
  return { finished, others: finished.filter((observation) => !isExact(observation)) };
}

/** How many finished replies left byte for byte is a note, and never a failure. */
function whyNotExact(evidence: RouteEvidence): string | undefined {
  if (evidence.route.front !== evidence.route.behind)
    return "a gateway that translates writes every reply anew";
  const { finished, others } = exactReplies(evidence);
  if (finished.length > 0 && others.length === 0) return undefined;
  const named = others.slice(0, 5).map(({ played }) => played.id);
  const more = others.length > named.length ? ", …" : "";
  return `a note: ${finished.length - others.length} of ${finished.length} finished replies left byte for byte; others are ${named.join(", ")}${more}`;
}

const askExact: Question<RouteEvidence> = {
  whyNotAsked: whyNotExact,
  async *check(evidence) {
    for (const { played } of exactReplies(evidence).finished)
      yield {
        at: played.name,
        id: played.id,
        expected: "the same bytes",
        actual: "the same bytes",
      };
  },
};

/** A gateway that reads no stop reason of a body but those that it knows. */
const sayToolCalls = (reply: string, word: string): ReturnType<typeof changeReply> =>
  changeReply(`openai-chat/${reply}`, (answer) =>
    answer.text.startsWith("{")
      ? {
          ...answer,
          text: answer.text.replace(`"finish_reason":${word}`, '"finish_reason":"tool_calls"'),
        }
      : answer,
  );

/** Clauses about replies in the words of other hosts, and about bytes. */
export const variantClauses: GatewayClauseTable = {
  "variant.finished": {
    rule: "A finished reply in the words of another host of the protocol arrives with its calls and its text.",
    level: "should",
    references: {
      "vllm-project/vllm#9053": "hosts of one protocol number, name and end calls differently",
    },
    question: askReplies({
      about: (seen) =>
        seen.played.kind === "variant" &&
        isWhole(seen) &&
        !seen.reachesCap &&
        !losesForeign(seen) &&
        !(translates(seen) && callsOwnTool(seen.sent)),
      expected: ({ sent }) => `${describeTurn(sent)}, with the text ${JSON.stringify(sent.text)}`,
      kept: ({ sent, heard: { turn } }) =>
        isFinished(turn) && sameJson(callLines(sent), callLines(turn)) && sent.text === turn.text,
      severity: lostCallOr("a detail is lost"),
    }),
    mutants: {
      "loses the second call of a reply in the words of another host": dropReplyEvents(
        "openai-chat/two-parallel-calls-under-the-stop-reason",
        '"tool_calls":[{"index":1',
      ),
    },
  },
  "variant.unfinished": {
    rule: "No call of a reply that is unfinished, contradictory or incomplete in the words of another host can run.",
    level: "should",
    references: {
      "experientiallabs/experiential#896": "relays forwarded cut inputs as completed ones",
    },
    question: askReplies({
      // A stop sequence after a call has the native stop reason of a finished text in other protocols.
      about: (seen) =>
        seen.played.kind === "variant" &&
        !isWhole(seen) &&
        !(translates(seen) && isFinished(seen.sent)) &&
        canSay(seen) &&
        (seen.sent.stopReason !== "unknown" || seen.sent.native?.stop === unlistedStop),
      expected: ({ sent }) => `runs nothing: upstream sent ${describeTurn(sent)}`,
      kept: ({ heard }) => heard.turn.calls.length === 0,
      severity: "a call runs that must not",
    }),
    mutants: {
      "says `tool_calls` for a body without a stop reason": sayToolCalls(
        "one-call-no-stop-reason",
        "null",
      ),
      "says `tool_calls` for a stop reason that it does not know": sayToolCalls(
        "one-call-a-stop-reason",
        JSON.stringify(unlistedStop),
      ),
      "says `tool_use` for the stop reason of another host": replaceInReply(
        "anthropic/one-call-content-filter",
        /"stop_reason":"[a-z_]+"/g,
        '"stop_reason":"tool_use"',
      ),
    },
  },
  "exact.bytes": {
    rule: "In one protocol, a finished reply leaves byte for byte.",
    level: "should",
    references: {
      "https://html.spec.whatwg.org/multipage/server-sent-events.html":
        "unknown fields survive only if a gateway does not write the reply anew",
    },
    question: askExact,
    mutants: {
      "adds a comment to each reply": changeReply("openai-chat/text-only", (answer) => ({
        ...answer,
        text: `: gateway\n\n${answer.text}`,
      })),
    },
  },
};
