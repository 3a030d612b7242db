import { jsonAnswer } from "../harness/bytes.ts";
import type { Received, RequestHandler } from "../harness/host.ts";
import type { ReplyCall } from "../wire.ts";
import { completeReplies } from "./complete-scripts.ts";
import {
  aboveAnyCap,
  canRender,
  inputTextOf,
  renderAnswer,
  renderReply,
  renderWithText,
  requestedCap,
  type ScriptContext,
  type ScriptedReply,
  type ScriptList,
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

/** A complete call; then the server fails twice, and does not ask to wait. */
export const failedRequests: ScriptList = (context) =>
  [429, 500].flatMap((status) => {
    const failure = context.wire.failures?.find(
      (one) => one.status === status && !/retry/i.test(one.body),
    );
    const [first] = completeReplies(context);
    if (failure === undefined || first === undefined) return [];
    const fail: RequestHandler = () => jsonAnswer(failure.body, { status });
    const names = { id: `${status}-twice`, name: `one call, then ${status} twice` };
    return [{ ...first, ...names, steps: [...first.steps, fail, fail] }];
  });
