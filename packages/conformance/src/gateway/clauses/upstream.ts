import type { Question } from "../../clause.ts";
import { isObject, nestedValues } from "../../harness/json.ts";
import { cap, toolNames, toolProperties } from "../../harness/scenarios.ts";
import { requestedCap } from "../../loop/script.ts";
import type { Wire } from "../../wire.ts";
import { wires } from "../../wires/index.ts";
import {
  askChecks,
  askProbes,
  brokenRequest,
  type GatewayClauseTable,
  type ProbeCheck,
  type RouteEvidence,
  replyCheck,
} from "../clause.ts";
import { changeRequest } from "../mutants.ts";
import { arrivedAt, bodyOf, callsIn, type Observation, type ReadyRoute } from "../observe.ts";
import { olderCapMember, type RequestProbes, resultOf } from "../probes.ts";
import { instructions } from "../requests.ts";

type RequestCompare = (probes: RequestProbes, route: ReadyRoute) => readonly ProbeCheck[];

const capOf = (at: string, observation: Observation): ProbeCheck => {
  const request = arrivedAt(observation);
  const arrived = request === undefined ? undefined : requestedCap(request);
  return { at, expected: String(cap), actual: String(arrived ?? "no cap") };
};

const resultsArrive: RequestCompare = ({ results }, { behind }) => {
  if (results === undefined) return [];
  const body = bodyOf(results);
  const sent = wires[behind].agent?.results(body) ?? [];
  const calls = callsIn(body);
  return ["read", "write"].map((name) => {
    const found = sent.find(({ text }) => text.includes(resultOf(name)));
    const call = found && calls.find(({ id, name: other }) => [id, other].includes(found.call));
    const expected = `${resultOf(name)} answers a call of ${name}`;
    const actual =
      found === undefined
        ? `${resultOf(name)} did not arrive`
        : `${resultOf(name)} answers ${call === undefined ? `${found.call}, which is not a call of the request` : `a call of ${call.name}`}`;
    return { at: `the result of ${name}`, expected, actual };
  });
};

const toolsArrive: RequestCompare = ({ first }, { behind }) => {
  const body = bodyOf(first);
  const tools = wires[behind].agent?.tools(body) ?? [];
  return toolNames.map((name) => {
    const properties = Object.keys(toolProperties[name] ?? {});
    const schema = tools.find((tool) => tool.name === name)?.inputSchema;
    const keys = new Set(
      [...nestedValues(schema)].flatMap((value) => (isObject(value) ? Object.keys(value) : [])),
    );
    const missing = properties.filter((key) => !keys.has(key));
    const expected = `${name}(${properties.join(", ")})`;
    const actual =
      schema === undefined && !tools.some((tool) => tool.name === name)
        ? "the tool did not arrive"
        : `${name} without ${missing.join(", ")}`;
    return {
      at: `the tool ${name}`,
      expected,
      actual: missing.length === 0 && actual !== "the tool did not arrive" ? expected : actual,
    };
  });
};

const promptArrives: RequestCompare = ({ first }) => {
  const strings = [...nestedValues(bodyOf(first))].filter((value) => typeof value === "string");
  return [
    ["the instructions", instructions],
    ["the message", "Go. [reply "],
  ].map(([at = "", text = ""]) => ({
    at,
    expected: text,
    actual: strings.some((value) => value.includes(text)) ? text : "did not arrive",
  }));
};

const violationsIn = (observation: Observation, wire: Wire): string =>
  wire
    .violations(bodyOf(observation), arrivedAt(observation))
    .filter(({ level = "must" }) => level === "must")
    .map(({ message }) => message)
    .join("; ");

const validRequests: RequestCompare = ({ first, results }, { behind }) =>
  [
    { at: "a request with tools", observation: first },
    // A signature of Gemini cannot be said in the other protocols.
    ...(results === undefined || behind === "gemini"
      ? []
      : [{ at: "a request with results", observation: results }]),
  ].map(({ at, observation }) => ({
    at,
    expected: "no rule of the vendor is broken",
    actual: violationsIn(observation, wires[behind]) || "no rule of the vendor is broken",
  }));

const capArrives: RequestCompare = ({ first, olderCap }, { front }) => [
  capOf(front === "openai-chat" ? "max_completion_tokens" : "the output cap", first),
  ...(olderCap === undefined ? [] : [capOf(olderCapMember, olderCap)]),
];

/** A failure shows the request as it arrived. */
const askRequests = (compare: RequestCompare): Question<RouteEvidence> =>
  askProbes((probes, route) => {
    const body = arrivedAt(probes.results ?? probes.first)?.body.slice(0, 600) ?? "nothing";
    return compare(probes, route).map((one) => ({ ...one, bytes: `upstream received: ${body}` }));
  });

const askSent = askChecks(({ observations }) =>
  observations.map((observation) => {
    const expected = "a request at upstream";
    const actual = observation.requests.length > 0 ? expected : "no request at upstream";
    return replyCheck(observation, { expected, actual, severity: brokenRequest });
  }),
);

export const upstreamClauses: GatewayClauseTable = {
  "upstream.sent": {
    rule: "Every request arrives at upstream.",
    references: {
      "https://developers.openai.com/api/docs/guides/error-codes":
        "an answer that upstream did not give cannot be compared with one",
    },
    question: askSent,
    mutants: {
      "answers requests that do not stream itself": changeRequest((body) =>
        body.includes('"stream":true') ? body : undefined,
      ),
    },
  },
  "upstream.cap": {
    rule: "The output cap arrives at upstream.",
    references: {
      "mattmezza/humux#77":
        "a cap that was not requested, and thirty loops; a reader compares with what it sent",
    },
    question: askRequests(capArrives),
    mutants: {
      "drops the cap": changeRequest((body) =>
        body.replaceAll(/"max_completion_tokens":\d+,/g, ""),
      ),
    },
  },
  "upstream.prompt": {
    rule: "Instructions and messages arrive at upstream.",
    references: {
      "https://platform.claude.com/docs/en/api/messages":
        "the model knows only what the request says",
    },
    question: askRequests(promptArrives),
    mutants: {
      "drops the instructions": changeRequest((body) =>
        body.replaceAll("must reach the model", ""),
      ),
    },
  },
  "upstream.tools": {
    rule: "Every tool arrives at upstream, with its properties.",
    references: {
      "https://platform.claude.com/docs/en/agents-and-tools/tool-use/implement-tool-use":
        "the model writes inputs by the schema that it gets",
    },
    question: askRequests(toolsArrive),
    mutants: {
      "drops a tool": changeRequest((body) => body.replaceAll('"name":"save"', '"name":"other"')),
    },
  },
  "upstream.results": {
    rule: "Each result arrives at upstream with the id or the name of its call.",
    references: {
      "https://platform.claude.com/docs/en/agents-and-tools/tool-use/implement-tool-use":
        "vendors refuse a result whose call is not in the message before it",
    },
    question: askRequests(resultsArrive),
    mutants: {
      "changes the ids of results": changeRequest((body) =>
        body.replaceAll('"tool_call_id":"call_', '"tool_call_id":"other_'),
      ),
    },
  },
  "upstream.valid": {
    rule: "A valid request arrives at upstream as a valid request.",
    references: {
      "https://platform.claude.com/docs/en/api/errors": "vendors refuse others with the status 400",
    },
    question: askRequests(validRequests),
    mutants: {
      "calls the tools by a type that does not exist": changeRequest((body) =>
        body.replaceAll('"type":"function"', '"type":"tool"'),
      ),
    },
  },
};
