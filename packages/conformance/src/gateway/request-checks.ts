import type { Check } from "../harness/check.ts";
import type { Received } from "../harness/host.ts";
import { isObject, nestedValues, tryParseJson } from "../harness/json.ts";
import { cap } from "../harness/scenarios.ts";
import { requestedCap } from "../loop/script.ts";
import type { Wire } from "../wire.ts";
import { wires } from "../wires/index.ts";
import { simpleReply } from "./corpus.ts";
import { ask, type Observation, type ReadyRoute } from "./observe.ts";
import type { Severity } from "./outcome.ts";
import { instructions, toolNames, toolProperties } from "./requests.ts";
import type { GatewayClauseId } from "./rules.ts";

/** A clause about what arrives at upstream. */
type RequestClauseId = Exclude<Extract<GatewayClauseId, `upstream.${string}`>, "upstream.sent">;

/** The requests of a route that are looked at, as they arrived at upstream. */
export interface RequestProbes {
  /** A request with instructions, tools and a cap. */
  readonly first: Observation;
  /** The same with the older name of the cap, if the protocol in front has one. */
  readonly olderCap?: Observation;
  /** A request with the results of two calls. */
  readonly results?: Observation;
}

/** The older name of the cap in Chat Completions. */
const olderCapMember = "max_tokens";
const resultOf = (name: string): string => `The result of ${name}.`;

/** Sends the requests. The results answer the calls that came out in front. */
export async function probeRequests(route: ReadyRoute): Promise<RequestProbes> {
  const first = await ask(route, simpleReply(route.behind, false));
  const olderCap =
    route.front === "openai-chat"
      ? await ask(route, simpleReply(route.behind, false), { capMember: olderCapMember })
      : undefined;
  const { heard } = await ask(route, simpleReply(route.behind, true));
  const blocks = (heard.turn.message?.content ?? []).filter((block) => block.type === "tool-call");
  const answered = heard.turn.calls.map(({ id, name, input }) => ({
    id: blocks.find((block) => block.id === id)?.nativeId ?? id,
    name,
    input,
    result: resultOf(name),
  }));
  const results =
    answered.length < 2
      ? undefined
      : await ask(route, simpleReply(route.behind, false), { answered });
  return { first, ...(olderCap && { olderCap }), ...(results && { results }) };
}

/** What is compared, and how bad a difference is. */
interface Expectation {
  readonly at: string;
  readonly expected: string;
  readonly actual: string;
  readonly severity: Severity;
}
type RequestCompare = (probes: RequestProbes, route: ReadyRoute) => readonly Expectation[];

const arrivedAt = ({ requests }: Observation): Received | undefined => requests.at(-1);
const bodyOf = (observation: Observation): unknown =>
  toCamelCase(tryParseJson(arrivedAt(observation)?.body ?? ""));

/** The members of Gemini's requests that its API also accepts in snake case. */
const snakeMembers: ReadonlySet<string> = new Set([
  "function_call",
  "function_calling_config",
  "function_declarations",
  "function_response",
  "generation_config",
  "max_output_tokens",
  "parameters_json_schema",
  "system_instruction",
  "thought_signature",
  "tool_config",
]);

/** The value with these members in camel case. The other protocols do not have them. */
function toCamelCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toCamelCase);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      snakeMembers.has(key)
        ? key.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())
        : key,
      toCamelCase(inner),
    ]),
  );
}

const broken = "a reply or a request is broken";

const capOf = (at: string, observation: Observation): Expectation => {
  const request = arrivedAt(observation);
  const arrived = request === undefined ? undefined : requestedCap(request);
  return { at, expected: String(cap), actual: String(arrived ?? "no cap"), severity: broken };
};

/** The calls in a request body, with the id that they have in it. */
function callsIn(body: unknown): readonly { readonly id: string; readonly name: string }[] {
  return [...nestedValues(body)].flatMap((value) => {
    if (!isObject(value)) return [];
    const inner = [value["function"], value["functionCall"]].find(isObject) ?? value;
    const hasInput = ["arguments", "input", "args"].some((key) => Object.hasOwn(inner, key));
    const { name } = inner;
    const id = value["call_id"] ?? value["id"] ?? inner["id"] ?? name;
    return hasInput && typeof name === "string" ? [{ id: String(id), name }] : [];
  });
}

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
    return { at: `the result of ${name}`, expected, actual, severity: broken };
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
      severity: broken,
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
    severity: broken,
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
    severity: broken,
  }));

const compares: Readonly<Record<RequestClauseId, RequestCompare>> = {
  "upstream.cap": ({ first, olderCap }, { front }) => [
    capOf(front === "openai-chat" ? "max_completion_tokens" : "the output cap", first),
    ...(olderCap === undefined ? [] : [capOf(olderCapMember, olderCap)]),
  ],
  "upstream.prompt": promptArrives,
  "upstream.tools": toolsArrive,
  "upstream.results": resultsArrive,
  "upstream.valid": validRequests,
};

export const isRequestClause = (id: string): id is RequestClauseId => Object.hasOwn(compares, id);

/** The checks of a clause about requests. */
export const requestChecks = (
  id: RequestClauseId,
  probes: RequestProbes,
  route: ReadyRoute,
): readonly Check[] =>
  compares[id](probes, route).map(({ severity, ...check }) => ({
    ...check,
    id: `${route.front}/${check.at.replaceAll(/[^a-z0-9]+/gi, "-")}`,
    ...(check.expected !== check.actual && {
      severity,
      bytes: `upstream received: ${arrivedAt(probes.results ?? probes.first)?.body.slice(0, 600) ?? "nothing"}`,
    }),
  }));
