import { askProbes, type GatewayClauseTable, type ProbeCheck } from "../clause.ts";
import { describeReply } from "../client.ts";
import { changeRelay } from "../mutants.ts";
import type { EarlyProbe, RequestProbes } from "../probes.ts";

type CompareTransfers = (probes: RequestProbes) => readonly ProbeCheck[];

const formArrives: CompareTransfers = ({ form }) =>
  form === undefined
    ? []
    : [{ at: "a form with a file", expected: form.sent, actual: form.arrived }];

function describeNext({ refused, next }: EarlyProbe): string {
  const { status, isReused, fault } = next.heard;
  if (status !== 200) return `gets ${fault ?? `the status ${status}`}`;
  return isReused || refused.heard.headers["connection"] === "close"
    ? "gets its reply"
    : "finds the connection closed without a word";
}

const answersAtOnce: CompareTransfers = ({ early }) =>
  early.map((probe) => {
    const { played, heard } = probe.refused;
    return {
      at: played.name,
      expected: `the status ${played.status}, and the next request gets its reply`,
      actual: `${heard.fault ?? `the status ${heard.status}`}, and the next request ${describeNext(probe)}`,
      output: `in front: ${describeReply(heard)}`,
    };
  });

const sentOnce: CompareTransfers = ({ kept }) =>
  kept.map(({ members, observation: { played, requests } }) => ({
    at: `a request with ${JSON.stringify(members)}, and ${played.name}`,
    expected: "sent once",
    actual: requests.length === 1 ? "sent once" : `sent ${requests.length} times`,
  }));

/** Clauses about what a gateway sends to upstream beside a request with tools, and how often. */
export const transferClauses: GatewayClauseTable = {
  "upstream.form": {
    rule: "A form arrives at upstream with its texts and its files, byte for byte, and its content type names its boundary.",
    references: {
      "ggml-org/llama.cpp#22044": "a router passed no form on",
      "diegosouzapw/OmniRoute#2842":
        "the content type of a form was lost with its boundary, and the provider refused the form",
    },
    question: askProbes(formArrives, "no form arrives at upstream"),
    mutants: {
      "calls a form JSON": changeRelay({ headers: { "content-type": "application/json" } }),
      "reads the bytes of a file as text": changeRelay({ readsTexts: true }),
    },
  },
  "upstream.early": {
    rule: "If upstream refuses a long request before it has read it, the client gets this answer at once, and its next request gets its reply.",
    references: {
      "envoyproxy/envoy#2929": "upstream answered with 413, and the client got a 503",
      "http-party/node-http-proxy#1677":
        "upstream answered with 401 before it had read the request, and the client got no answer",
    },
    question: askProbes(answersAtOnce, "no request of 16 MiB arrives at upstream"),
    mutants: {
      "breaks the connection if upstream answers early": changeRelay({ takesNoEarlyAnswer: true }),
      "takes an answer before the end of a request for a fault of upstream": changeRelay({
        answer: (answer) => (answer.status === 413 ? { ...answer, status: 502 } : answer),
      }),
    },
  },
  "upstream.once": {
    rule: "A request that the provider stores, or adds to a conversation, is sent once: if its reply breaks, the gateway does not send it again by itself.",
    references: {
      "HanaokaYuzu/Gemini-API#249":
        "the request was sent again when its reply broke, and the provider had two conversations",
      "https://developers.openai.com/api/docs/guides/conversation-state":
        "the provider stores each response, and adds the items of a request and of its reply to the conversation",
    },
    question: askProbes(sentOnce, "only Responses has conversations that the suite asks about"),
    mutants: {
      "sends a request again when its reply broke": changeRelay({
        protocol: "openai-responses",
        repeats: ({ broken }) => broken,
      }),
    },
  },
};
