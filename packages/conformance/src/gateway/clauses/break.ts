import { isFinished } from "../../harness/check.ts";
import { missingFrom } from "../../harness/second-reply.ts";
import { askReplies, type GatewayClauseTable } from "../clause.ts";
import { changeReply, replaceInReply } from "../mutants.ts";
import {
  callLines,
  describeTurn,
  isClaimed,
  isComparable,
  isDocumentedAndFinished,
  leftUnfinished,
  lostCallOr,
  severityOfFinished,
  translates,
} from "../outcome.ts";

/** The end of a finished reply in Chat Completions. */
const cleanEnd = '{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}';

export const breakClauses: GatewayClauseTable = {
  "break.input": {
    rule: "A call that arrives has the name and the input that upstream sent, and comes once.",
    references: {
      "experientiallabs/experiential#896":
        "inputs that were cut in the middle of a value left as completed",
    },
    question: askReplies({
      about: (seen) => isComparable(seen) && seen.heard.turn.calls.length > 0,
      expected: ({ sent }) => `only ${callLines(sent).join(" and ") || "text"}`,
      kept: ({ sent, heard }) => missingFrom(callLines(heard.turn), callLines(sent)).length === 0,
      severity: "a call runs that must not",
    }),
    mutants: {
      "changes an input": replaceInReply(
        "openai-chat/one-call",
        "/srv/notes.txt",
        "/srv/other.txt",
      ),
    },
  },
  "break.repair": {
    rule: "An input that is not valid does not become a call that runs.",
    references: { "maximhq/bifrost#4679": "cut bytes were parsed as valid but incomplete JSON" },
    question: askReplies({
      about: ({ played }) => played.kind === "invalid",
      expected: ({ sent }) =>
        `runs nothing: upstream sent the input ${sent.withheld.map(({ inputText }) => JSON.stringify(inputText)).join(" and ")}`,
      kept: ({ heard }) => heard.turn.calls.length === 0,
      severity: "a call runs that must not",
    }),
    mutants: {
      "closes an input": replaceInReply(
        "openai-chat/invalid-input",
        '{"arguments":"/srv/note"}',
        '{"arguments":"/srv/note\\"}"}',
      ),
    },
  },
  "break.reply": {
    rule: "A finished reply leaves in a form that a strict reader of the protocol accepts.",
    references: { "maximhq/bifrost#6081": "`message_stop` was missing" },
    question: askReplies({
      about: isDocumentedAndFinished,
      expected: ({ sent }) => `a reply that can be read: upstream sent ${describeTurn(sent)}`,
      kept: (seen) =>
        !leftUnfinished(seen) || (isClaimed(seen.heard.turn) && seen.heard.status < 400),
      severity: lostCallOr("a reply or a request is broken"),
    }),
    mutants: {
      "sends broken JSON": replaceInReply(
        "openai-chat/text-only",
        '"finish_reason":"stop"',
        '"finish_reason":stop',
      ),
    },
  },
  "break.cut": {
    rule: "A reply whose connection ended too early does not leave as finished.",
    references: {
      "BerriAI/litellm#32159": "a cut connection became a clean end",
      "Portkey-AI/gateway#1797": "upstream died, and the client saw a clean end",
    },
    question: askReplies({
      // A gateway that translates has passed the stop reason on before the connection ended.
      about: (seen) =>
        seen.played.kind === "cut" &&
        !isFinished(seen.sent) &&
        !(translates(seen) && seen.sent.native !== undefined),
      expected: ({ played }) => `not finished: ${played.name}`,
      kept: leftUnfinished,
      severity: severityOfFinished,
    }),
    mutants: {
      "ends a broken reply cleanly": changeReply("openai-chat/text-only", (answer) => {
        if (!answer.broken) return answer;
        const whole = answer.text.slice(0, answer.text.lastIndexOf("\n\n"));
        return {
          ...answer,
          broken: false,
          text: `${whole}\n\ndata: ${cleanEnd}\n\ndata: [DONE]\n\n`,
        };
      }),
    },
  },
  "break.open": {
    rule: "The reply in front ends when upstream has ended.",
    references: {
      "experientiallabs/experiential#758": "streams of relays stayed open or closed without an end",
    },
    question: askReplies({
      about: () => true,
      expected: () => "an end in time",
      kept: ({ heard }) => heard.timedOut === undefined,
      severity: "a reply or a request is broken",
    }),
    mutants: {
      "never ends a broken reply": changeReply("openai-chat/one-call/resets", (answer) =>
        answer.broken ? undefined : answer,
      ),
    },
  },
};
