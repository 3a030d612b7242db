import type { Answer, Received, Wire } from "@fullstop/conformance";
import { finalAnswer, renderAnswer, requestedCap } from "@fullstop/conformance/runner";
import { type Serving, serve } from "@fullstop/conformance/server";
import { wires } from "@fullstop/conformance/wires";
import type { CoderWay } from "./coder.ts";
import { wholeReply } from "./reply.ts";
import type { Scenario } from "./scenarios.ts";

/** A provider on the loopback that plays one scenario. */
export interface FakeProvider extends Pick<Serving, "url" | "close"> {
  /** How many requests of the agent's conversation it answered. */
  count(): number;
  /** Whether such a request named an output cap. */
  namesCap(): boolean;
}

/** After these requests the provider says that the model is done, so that a run can end. */
const maxHazards = 60;

const notFound: Answer = {
  status: 404,
  headers: { "content-type": "application/json" },
  chunks: [new TextEncoder().encode('{"error":{"type":"not_found_error","message":"Not found."}}')],
};

const parse = (text: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
};

const hasResult = (wire: Wire, body: object, text: string): boolean =>
  (wire.agent?.results(body).length ?? 0) > 0 || text.includes('"custom_tool_call_output"');

/** Whether a request offers tools. Newer models of OpenAI get them in the input. */
const offersTools = (body: Readonly<Record<string, unknown>>, text: string): boolean =>
  (Array.isArray(body["tools"]) && body["tools"].length > 0) || text.includes('"additional_tools"');

/** The tools of a request. A request of another conversation, such as a subagent's, has others. */
const toolNames = (wire: Wire, body: object): string =>
  wire.agent
    ?.tools(body)
    .map(({ name }) => name)
    .join() ?? "";

function finish({ wire, final }: CoderWay, request: Received): Answer {
  if (final === undefined) return finalAnswer(wires[wire], request);
  const stop = wires[wire].nativeStops["tool-use"] ?? "";
  const reply = wholeReply({
    wire: wires[wire],
    action: final,
    id: "call_final",
    stop,
    output: 12,
  });
  return renderAnswer(wires[wire], request, reply);
}

/** Starts a provider. It answers each request by the protocol of the agent. */
export async function playScenario(way: CoderWay, scenario: Scenario): Promise<FakeProvider> {
  const wire = wires[way.wire];
  const { action } = way;
  let turns = 0;
  let hazards = 0;
  let namesCap = false;
  let conversation: string | undefined;
  const serving = await serve((request) => {
    if (request.method !== "POST" || !wire.agent?.route.test(request.path)) return notFound;
    const body = parse(request.body);
    const isTurn =
      action.form === "text" ||
      offersTools(body, request.body) ||
      hasResult(wire, body, request.body);
    if (isTurn) conversation ??= toolNames(wire, body);
    if (!isTurn || toolNames(wire, body) !== conversation) return finalAnswer(wire, request);
    turns++;
    namesCap ||= requestedCap(request) !== undefined;
    if (hasResult(wire, body, request.body) || hazards >= maxHazards) return finish(way, request);
    return scenario.answer({ protocol: way.wire, wire, action, request, index: hazards++ });
  });
  const { url, close } = serving;
  return { url, close, count: () => turns, namesCap: () => namesCap };
}
