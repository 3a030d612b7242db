import type { Rendered } from "../harness/bytes.ts";
import { utf8 } from "../harness/bytes.ts";
import type { RequestHandler, Received } from "../harness/host.ts";
import { insertFrame } from "../harness/mutate.ts";
import { fewTokens } from "../harness/tokens.ts";
import type { Reply, ReplyCall, Wire } from "../wire.ts";
import type { RunHarness } from "./harness.ts";
import {
  renderAnswer,
  requestedCap,
  type Interruption,
  withOtherInput,
  type ScriptedReply,
  toScriptedReply,
} from "./responses.ts";

/** What the model says in one run, request by request. Behind the last step it says that it is done. */
export interface Script {
  /** Of all scripts its own. */
  readonly name: string;
  readonly steps: readonly RequestHandler[];
  /** The last step is said for ever. */
  readonly repeatLast?: true;
  /** The calls that must run. */
  readonly expectedCalls: readonly ReplyCall[];
}

/** What scripts are written for. */
export type ScriptContext = Pick<RunHarness, "wire" | "calls" | "streams" | "cap">;
/** The scripts of one kind that a protocol can say. */
export type ScriptList = (stage: ScriptContext) => readonly Script[];

/** The output tokens of replies that were cut at the cap of a request that names none: above any cap that a host may set. */
const aboveAnyCap = 1_000_000;
const finished = ({ nativeStops: words }: Wire): string => words["tool-use"] ?? words.stop ?? "";
const textOf = ({ input }: ReplyCall): string => JSON.stringify(input);
const sayable = (
  { streams }: ScriptContext,
  said: ScriptedReply | undefined,
): said is ScriptedReply => said !== undefined && (streams || said.body !== undefined);

/** One reply after which nothing may run; none where the protocol cannot say it. */
const hazard = (
  stage: ScriptContext,
  name: string,
  said: (ScriptedReply & Interruption) | undefined,
): readonly Script[] =>
  sayable(stage, said)
    ? [{ name, steps: [(request) => renderAnswer(stage.wire, request, said)], expectedCalls: [] }]
    : [];

const replyOf = ({ wire, calls: [call] }: ScriptContext, change: Partial<Reply> = {}): Reply => ({
  blocks: [call],
  stop: finished(wire),
  output: fewTokens,
  ...change,
});
const said = (stage: ScriptContext, change?: Partial<Reply>): ScriptedReply =>
  toScriptedReply(stage.wire, replyOf(stage, change));
/** The one call with another text as its input. */
const withText = (
  stage: ScriptContext,
  text: string,
  change?: Partial<Reply>,
): ScriptedReply | undefined => withOtherInput(said(stage, change), textOf(stage.calls[0]), text);

/** Replies whose calls must run. */
const whole: ScriptList = (stage) => {
  const { wire, calls } = stage;
  const script = (name: string, blocks: readonly ReplyCall[], stop: string): Script => ({
    name,
    steps: [(request) => renderAnswer(wire, request, said(stage, { blocks, stop }))],
    expectedCalls: blocks,
  });
  const ended = wire.nativeStops.stop;
  return [
    script("one call", [calls[0]], finished(wire)),
    script("two parallel calls", calls, finished(wire)),
    ...(ended === undefined || ended === finished(wire)
      ? []
      : [script(`one call under "${ended}"`, [calls[0]], ended)]),
  ];
};

const cut: ScriptList = (stage) => {
  const at = (name: string, length: (rendered: Rendered) => number): readonly Script[] =>
    hazard(stage, `one call, ${name}`, { ...said(stage), length });
  const last = said(stage).frames.upToTerminal.length - 1;
  return [
    ...at("cut in the middle", ({ completeLength: whole }) => Math.floor(whole / 2)),
    ...(stage.streams ? at("cut before the last event", ({ edges }) => edges[last] ?? 0) : []),
    ...at("cut one byte before its end", ({ completeLength: whole }) => whole - 1),
  ];
};

/** Under these calls run, or a script of their own asks. */
const elsewhere: readonly string[] = ["stop", "tool-use", "unknown", "length"];
const words: ScriptList = (stage) =>
  Object.entries(stage.wire.nativeStops).flatMap(([reason, stop]) =>
    elsewhere.includes(reason)
      ? []
      : hazard(stage, `one call under "${stop}" (${reason})`, said(stage, { stop })),
  );

/** Asked for at the cap that the request names. */
function atCap(
  stage: ScriptContext,
  name: string,
  of: (output: number) => ScriptedReply | undefined,
): readonly Script[] {
  if (!sayable(stage, of(aboveAnyCap))) return [];
  const step: RequestHandler = (request) =>
    renderAnswer(stage.wire, request, of(requestedCap(request) ?? aboveAnyCap) ?? said(stage));
  return [{ name, steps: [step], expectedCalls: [] }];
}
const length: ScriptList = (stage) => {
  const stop = stage.wire.nativeStops.length;
  if (stop === undefined) return [];
  const text = textOf(stage.calls[0]);
  const half = text.slice(0, Math.floor((text.length * 3) / 4));
  return [
    ...atCap(stage, `one call under "${stop}" (length)`, (output) => said(stage, { stop, output })),
    ...atCap(stage, `one call, its input cut, under "${stop}" (length)`, (output) =>
      withText(stage, half, { stop, output }),
    ),
  ];
};
const usedUp: ScriptList = (stage) =>
  stage.cap === undefined
    ? []
    : atCap(stage, "one call that used up the cap", (output) => said(stage, { output }));

const under =
  (stop: string): ScriptList =>
  (stage) =>
    hazard(stage, `one call under ${JSON.stringify(stop)}`, said(stage, { stop }));
const unknownWord: ScriptList = under("x_never_heard_of");
const noWord: ScriptList = under("");

const written = (stage: ScriptContext, texts: readonly string[]): readonly Script[] =>
  texts.flatMap((text) => hazard(stage, `one call with the input ${text}`, withText(stage, text)));
const cutInput: ScriptList = (stage) => {
  const text = textOf(stage.calls[0]);
  return written(stage, [text.slice(0, Math.floor((text.length * 3) / 4)), text.slice(0, -1)]);
};
const invalidJson: ScriptList = (stage) => {
  const text = textOf(stage.calls[0]);
  return written(stage, [`${text.slice(0, -1)},}`, `${text}}`]);
};
const siblings: ScriptList = (stage) => {
  const text = textOf(stage.calls[0]);
  return hazard(
    stage,
    "a whole call beside one whose input is cut",
    withOtherInput(said(stage, { blocks: stage.calls }), text, text.slice(0, -1)),
  );
};

/** Events in place of what came; only of a stream. */
const streamed = (
  stage: ScriptContext,
  name: string,
  change: (said: ScriptedReply) => ScriptedReply & Interruption,
): readonly Script[] => (stage.streams ? hazard(stage, name, change(said(stage))) : []);
const inBand: ScriptList = (stage) => {
  const frame = stage.wire.errors?.[0]?.frame;
  if (frame === undefined) return [];
  const failed = (
    { frames: { upToTerminal } }: ScriptedReply,
    behind: readonly string[],
  ): ScriptedReply => ({
    frames: { upToTerminal: [...upToTerminal.slice(0, -1), frame, ...behind] },
  });
  return [
    ...streamed(stage, "one call, then an error in place of the last event", (said) =>
      failed(said, []),
    ),
    ...streamed(stage, "one call, then an error before the last event", (said) =>
      failed(said, said.frames.upToTerminal.slice(-1)),
    ),
  ];
};
const reset: ScriptList = (stage) =>
  streamed(stage, "one call, then a reset in place of the last event", (whole) => ({
    ...whole,
    length: ({ edges }) => edges[whole.frames.upToTerminal.length - 1] ?? 0,
    fault: "reset",
  }));
const tornFrame: ScriptList = (stage) => {
  const torn = ({ frames }: ScriptedReply): ScriptedReply => {
    const at = Math.floor((frames.upToTerminal.length - 1) / 2);
    const payload = frames.upToTerminal[at] ?? "";
    return {
      frames: {
        ...frames,
        upToTerminal: frames.upToTerminal.with(at, payload.slice(0, Math.ceil(payload.length / 2))),
      },
    };
  };
  const page = ({ frames }: ScriptedReply): ScriptedReply => ({
    frames: insertFrame(frames, 1, "<html>Bad gateway</html>"),
  });
  return [
    ...streamed(stage, "one call, an event of it torn", torn),
    ...streamed(stage, "one call with a page inside", page),
  ];
};

/** Every reply after which nothing may run. */
const hazards: ScriptList = (stage) =>
  [
    cut,
    words,
    length,
    usedUp,
    unknownWord,
    noWord,
    cutInput,
    invalidJson,
    siblings,
    inBand,
    reset,
    tornFrame,
  ].flatMap((list) => list(stage));

/** The same call with another id each time. */
const again = ({ calls: [call] }: ScriptContext, n: number): readonly ReplyCall[] => [
  { ...call, id: `${call.id}_${n}` },
];

/** Cut at the cap, whatever is sent. */
const endlessCuts: ScriptList = (stage) => {
  const stop = stage.wire.nativeStops.length;
  if (stop === undefined) return [];
  const text = textOf(stage.calls[0]).slice(0, -1);
  const step = (request: Received, n: number): ScriptedReply => {
    const change = { stop, output: requestedCap(request) ?? aboveAnyCap, blocks: again(stage, n) };
    const cut = withText(stage, text, change);
    return sayable(stage, cut) ? cut : said(stage, change);
  };
  return [
    {
      name: "a call cut at the cap, for ever",
      steps: [(request, n) => renderAnswer(stage.wire, request, step(request, n))],
      repeatLast: true,
      expectedCalls: [],
    },
  ];
};

/** The same whole call, whatever its result. */
const circle: ScriptList = (stage) => [
  {
    name: "the same call, for ever",
    steps: [
      (request, n) => renderAnswer(stage.wire, request, said(stage, { blocks: again(stage, n) })),
    ],
    repeatLast: true,
    expectedCalls: [stage.calls[0]],
  },
];

/** A whole call; then the server fails twice, and asks for no wait. */
const failures: ScriptList = (stage) =>
  [429, 500].flatMap((status) => {
    const failure = stage.wire.failures?.find(
      (one) => one.status === status && !/retry/i.test(one.body),
    );
    if (failure === undefined) return [];
    const fail: RequestHandler = () => ({
      status,
      headers: { "content-type": "application/json" },
      chunks: [utf8(failure.body)],
    });
    const [first] = whole(stage);
    return first === undefined
      ? []
      : [{ ...first, name: `one call, then ${status} twice`, steps: [...first.steps, fail, fail] }];
  });

const everything: ScriptList = (stage) =>
  [whole, hazards, endlessCuts, circle, failures].flatMap((list) => list(stage));

type Name =
  | "whole"
  | "cut"
  | "words"
  | "usedUp"
  | "unknownWord"
  | "noWord"
  | "cutInput"
  | "invalidJson"
  | "siblings"
  | "inBand"
  | "reset"
  | "tornFrame"
  | "hazards"
  | "endlessCuts"
  | "circle"
  | "failures"
  | "everything";

/** The scripts of every kind that a protocol can say. */
export const scripts: Readonly<Record<Name, ScriptList>> = {
  whole,
  cut,
  words: (stage) => [...words(stage), ...length(stage)],
  usedUp,
  unknownWord,
  noWord,
  cutInput,
  invalidJson,
  siblings,
  inBand,
  reset,
  tornFrame,
  hazards,
  endlessCuts,
  circle,
  failures,
  everything,
};
