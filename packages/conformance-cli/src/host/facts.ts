import { type ApiName, apis, type HostOptions } from "./apis.ts";
import { refusalOf } from "./ask.ts";
import {
  describeReply,
  type Ending,
  endingOf,
  isFinished,
  isPartOf,
  isReadable,
  type Reply,
  type Topic,
  wordOf,
} from "./evidence.ts";
import { uncut } from "./run.ts";

/** What was seen of one question. */
export interface Fact {
  /** `not seen` if no reply answers the question. */
  readonly says: string;
  /** Replies that show it, or that differ. */
  readonly evidence: readonly string[];
  /** The options that an adapter needs because of it. */
  readonly options?: HostOptions;
  /** No option mends it. */
  readonly flaw?: true;
}
export type FactName =
  | "a cut reply is called"
  | "at exactly the cap"
  | "a finished reply is called"
  | "no word at all"
  | "usage in streams"
  | "usage in one piece"
  | "an end mark"
  | "an id for each call"
  | "no id a second time"
  | "leaks into text"
  | "placeholders"
  | "pieces of an input"
  | "two calls in one reply"
  | "a required call"
  | "a stop sequence"
  | "a long input"
  | "a history with a result";

/** Every reply, and how it ended. */
export interface View {
  readonly api: ApiName;
  readonly all: readonly Reply[];
  readonly readable: readonly Reply[];
  /** Replies to the prompts that were asked with many caps. */
  that(is: Ending["is"]): readonly Reply[];
  because(reply: Reply): string;
}
const withManyCaps: ReadonlySet<Topic> = new Set(["call", "calls", "text"]);

export function viewOf(api: ApiName, all: readonly Reply[]): View {
  const readable = all.filter(isReadable);
  const endings = new Map(
    readable.map((reply) => [reply, endingOf(reply, uncut(readable, reply.topic))]),
  );
  return {
    api,
    all,
    readable,
    that: (is) =>
      readable.filter((one) => withManyCaps.has(one.topic) && endings.get(one)?.is === is),
    because: (reply) => `${describeReply(reply)} (${endings.get(reply)?.because})`,
  };
}

const notSeen: Fact = { says: "not seen", evidence: [] };

/** Each word with its count, and a reply that shows it. */
function words(replies: readonly Reply[], { because }: View): Fact {
  const groups = Object.entries(Object.groupBy(replies, wordOf));
  if (groups.length === 0) return notSeen;
  return {
    says: groups.map(([word, some = []]) => `${word} ${some.length}`).join(", "),
    evidence: groups.flatMap(([, some = []]) => some.slice(0, 1).map(because)),
  };
}

/** In how many replies something is true, and a reply that differs from most. */
function share(replies: readonly Reply[], is: (reply: Reply) => boolean): Fact {
  if (replies.length === 0) return notSeen;
  const { yes = [], no = [] } = Object.groupBy(replies, (one) => (is(one) ? "yes" : "no"));
  const fewer = yes.length > no.length ? no : yes;
  return {
    says: `${yes.length} of ${replies.length}`,
    evidence: fewer.slice(0, 2).map(describeReply),
  };
}

function cutFact(view: View): Fact {
  const cut = view.that("cut");
  const others = new Set(view.readable.filter((one) => !cut.includes(one)).map(wordOf));
  const unknown = cut.flatMap((reply) =>
    reply.turn.stopReason === "unknown" && reply.word && !others.has(wordOf(reply))
      ? [[reply.word, "length" as const] as const]
      : [],
  );
  const options: HostOptions = {
    ...(cut.some(isFinished) && { mislabelsTruncation: true }),
    ...(unknown.length > 0 && { stops: Object.fromEntries(unknown) }),
  };
  return { ...words(cut, view), ...(Object.keys(options).length > 0 && { options }) };
}

/** Whether the count comes last, and whether it hides a cut. */
function usageFact({ readable, that, because }: View, stream: boolean): Fact {
  const isAsked = (reply: Reply): boolean => reply.stream === stream;
  const fact = share(
    readable.filter(isAsked),
    ({ output, countedLast }) => output !== undefined && countedLast,
  );
  const low = that("cut").filter(
    (one) => isAsked(one) && one.output !== undefined && one.output < one.asked.maxTokens,
  );
  if (low.length === 0) return fact;
  const evidence = low.slice(0, 2).map(because);
  return { says: `${fact.says}; ${low.length} cut replies count too little`, evidence, flaw: true };
}

/** This many whole streams without an end mark show that a host sends none. */
const enoughStreams = 5;

function endFact({ api, that }: View): Fact {
  const { end } = apis[api];
  const streams = that("whole").filter(({ stream }) => stream);
  if (end === undefined || streams.length === 0) return notSeen;
  const has = ({ natives }: Reply): boolean =>
    natives.some((native) => native === end || JSON.stringify(native).includes(`type":"${end}"`));
  const never = streams.length >= enoughStreams && !streams.some(has);
  const { says, evidence } = share(streams, has);
  return {
    says: `${says} (\`${end}\`)`,
    evidence,
    ...(never && api === "messages" && { options: { messageStop: "optional" } }),
  };
}

/** A leak in a finished reply is a lost call; in a cut one it is a text. */
function leakFact({ readable }: View): Fact {
  const leaks = readable.filter(({ turn }) => turn.leakedCall !== undefined);
  const isLost = leaks.some(({ turn }) => turn.stopReason === "stop");
  return { ...share(readable, (one) => leaks.includes(one)), ...(isLost && { flaw: true }) };
}

function pieceFact({ readable }: View): Fact {
  const streams = readable.filter(({ stream, calls }) => stream && calls.length > 0);
  const counts = streams.flatMap(({ calls }) => calls.map(({ pieces }) => pieces));
  if (counts.length === 0) return notSeen;
  return {
    says: `${Math.min(...counts)} to ${Math.max(...counts)} in ${counts.length} inputs of streams`,
    evidence: streams.slice(0, 1).map(describeReply),
  };
}

/** Only a model that does not call by itself shows whether a call can be required. */
function requiredFact({ readable }: View): Fact {
  const free = uncut(readable, "text");
  if (free.length === 0 || free.some(({ calls }) => calls.length > 0)) return notSeen;
  return share(topic(readable, "forced"), ({ calls }) => calls.length > 0);
}

/** The gate withholds an input that is cut. It cannot see a call that is gone, or a lost property. */
function stopFact(view: View): Fact {
  const others = uncut(view.readable, "calls");
  const cut = topic(view.readable, "stop").filter((reply) =>
    others.some((other) => isPartOf(reply, other)),
  );
  const hides = cut.some(({ turn }) => turn.calls.length > 0);
  return { ...words(cut, view), ...(hides && { options: { mislabelsStopSequences: true } }) };
}

const topic = (replies: readonly Reply[], wanted: Topic): readonly Reply[] =>
  replies.filter((reply) => reply.topic === wanted);
const withCalls = (replies: readonly Reply[]): readonly Reply[] =>
  replies.filter(({ calls }) => calls.length > 0);
const idsOf = (replies: readonly Reply[]): readonly string[] =>
  replies.flatMap(({ calls }) => calls.flatMap(({ id }) => id ?? []));
/** Whether each id of a reply is once in `ids`: neither a call beside it nor another reply has it. */
const isAlone =
  (ids: readonly string[]) =>
  (reply: Reply): boolean =>
    idsOf([reply]).every((id) => ids.indexOf(id) === ids.lastIndexOf(id));

/** Every question, in the order of the report. */
export const facts: Readonly<Record<FactName, (view: View) => Fact>> = {
  "a cut reply is called": cutFact,
  "at exactly the cap": (view) => words(view.that("at-cap"), view),
  "a finished reply is called": (view) => words(view.that("whole"), view),
  "no word at all": ({ readable }) => share(readable, ({ word }) => word === undefined),
  "usage in streams": (view) => usageFact(view, true),
  "usage in one piece": (view) => usageFact(view, false),
  "an end mark": endFact,
  "an id for each call": ({ readable }) =>
    share(withCalls(readable), ({ calls }) => calls.every(({ id }) => id)),
  "no id a second time": ({ readable }) =>
    share(withCalls(readable), isAlone(idsOf(withCalls(readable)))),
  "leaks into text": leakFact,
  placeholders: ({ readable }) =>
    share(withCalls(readable), ({ calls }) => calls.some(({ placeholder }) => placeholder)),
  "pieces of an input": pieceFact,
  "two calls in one reply": ({ readable }) =>
    share(uncut(readable, "calls"), ({ calls }) => calls.length > 1),
  "a required call": requiredFact,
  "a stop sequence": stopFact,
  "a long input": ({ all }) =>
    share(topic(all, "long"), (one) => one.calls.length > 0 && isFinished(one)),
  "a history with a result": ({ all }) =>
    share(topic(all, "history"), ({ turn }) => refusalOf(turn) === undefined),
};
