import type { Reply, ReplyCall, Wire } from "@fullstop/conformance";
import {
  createReplyIds,
  renderAnswer,
  requestedCap,
  type ScriptedReply,
  withOtherInput,
} from "@fullstop/conformance/runner";
import { type Answer, type Received, type Serving, serve } from "@fullstop/conformance/server";
import { wires } from "@fullstop/conformance/wires";

/** A call in a scripted reply. `inputText` is what the model wrote, if it was cut. */
type SaidCall = Omit<ReplyCall, "id">;
/** What the model says. Without `stop`, the reply is finished. */
export interface Said {
  readonly text?: string;
  readonly calls?: readonly SaidCall[];
  readonly stop?: "length" | "refusal" | "content-filter";
  /** Tokens that the reply of Anthropic reports as read from the cache. */
  readonly cacheRead?: number;
  /** An HTTP status instead of a reply. */
  readonly status?: number;
}
/** A request to the model. */
export interface Asked {
  readonly wire: Wire;
  readonly path: string;
  /** The body as text, for scripts that look for what was sent. */
  readonly body: string;
  /** The results of calls in the request. */
  readonly results: readonly string[];
  readonly headers: Received["headers"];
}
/** What the model says to a request. `index` counts the requests to the model from 0. */
export type Script = (asked: Asked, index: number) => Said | Promise<Said>;

/** A server that plays the models of all providers, over their own protocols. */
export interface Model extends Serving {
  /** Where a request broke a rule of its vendor. */
  readonly violations: readonly string[];
}

/** Other requests, such as those to the API of a chat service. */
type Other = (request: Received) => object | Promise<object>;

export async function startModel(script: Script, other: Other = unexpected): Promise<Model> {
  const violations: string[] = [];
  let index = 0;
  const serving = await serve(async (request) => {
    const wire = Object.values(wires).find(({ agent }) => agent?.route.test(request.path));
    if (wire === undefined) return json(200, JSON.stringify(await other(request)));
    const body: unknown = JSON.parse(request.body);
    for (const { message } of wire.violations(body, request))
      violations.push(`${wire.name}: ${message}`);
    const results = wire.agent?.results(body).map(({ text }) => text) ?? [];
    const asked = {
      wire,
      path: request.path,
      headers: request.headers,
      body: request.body,
      results,
    };
    return giveOwnIds(render(asked, request, await script(asked, index++)), wire);
  });
  return { ...serving, violations };
}

/** No two replies of a provider have the same id. */
const replyIds = new Map(Object.values(wires).map((wire) => [wire, createReplyIds(wire)]));
const giveOwnIds = (answer: Answer, wire: Wire): Answer => replyIds.get(wire)?.(answer) ?? answer;

const unexpected: Other = ({ method, path }) => {
  throw new Error(`Unexpected: ${method} ${path}`);
};
const json = (status: number, text: string): Answer => ({
  status,
  headers: { "content-type": "application/json" },
  chunks: [new TextEncoder().encode(text)],
});

let calls = 0;
function render({ wire }: Asked, request: Received, said: Said): Answer {
  if (said.status !== undefined) {
    const failure = wire.failures?.find(({ status }) => status === said.status);
    return json(said.status, failure?.body ?? "{}");
  }
  const { stop = said.calls === undefined ? "stop" : "tool-use" } = said;
  const blocks: Reply["blocks"] = [
    ...(said.text === undefined ? [] : [{ text: said.text }]),
    ...(said.calls ?? []).map(({ name, input }) => ({ name, input, id: `call_${++calls}` })),
  ];
  const cap = requestedCap(request) ?? 32_000;
  const reply: Reply = {
    blocks,
    stop: wire.nativeStops[stop] ?? wire.nativeStops.stop ?? "",
    output: stop === "length" ? cap : 12,
  };
  const frames = wire.frames(reply);
  const upToTerminal = frames.upToTerminal.map((frame) =>
    frame.replace(
      '"cache_read_input_tokens":0',
      `"cache_read_input_tokens":${said.cacheRead ?? 0}`,
    ),
  );
  const whole = { frames: { ...frames, upToTerminal }, body: wire.whole?.(reply) };
  return renderAnswer(wire, request, (said.calls ?? []).reduce(cutInput, whole));
}

const cutInput = (reply: ScriptedReply, { input, inputText }: SaidCall): ScriptedReply =>
  inputText === undefined
    ? reply
    : (withOtherInput(reply, JSON.stringify(input), inputText) ?? reply);
