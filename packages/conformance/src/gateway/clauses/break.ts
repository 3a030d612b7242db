import { missingFrom } from "../../harness/second-reply.ts";
import { askReplies, type GatewayClauseTable } from "../clause.ts";
import { changeReply, replaceInReply } from "../mutants.ts";
import {
  type Compare,
  callLines,
  describeTurn,
  isClaimed,
  isDocumentedAndFinished,
  isReadable,
  keptIf,
  looksFinished,
  severityOfFinished,
} from "../outcome.ts";

const changedInputs: Compare = (observation) => {
  const { sent, heard } = observation;
  if (!isDocumentedAndFinished(observation) || !isReadable(observation)) return undefined;
  if (heard.turn.calls.length === 0) return undefined;
  return keptIf(
    missingFrom(callLines(heard.turn), callLines(sent)).length === 0,
    `only ${callLines(sent).join(" and ") || "text"}`,
    observation,
    "a call runs that must not",
  );
};

const repairedInput: Compare = (observation) => {
  if (observation.played.kind !== "invalid") return undefined;
  return keptIf(
    observation.heard.turn.calls.length === 0,
    `runs nothing: upstream sent the input ${observation.sent.withheld.map(({ inputText }) => JSON.stringify(inputText)).join(" and ")}`,
    observation,
    "a call runs that must not",
  );
};

const readableReply: Compare = (observation) => {
  if (!isDocumentedAndFinished(observation)) return undefined;
  const { sent, heard } = observation;
  const unread = !looksFinished(heard.turn) && !(isClaimed(heard.turn) && heard.status < 400);
  return keptIf(
    !unread,
    `a reply that can be read: upstream sent ${describeTurn(sent)}`,
    observation,
    sent.calls.length > 0 ? "a finished call is lost" : "a reply or a request is broken",
  );
};

const cutLeavesCut: Compare = (observation, { front, behind }) => {
  const { played, sent, heard } = observation;
  if (played.kind !== "cut" || looksFinished(sent)) return undefined;
  // A gateway that translates has passed the stop reason on before the connection ended.
  if (front !== behind && sent.native !== undefined) return undefined;
  return keptIf(
    !looksFinished(heard.turn),
    `not finished: ${played.name}`,
    observation,
    severityOfFinished(observation),
  );
};

const endsInTime: Compare = (observation) => {
  const { heard } = observation;
  return keptIf(
    heard.timedOut === undefined,
    "an end in time",
    observation,
    "a reply or a request is broken",
  );
};

/** The end of a finished reply in Chat Completions. */
const cleanEnd = '{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}';

/** Clauses about inputs, replies and connections that break. */
export const breakClauses: GatewayClauseTable = {
  "break.input": {
    rule: "A call that arrives has the name and the input that upstream sent, and comes once.",
    level: "must",
    references: {
      "experientiallabs/experiential#896":
        "inputs that were cut in the middle of a value left as completed",
    },
    question: askReplies(changedInputs),
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
    level: "must",
    references: {
      "maximhq/bifrost#4679": "cut bytes were parsed as valid but incomplete JSON",
    },
    question: askReplies(repairedInput),
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
    level: "must",
    references: {
      "maximhq/bifrost#6081": "`message_stop` was missing",
    },
    question: askReplies(readableReply),
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
    level: "must",
    references: {
      "BerriAI/litellm#32159": "a cut connection became a clean end",
      "Portkey-AI/gateway#1797": "upstream died, and the client saw a clean end",
    },
    question: askReplies(cutLeavesCut),
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
    level: "must",
    references: {
      "experientiallabs/experiential#758": "streams of relays stayed open or closed without an end",
    },
    question: askReplies(endsInTime),
    mutants: {
      "never ends a broken reply": changeReply("openai-chat/one-call/resets", (answer) =>
        answer.broken ? undefined : answer,
      ),
    },
  },
};
