import { jsonAnswer } from "../harness/bytes.ts";
import type { Received, RequestHandler } from "../harness/host.ts";
import { tryParseJson } from "../harness/json.ts";
import type { ReplyCall } from "../wire.ts";
import { resets } from "./cut-scripts.ts";
import {
  aboveAnyCap,
  answeredWith,
  answering,
  canRender,
  finalReply,
  inputTextOf,
  renderReply,
  renderWithText,
  requestedCap,
  type Script,
  type ScriptContext,
  type ScriptedReply,
  type ScriptList,
  withIdsFor,
} from "./script.ts";
import { completeReplies } from "./stop-scripts.ts";
import { onlyWithResults, unlessEmpty } from "./text-inputs.ts";

/** The same call, with another id for each request. */
const repeatedCall = ({ calls: [call] }: ScriptContext, index: number): readonly ReplyCall[] => [
  { ...call, id: `${call.id}_${index}` },
];

/** A call cut at the cap, for request `index`. `undefined` if the protocol cannot cut the input. */
function renderCut(
  context: ScriptContext,
  output: number,
  index: number,
): ScriptedReply | undefined {
  const { length: stop } = context.wire.nativeStops;
  if (stop === undefined) return undefined;
  const cutText = inputTextOf(context.calls[0]).slice(0, -1);
  const reply = renderWithText(context, cutText, {
    stop,
    output,
    blocks: repeatedCall(context, index),
  });
  return canRender(context, reply) ? reply : undefined;
}

/** Every reply is cut at the cap: in the middle of the call if the protocol can send that. */
export const endlessCuts: ScriptList = (context) => {
  const { length: stop } = context.wire.nativeStops;
  if (stop === undefined) return [];
  const replyTo = (request: Received, index: number): ScriptedReply => {
    const output = requestedCap(request) ?? aboveAnyCap;
    return (
      renderCut(context, output, index) ??
      renderReply(context, { stop, output, blocks: repeatedCall(context, index) })
    );
  };
  return [
    {
      id: "endless-cuts",
      name: "a call cut at the cap, again and again",
      steps: [answering(context, replyTo)],
      repeatLast: true,
      expectedCalls: [],
    },
  ];
};

/** The same, where the call itself is cut. A whole call for ever is what `endlessCalls` plays. */
export const endlessCutCalls: ScriptList = unlessEmpty(endlessCuts, (context) =>
  context.wire.nativeStops.length === undefined || renderCut(context, aboveAnyCap, 0) !== undefined
    ? undefined
    : "the protocol sends the input of a call as JSON here, so a call that is cut at the cap is a whole call, and recovery.circle asks that",
);

/** Every reply is the same complete call. */
export const endlessCalls: ScriptList = onlyWithResults((context) => [
  {
    id: "endless-calls",
    name: "the same call, again and again",
    steps: [
      answering(context, (_, index) =>
        renderReply(context, { blocks: repeatedCall(context, index) }),
      ),
    ],
    repeatLast: true,
    expectedCalls: [context.calls[0]],
  },
]);

/**
 * A strict model: it makes the same call until a request has a result of it, where the protocol has
 * results.
 */
export const untilNativeResult: ScriptList = onlyWithResults(
  unlessEmpty(
    (context) =>
      endlessCalls(context).map((script) => ({
        ...script,
        id: "until-native-result",
        name: "the same call until a request has its result",
        untilResult: true,
      })),
    ({ wire }) =>
      wire.agent === undefined ? "the wire does not say where requests have results" : undefined,
  ),
);

/** How models write a call into a text: see `call.leaked-markup`. */
const markupOf: Readonly<Record<string, (name: string, input: string) => string>> = {
  tool_call: (name, input) =>
    `<tool_call>\n{"name": "${name}", "arguments": ${input}}\n</tool_call>`,
  function: (name, input) => `<function=${name}>${input}</function>`,
};

/** A finished text that ends in a call of an offered tool. Then the model says that it is done. */
export const leakedCalls: ScriptList = unlessEmpty(
  (context) => {
    const { wire, calls, forcesCall } = context;
    const [{ name, inputText, input }] = calls;
    const { stop } = wire.nativeStops;
    if (stop === undefined || inputText !== undefined || forcesCall || wire.agent?.actsOnText)
      return [];
    return Object.entries(markupOf).map(([id, write]) => {
      const text = `I will do this now.\n\n${write(name, JSON.stringify(input))}`;
      const names = { id: `leaked-${id}`, name: `a finished text that ends in a call, as <${id}>` };
      return answeredWith(context, names, renderReply(context, { blocks: [{ text }], stop }));
    });
  },
  ({ forcesCall, calls, wire }) => {
    if (forcesCall) return "its requests force a call, so a text is never its answer";
    if (wire.agent?.actsOnText) return "it takes its calls from the text";
    return calls[0].inputText === undefined ? undefined : "the input of its tool is not JSON";
  },
);

/** Some programs start a call as soon as it came: it has begun when the connection breaks. */
const breakDelayMs = 500;

/**
 * The connection breaks a moment after a whole call. A program that asks again gets a complete
 * reply: with the same call, or with another one.
 */
export const brokenThenComplete: ScriptList = onlyWithResults((context) => {
  const [reset] = resets(context);
  const [step] = reset?.steps ?? [];
  if (step === undefined) return [];
  const breakLater: RequestHandler = async (request, index) => ({
    ...(await step(request, index)),
    faultDelayMs: breakDelayMs,
  });
  const { calls } = context;
  const script = (id: string, retried: string, call: ReplyCall): Script => ({
    id,
    name: `one call, then a reset; the retry gets ${retried}, complete`,
    steps: [
      breakLater,
      answering(context, (_, index) =>
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
});

/** A complete call; then the server fails twice. A conversation that begins anew gets it again. */
export const failedRequests: ScriptList = onlyWithResults((context) =>
  [429, 500].flatMap((status) => {
    const failure = context.wire.failures?.find(
      (one) => one.status === status && !/retry/i.test(one.body),
    );
    const [first] = completeReplies(context);
    if (failure === undefined || first === undefined) return [];
    const fail: RequestHandler = () => jsonAnswer(failure.body, { status });
    const names = { id: `${status}-twice`, name: `one call, then ${status} twice` };
    const answerAgain = answering(context, (request, index) => {
      const held = context.wire.agent?.results(tryParseJson(request.body)).length ?? 1;
      return held > 0 ? finalReply(context.wire) : withIdsFor(context, renderReply(context), index);
    });
    return [{ ...first, ...names, steps: [...first.steps, fail, fail, answerAgain] }];
  }),
);
