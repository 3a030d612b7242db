import type { ClaimedStop } from "@fullstop/core/adapter";
import { jsonAnswer, type Rendered } from "../harness/bytes.ts";
import type { Received, RequestHandler } from "../harness/host.ts";
import { nativeStopForCalls } from "../harness/scenarios.ts";
import type { ReplyCall } from "../wire.ts";
import {
  aboveAnyCap,
  canRender,
  inputTextOf,
  nothingMayRun,
  nothingMayRunAtCap,
  renderAnswer,
  renderReply,
  renderWithText,
  requestedCap,
  type Script,
  type ScriptContext,
  type ScriptedReply,
  type ScriptList,
  withOtherInput,
} from "./script.ts";
import { inBandErrors, resets, tornFrames } from "./stream-scripts.ts";

/** Complete replies, whose calls must run. */
const complete: ScriptList = (context) => {
  const { wire, calls } = context;
  const script = (name: string, blocks: readonly ReplyCall[], stop: string): Script => ({
    name,
    steps: [(request) => renderAnswer(wire, request, renderReply(context, { blocks, stop }))],
    expectedCalls: blocks,
  });
  const forCalls = nativeStopForCalls(wire) ?? "";
  const forText = wire.nativeStops.stop;
  const underTextStop =
    forText === undefined || forText === forCalls
      ? []
      : [script(`one call under "${forText}"`, [calls[0]], forText)];
  return [
    script("one call", [calls[0]], forCalls),
    script("two parallel calls", calls, forCalls),
    ...underTextStop,
  ];
};

/** Replies that end before their terminal is complete. */
const cutReplies: ScriptList = (context) => {
  const cutAt = (name: string, length: (rendered: Rendered) => number): readonly Script[] =>
    nothingMayRun(context, `one call, ${name}`, { ...renderReply(context), length });
  const last = renderReply(context).frames.upToTerminal.length - 1;
  return [
    ...cutAt("cut in the middle", ({ completeLength }) => Math.floor(completeLength / 2)),
    ...(context.streams ? cutAt("cut before the last event", ({ edges }) => edges[last] ?? 0) : []),
    ...cutAt("cut one byte before its end", ({ completeLength }) => completeLength - 1),
  ];
};

/** Stop reasons under which calls run, or which other scripts try. */
const triedElsewhere: readonly string[] = [
  "stop",
  "tool-use",
  "unknown",
  "length",
] satisfies ClaimedStop[];
const otherStops: ScriptList = (context) =>
  Object.entries(context.wire.nativeStops).flatMap(([reason, stop]) =>
    triedElsewhere.includes(reason)
      ? []
      : nothingMayRun(
          context,
          `one call under "${stop}" (${reason})`,
          renderReply(context, { stop }),
        ),
  );
const lengthStops: ScriptList = (context) => {
  const stop = context.wire.nativeStops.length;
  if (stop === undefined) return [];
  const name = `under "${stop}" (length)`;
  const cutText = threeQuarters(inputTextOf(context.calls[0]));
  return [
    ...nothingMayRunAtCap(context, `one call ${name}`, (output) =>
      renderReply(context, { stop, output }),
    ),
    ...nothingMayRunAtCap(context, `one call, its input cut, ${name}`, (output) =>
      renderWithText(context, cutText, { stop, output }),
    ),
  ];
};
const threeQuarters = (text: string): string => text.slice(0, Math.floor((text.length * 3) / 4));

/** A reply that reached the cap, with the native stop reason of a finished one. */
const reachedCap: ScriptList = (context) =>
  context.cap === undefined
    ? []
    : nothingMayRunAtCap(context, "one call that used up the cap", (output) =>
        renderReply(context, { output }),
      );

const underNativeStop =
  (stop: string): ScriptList =>
  (context) =>
    nothingMayRun(
      context,
      `one call under ${JSON.stringify(stop)}`,
      renderReply(context, { stop }),
    );
const unknownStop: ScriptList = underNativeStop("x_never_heard_of");
const emptyStop: ScriptList = underNativeStop("");

const withInputTexts = (context: ScriptContext, texts: readonly string[]): readonly Script[] =>
  texts.flatMap((text) =>
    nothingMayRun(context, `one call with the input ${text}`, renderWithText(context, text)),
  );
const cutInputs: ScriptList = (context) => {
  const text = inputTextOf(context.calls[0]);
  return withInputTexts(context, [threeQuarters(text), text.slice(0, -1)]);
};
const invalidInputs: ScriptList = (context) => {
  const text = inputTextOf(context.calls[0]);
  return withInputTexts(context, [`${text.slice(0, -1)},}`, `${text}}`]);
};
const siblingCalls: ScriptList = (context) => {
  const text = inputTextOf(context.calls[0]);
  return nothingMayRun(
    context,
    "a whole call beside one whose input is cut",
    withOtherInput(renderReply(context, { blocks: context.calls }), text, text.slice(0, -1)),
  );
};

/** The same call, with another id for each request. */
const repeatedCall = ({ calls: [call] }: ScriptContext, index: number): readonly ReplyCall[] => [
  { ...call, id: `${call.id}_${index}` },
];

/** Every reply is cut at the cap. */
const endlessCuts: ScriptList = (context) => {
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
      name: "a call cut at the cap, for ever",
      steps: [(request, index) => renderAnswer(context.wire, request, replyTo(request, index))],
      repeatLast: true,
      expectedCalls: [],
    },
  ];
};

/** Every reply is the same complete call. */
const endlessCalls: ScriptList = (context) => [
  {
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
const failedRequests: ScriptList = (context) =>
  [429, 500].flatMap((status) => {
    const failure = context.wire.failures?.find(
      (one) => one.status === status && !/retry/i.test(one.body),
    );
    const [first] = complete(context);
    if (failure === undefined || first === undefined) return [];
    const fail: RequestHandler = () => jsonAnswer(failure.body, { status });
    const name = `one call, then ${status} twice`;
    return [{ ...first, name, steps: [...first.steps, fail, fail] }];
  });

const joined =
  (...lists: readonly ScriptList[]): ScriptList =>
  (context) =>
    lists.flatMap((list) => list(context));

const nativeStops = joined(otherStops, lengthStops);

/** Every reply after which no call may run. */
const withoutRuns = joined(
  cutReplies,
  nativeStops,
  reachedCap,
  unknownStop,
  emptyStop,
  cutInputs,
  invalidInputs,
  siblingCalls,
  inBandErrors,
  resets,
  tornFrames,
);

type ScriptKind =
  | "complete"
  | "cutReplies"
  | "nativeStops"
  | "reachedCap"
  | "unknownStop"
  | "emptyStop"
  | "cutInputs"
  | "invalidInputs"
  | "siblingCalls"
  | "inBandErrors"
  | "resets"
  | "tornFrames"
  | "withoutRuns"
  | "endlessCuts"
  | "endlessCalls"
  | "failedRequests"
  | "all";

/** The scripts by kind. */
export const scripts: Readonly<Record<ScriptKind, ScriptList>> = {
  complete,
  cutReplies,
  nativeStops,
  reachedCap,
  unknownStop,
  emptyStop,
  cutInputs,
  invalidInputs,
  siblingCalls,
  inBandErrors,
  resets,
  tornFrames,
  withoutRuns,
  endlessCuts,
  endlessCalls,
  failedRequests,
  all: joined(complete, withoutRuns, endlessCuts, endlessCalls, failedRequests),
};
