import { jsonAnswer } from "../harness/bytes.ts";
import type { Received, RequestHandler } from "../harness/host.ts";
import { tryParseJson } from "../harness/json.ts";
import type { ReplyCall } from "../wire.ts";
import { completeReplies } from "./complete-scripts.ts";
import { resets } from "./cut-scripts.ts";
import {
  aboveAnyCap,
  canRender,
  finalReply,
  inputTextOf,
  renderAnswer,
  renderReply,
  renderWithText,
  requestedCap,
  type Script,
  type ScriptContext,
  type ScriptedReply,
  type ScriptList,
  withIdsFor,
} from "./script.ts";

/** The same call, with another id for each request. */
const repeatedCall = ({ calls: [call] }: ScriptContext, index: number): readonly ReplyCall[] => [
  { ...call, id: `${call.id}_${index}` },
];

/** Every reply is cut at the cap. */
export const endlessCuts: ScriptList = (context) => {
  const stop = context.wire.nativeStops.length;
  if (stop === undefined) return [];
  const cutText = inputTextOf(context.calls[0]).slice(0, -1);
  const replyTo = (request: Received, index: number): ScriptedReply => {
    const output = requestedCap(request) ?? aboveAnyCap;
    const change = { stop, output, blocks: repeatedCall(context, index) };
    const withCutInput = renderWithText(context, cutText, change);
    return canRender(context, withCutInput) ? withCutInput : renderReply(context, change);
  };
  return [
    {
      id: "endless-cuts",
      name: "a call cut at the cap, for ever",
      steps: [(request, index) => renderAnswer(context.wire, request, replyTo(request, index))],
      repeatLast: true,
      expectedCalls: [],
    },
  ];
};

/** Every reply is the same complete call. */
export const endlessCalls: ScriptList = (context) => [
  {
    id: "endless-calls",
    name: "the same call, for ever",
    steps: [
      (request, index) =>
        renderAnswer(
          context.wire,
          request,
          renderReply(context, { blocks: repeatedCall(context, index) }),
        ),
    ],
    repeatLast: true,
    expectedCalls: [context.calls[0]],
  },
];

/**
 * The connection breaks behind a whole call. Who asks again gets a complete reply: with the same
 * call, or with another one.
 */
export const brokenThenComplete: ScriptList = (context) => {
  const [broken] = resets(context);
  if (broken === undefined) return [];
  const { wire, calls } = context;
  const script = (id: string, retried: string, call: ReplyCall): Script => ({
    id,
    name: `one call, then a reset; the retry gets ${retried}, complete`,
    steps: [
      ...broken.steps,
      (request, index) =>
        renderAnswer(
          wire,
          request,
          withIdsFor(context, renderReply(context, { blocks: [call] }), index),
        ),
    ],
    untilResult: true,
    expectedCalls: [call],
  });
  return [
    script("call-repeated", "the same call", calls[0]),
    script("call-replaced", "another call", calls[1]),
  ];
};

/**
 * A complete call; then the server fails twice, and does not ask to wait. A conversation that
 * begins again gets the call again.
 */
export const failedRequests: ScriptList = (context) =>
  [429, 500].flatMap((status) => {
    const failure = context.wire.failures?.find(
      (one) => one.status === status && !/retry/i.test(one.body),
    );
    const [first] = completeReplies(context);
    if (failure === undefined || first === undefined) return [];
    const fail: RequestHandler = () => jsonAnswer(failure.body, { status });
    const names = { id: `${status}-twice`, name: `one call, then ${status} twice` };
    const answerAgain: RequestHandler = (request, index) => {
      const { calls, wire } = context;
      const held = wire.agent?.results(tryParseJson(request.body)).length ?? 1;
      const reply = renderReply(context, { blocks: [calls[0]] });
      const sent = held > 0 ? finalReply(wire) : withIdsFor(context, reply, index);
      return renderAnswer(wire, request, sent);
    };
    return [{ ...first, ...names, steps: [...first.steps, fail, fail, answerAgain] }];
  });
