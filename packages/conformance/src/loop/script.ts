import type { RequestHandler } from "../harness/host.ts";
import { fewTokens, nativeStopForCalls } from "../harness/scenarios.ts";
import type { Reply, ReplyCall, Wire } from "../wire.ts";
import {
  type Interruption,
  renderAnswer,
  requestedCap,
  type ScriptedReply,
  toScriptedReply,
  withOtherInput,
} from "./responses.ts";

/** The model's side of one run. After the last step the model says that it is done. */
export interface Script {
  /** Unique among all scripts. */
  readonly name: string;
  /** What answers each request. */
  readonly steps: readonly RequestHandler[];
  /** The last step is repeated without end. */
  readonly repeatLast?: true;
  /** The calls that must run. */
  readonly expectedCalls: readonly ReplyCall[];
}

/** What a script depends on. */
export interface ScriptContext {
  readonly wire: Wire;
  readonly calls: readonly [ReplyCall, ReplyCall];
  /** Whether the subject's requests ask for a stream. */
  readonly streams: boolean;
  /** The output cap of the subject's requests. */
  readonly cap: number | undefined;
}

/** The scripts of one kind that the protocol can express. */
export type ScriptList = (context: ScriptContext) => readonly Script[];

/** Output tokens of a reply that was cut at the cap if the request names none: above any cap that a host may set. */
export const aboveAnyCap = 1_000_000;

export const inputTextOf = ({ input }: ReplyCall): string => JSON.stringify(input);

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

/** Whether the protocol can send the reply in the form that the subject asks for. */
export const canRender = (
  { streams }: ScriptContext,
  reply: ScriptedReply | undefined,
): reply is ScriptedReply => reply !== undefined && (streams || reply.body !== undefined);

/** A script with one reply after which no call may run. Empty if the protocol cannot send it. */
export const nothingMayRun = (
  context: ScriptContext,
  name: string,
  reply: (ScriptedReply & Interruption) | undefined,
): readonly Script[] =>
  canRender(context, reply)
    ? [
        {
          name,
          steps: [(request) => renderAnswer(context.wire, request, reply)],
          expectedCalls: [],
        },
      ]
    : [];

/** A script with one reply whose output tokens reach the cap of the request. No call may run. */
export function nothingMayRunAtCap(
  context: ScriptContext,
  name: string,
  replyWith: (output: number) => ScriptedReply | undefined,
): readonly Script[] {
  if (!canRender(context, replyWith(aboveAnyCap))) return [];
  const step: RequestHandler = (request) => {
    const reply = replyWith(requestedCap(request) ?? aboveAnyCap) ?? renderReply(context);
    return renderAnswer(context.wire, request, reply);
  };
  return [{ name, steps: [step], expectedCalls: [] }];
}

/** Like `nothingMayRun`, with changed events. Only for subjects that ask for streams. */
export const nothingMayRunOfStream = (
  context: ScriptContext,
  name: string,
  change: (reply: ScriptedReply) => ScriptedReply & Interruption,
): readonly Script[] =>
  context.streams ? nothingMayRun(context, name, change(renderReply(context))) : [];
