import { framingOf } from "../framing/index.ts";
import { type Rendered, render, renderBody, utf8 } from "../harness/bytes.ts";
import { type Answer, jsonBody, type Received, type RequestHandler } from "../harness/host.ts";
import { nestedValues, tryParseJson } from "../harness/json.ts";
import { mapFrames, replaceInput } from "../harness/mutate.ts";
import { fewTokens, nativeStopForCalls } from "../harness/scenarios.ts";
import type { Frames, Reply, ReplyCall, Wire } from "../wire.ts";

/** A reply in the two forms that a request can ask for. */
export interface ScriptedReply {
  readonly frames: Frames;
  /** Absent if the protocol cannot send it as one JSON body. */
  readonly body?: string | undefined;
}

/** How the transfer of a reply ends. */
export interface Interruption {
  /** How many bytes are sent. */
  readonly length?: ((rendered: Rendered) => number) | undefined;
  readonly fault?: Answer["fault"];
}

export const asksForStream = (wire: Wire, request: Received): boolean =>
  wire.agent?.streams(request) ?? true;

/** The output cap of a request. */
export function requestedCap({ body }: Received): number | undefined {
  for (const value of nestedValues(tryParseJson(body))) {
    if (typeof value !== "object" || value === null) continue;
    for (const [key, inner] of Object.entries(value))
      if (typeof inner === "number" && isCapName(key)) return inner;
  }
  return undefined;
}
const isCapName = (key: string): boolean =>
  /^max(completion|output)?tokens$/.test(key.toLowerCase().replaceAll("_", ""));

const toScriptedReply = (wire: Wire, reply: Reply): ScriptedReply => ({
  frames: wire.frames(reply),
  body: wire.whole?.(reply),
});

/** The reply that ends a conversation: a text, or the final call of the agent. */
export function finalReply(wire: Wire): ScriptedReply {
  const call = wire.agent?.finalCall;
  return toScriptedReply(wire, {
    blocks: [call ?? { text: "All done." }],
    stop: (call === undefined ? wire.nativeStops.stop : nativeStopForCalls(wire)) ?? "",
    output: fewTokens,
  });
}

/** The same reply with another input. `undefined` if the protocol sends no inputs as text. */
export function withOtherInput(
  { frames, body }: ScriptedReply,
  from: string,
  to: string,
): ScriptedReply | undefined {
  const other = replaceInput(frames, from, to);
  if (other === undefined) return undefined;
  const otherBody =
    body === undefined ? undefined : replaceInput({ upToTerminal: [body] }, from, to);
  return { frames: other, body: otherBody?.upToTerminal[0] };
}

/** The answer to a request, in the form that it asks for. */
export function renderAnswer(
  wire: Wire,
  request: Received,
  { frames, body, length, fault }: ScriptedReply & Interruption,
): Answer {
  const streamed = asksForStream(wire, request);
  if (!streamed && body === undefined)
    throw new Error(
      `The wire ${wire.name} cannot send this reply as one JSON body: give it \`whole\`.`,
    );
  const rendered = streamed ? render(wire, frames) : renderBody(utf8(body ?? ""), 1);
  const bytes = rendered.bytes.subarray(0, length?.(rendered));
  return { chunks: [bytes], fault, headers: streamed ? framingOf(wire).headers : jsonBody };
}

/** The model's side of one run. After the last step the model says that it is done. */
export interface Script {
  /** Unique among all scripts. It never changes, so that expected failures can name it. */
  readonly id: string;
  /** What the model does, for readers. */
  readonly name: string;
  readonly steps: readonly RequestHandler[];
  /** The last step is repeated without end. */
  readonly repeatLast?: true;
  /**
   * The first request that brings a new result of a call ends the script: from then on the model
   * says that it is done. A last step that is repeated then answers at most ten requests.
   */
  readonly untilResult?: true;
  readonly expectedCalls: readonly ReplyCall[];
  /** A script that the subject must do right before anything follows if nothing runs by this one. */
  readonly premise?: Script | undefined;
}

/** What a script depends on. */
export interface ScriptContext {
  readonly wire: Wire;
  readonly calls: readonly [ReplyCall, ReplyCall, ReplyCall];
  /** A call with an input of more than 4 kB. Absent if the subject's tool takes no long text. */
  readonly longCall?: ReplyCall | undefined;
  /** Whether the subject's requests ask for a stream. */
  readonly streams: boolean;
  /** The output cap of the subject's requests. */
  readonly cap: number | undefined;
  /** Whether the subject offers tools of the provider, for which it may pause a turn. */
  readonly canPause?: boolean;
  /** Whether the subject's requests force a call: then its stop reason may be that of a text. */
  readonly forcesCall?: boolean;
  /** Whether its requests hold calls without the results of the calls. */
  readonly losesResults?: boolean;
}

/** The scripts of one kind that the protocol can express. */
export interface ScriptList {
  (context: ScriptContext): readonly Script[];
  /** Why the list is empty, if the protocol is not the reason. */
  whyEmpty?(context: ScriptContext): string | undefined;
}

/** Output tokens of a reply that was cut at the cap if the request names none: above any cap. */
export const aboveAnyCap = 1_000_000;

export const threeQuarters = (text: string): string =>
  text.slice(0, Math.floor((text.length * 3) / 4));

export const inputTextOf = ({ input, inputText }: ReplyCall): string =>
  inputText ?? JSON.stringify(input);

/** The first call, with the native stop reason of finished calls; `change` replaces members. */
export const renderReply = (
  { wire, calls: [call] }: ScriptContext,
  change: Partial<Reply> = {},
): ScriptedReply =>
  toScriptedReply(wire, {
    blocks: [call],
    stop: nativeStopForCalls(wire) ?? "",
    output: fewTokens,
    ...change,
  });

/** The first call with another text as its input. */
export const renderWithText = (
  context: ScriptContext,
  text: string,
  change?: Partial<Reply>,
): ScriptedReply | undefined =>
  withOtherInput(renderReply(context, change), inputTextOf(context.calls[0]), text);

/** The call with the long input, which lacks its last characters. */
export function renderLongCut(
  context: ScriptContext,
  change: Partial<Reply> = {},
): ScriptedReply | undefined {
  const { longCall } = context;
  if (longCall === undefined) return undefined;
  const text = inputTextOf(longCall);
  const whole = renderReply(context, { blocks: [longCall], ...change });
  return withOtherInput(whole, text, text.slice(0, -2));
}

/** Whether the protocol can send the reply in the form that the subject asks for. */
export const canRender = (
  { streams }: ScriptContext,
  reply: ScriptedReply | undefined,
): reply is ScriptedReply => reply !== undefined && (streams || reply.body !== undefined);

/** Answers each request with a reply, in the form that the request asks for. */
export const answering =
  (
    { wire }: ScriptContext,
    replyTo: (request: Received, index: number) => ScriptedReply & Interruption,
  ): RequestHandler =>
  (request, index) =>
    renderAnswer(wire, request, replyTo(request, index));

/** How a script is called. */
export type ScriptNames = Pick<Script, "id" | "name">;

export const answeredWith = (
  context: ScriptContext,
  names: ScriptNames,
  reply: ScriptedReply,
  expectedCalls: readonly ReplyCall[] = [],
): Script => ({ ...names, steps: [answering(context, () => reply)], expectedCalls });

/** The reply to request `index`: in each reply the calls have other ids. */
export function withIdsFor<Sent extends ScriptedReply>(
  { calls, longCall }: ScriptContext,
  reply: Sent,
  index: number,
): Sent {
  if (index === 0) return reply;
  const ids = [...calls, ...(longCall === undefined ? [] : [longCall])].map(({ id }) => id);
  const rename = (text: string): string =>
    ids.reduce((renamed, id) => renamed.replaceAll(id, `${id}_${index}`), text);
  const frames = mapFrames(reply.frames, rename);
  return { ...reply, frames, body: reply.body === undefined ? undefined : rename(reply.body) };
}

/**
 * A script with a reply after which no call may run. Retries get it too, until a request brings a
 * new result. Empty if the protocol cannot send the reply.
 */
export const nothingMayRun =
  (
    id: string,
    name: string,
    replyOf: (context: ScriptContext, output: number) => (ScriptedReply & Interruption) | undefined,
  ): ScriptList =>
  (context) => {
    if (!canRender(context, replyOf(context, aboveAnyCap))) return [];
    const step = answering(context, (request, index) => {
      // A reply that is cut at the cap has as many output tokens as the request allows.
      const reply = replyOf(context, requestedCap(request) ?? aboveAnyCap) ?? renderReply(context);
      return withIdsFor(context, reply, index);
    });
    return [{ id, name, steps: [step], repeatLast: true, untilResult: true, expectedCalls: [] }];
  };
