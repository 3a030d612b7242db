import type { Answer, Received, Wire } from "@fullstop/conformance";
import { renderAnswer, requestedCap, type ScriptedReply } from "@fullstop/conformance/runner";
import type { Action } from "./action.ts";
import type { CoderWay } from "./coder.ts";
import { type ActionReply, cutReply, shortenedReply, wholeReply } from "./reply.ts";

/** A request of an agent that has not got a result yet. */
export interface Asked {
  readonly protocol: CoderWay["wire"];
  readonly wire: Wire;
  readonly action: Action;
  readonly request: Received;
  /** How many such requests came before. */
  readonly index: number;
}

/** What the provider does with each request that brings no result. */
export interface Scenario {
  readonly name: string;
  /** A sentence for the report. */
  readonly title: string;
  /** Whether the call must run, exactly once and whole. Otherwise no call may run. */
  readonly mustRun: boolean;
  /** The stop reason says that the reply finished, but the cap cut it. */
  readonly relabelled?: true;
  /** Whether the protocol and the tool can express it; by default all can. */
  fits?(way: Pick<CoderWay, "wire" | "action">): boolean;
  answer(asked: Asked): Answer;
}

/** The output tokens of a finished reply, and of one that was cut if the request names no cap. */
const fewTokens = 12;
const usualCap = 4096;
const capOf = ({ request }: Asked): number => requestedCap(request) ?? usualCap;

const stopOf = ({ wire }: Asked, reason: keyof Wire["nativeStops"]): string =>
  wire.nativeStops[reason] ?? wire.nativeStops.stop ?? "";

/** The stop reason of a finished reply: a text ends with another than a call. */
const finishedStop = (asked: Asked): string =>
  stopOf(asked, asked.action.form === "text" ? "stop" : "tool-use");

const replyTo = (asked: Asked, stop: string, output: number): ActionReply => ({
  wire: asked.wire,
  action: asked.action,
  id: `call_${asked.index + 1}`,
  stop,
  output,
});

const send = ({ wire, request }: Asked, reply: ScriptedReply): Answer =>
  renderAnswer(wire, request, reply);

/** How many events follow the last piece of an input, and how many follow the end of its call. */
interface EventsAfter {
  readonly input: number;
  readonly call: number;
}
const eventsAfter: Readonly<Record<CoderWay["wire"], EventsAfter>> = {
  anthropic: { input: 3, call: 2 },
  "openai-chat": { input: 1, call: 1 },
  "openai-responses": { input: 3, call: 1 },
  gemini: { input: 1, call: 1 },
};

/** Sends all events but the last ones. A reply in one body loses its last bytes. */
const withoutEnd =
  ({ protocol }: Asked, after: keyof EventsAfter, { upToTerminal }: ScriptedReply["frames"]) =>
  ({ edges, bytes }: { readonly edges: readonly number[]; readonly bytes: Uint8Array }): number => {
    if (edges.length === 2) return Math.floor(bytes.length * (after === "input" ? 0.6 : 0.9));
    return edges[upToTerminal.length - eventsAfter[protocol][after]] ?? 0;
  };

const finishedCall = (asked: Asked): ScriptedReply =>
  wholeReply(replyTo(asked, finishedStop(asked), fewTokens));

/** The cut call; shortened if the protocol sends inputs as objects. */
const cutOrShortened = (reply: ActionReply): ScriptedReply =>
  cutReply(reply) ?? shortenedReply(reply);

/** The call as the cap cuts it. */
const cutCall = (asked: Asked): ScriptedReply =>
  cutOrShortened(replyTo(asked, stopOf(asked, "length"), capOf(asked)));

function endAfter(asked: Asked, after: keyof EventsAfter, fault?: Answer["fault"]): Answer {
  const whole = replyTo(asked, finishedStop(asked), fewTokens);
  const reply = after === "input" ? cutOrShortened(whole) : wholeReply(whole);
  return renderAnswer(asked.wire, asked.request, {
    ...reply,
    length: withoutEnd(asked, after, reply.frames),
    fault,
  });
}

/** The replies that every agent gets, in the order of the report. */
export const scenarios: readonly Scenario[] = [
  {
    name: "S0",
    title: "a finished call",
    mustRun: true,
    answer: (asked) => send(asked, finishedCall(asked)),
  },
  {
    name: "S1",
    title: "the input is cut in the middle, and the stop reason says so",
    mustRun: false,
    answer: (asked) => send(asked, cutCall(asked)),
  },
  {
    name: "S1R",
    title: "the same once; the next request gets a whole reply",
    mustRun: true,
    fits: ({ action }) => action.form !== "text",
    answer: (asked) => send(asked, asked.index === 0 ? cutCall(asked) : finishedCall(asked)),
  },
  {
    name: "S2",
    title: "the input is whole, and the stop reason says that the cap cut the reply",
    mustRun: false,
    answer: (asked) =>
      send(asked, wholeReply(replyTo(asked, stopOf(asked, "length"), capOf(asked)))),
  },
  {
    name: "S3",
    title: "the connection ends in the input, each time",
    mustRun: false,
    answer: (asked) => endAfter(asked, "input"),
  },
  {
    name: "S4",
    title: "the connection ends behind the whole input, before the end of the reply, each time",
    mustRun: false,
    answer: (asked) => endAfter(asked, "call"),
  },
  {
    name: "S5",
    title: "a filter ended the reply behind a whole call",
    mustRun: false,
    answer: (asked) => send(asked, wholeReply(replyTo(asked, filterStop(asked), fewTokens))),
  },
  {
    name: "S6",
    title:
      "the input is shortened to valid JSON, the stop reason says finished, and the usage equals the cap",
    mustRun: false,
    relabelled: true,
    answer: (asked) =>
      send(asked, shortenedReply(replyTo(asked, finishedStop(asked), capOf(asked)))),
  },
  {
    name: "S6B",
    title:
      "the input is cut in the middle, the stop reason says finished, and the usage equals the cap",
    mustRun: false,
    relabelled: true,
    fits: ({ wire, action }) => wire !== "gemini" && action.form !== "text",
    answer: (asked) =>
      send(asked, cutOrShortened(replyTo(asked, finishedStop(asked), capOf(asked)))),
  },
  {
    name: "S4R",
    title: "a reset behind a whole call; the next request gets the call again, and a whole reply",
    mustRun: true,
    answer: (asked) =>
      asked.index === 0 ? endAfter(asked, "call", "reset") : send(asked, finishedCall(asked)),
  },
];

/** Anthropic has refusals and no filter. */
const filterStop = (asked: Asked): string =>
  asked.wire.nativeStops["content-filter"] ?? stopOf(asked, "refusal");
