import { type ApiName, apis, connect, type HostOptions, type How, type Target } from "./apis.ts";
import { type Asked, after, ask, refusalOf } from "./ask.ts";
import { isReadable, type Reply, type Topic } from "./evidence.ts";

/** How much a host is asked. */
export interface Extent {
  /** How many caps below the length of each reply. */
  readonly caps: number;
  /** The largest cap. */
  readonly maxTokens: number;
}
export interface Probe extends How {
  readonly topic: Topic;
  readonly asked: Asked;
}

const prompts = {
  call: "Call the tool write once. The path is notes.txt, and the text is this sentence: The sea is calm, and three ships wait near the old harbour.",
  calls:
    "Call the tool write twice, in this one reply: a.md with a sentence about the sea, and b.md with a sentence about a harbour.",
  text: "Describe a harbour in three sentences. Do not call a tool.",
  long: "Call the tool write once. The path is story.txt, and the text has three hundred words about a harbour.",
} as const;
const swept = ["call", "calls", "text"] as const;
const ways = [true, false] as const;
/** A long input may need this much. */
const longFactor = 4;

/** A request about a topic. A text is asked for without a required call. */
export const askFor = (topic: keyof typeof prompts, maxTokens: number): Asked => ({
  messages: [{ role: "user", content: prompts[topic] }],
  maxTokens,
  toolChoice: topic === "text" ? "auto" : "required",
});

/** The replies to a prompt that had the largest cap. */
export function uncut(replies: readonly Reply[], topic: Topic): readonly Reply[] {
  const about = topic === "stop" ? "calls" : topic;
  const all = replies.filter((reply) => reply.topic === about && isReadable(reply));
  const largest = Math.max(...all.map(({ asked }) => asked.maxTokens));
  return all.filter(({ asked }) => asked.maxTokens === largest);
}

/** The tokens of a whole reply; without a count, four characters are one. */
const lengthOf = ({ output, calls, turn }: Reply): number =>
  output ?? Math.ceil([turn.text, ...calls.map(({ text }) => text)].join("").length / 4);

/** Half of the length of a reply, the length, its neighbours, and further caps below. */
function capsOf(replies: readonly Reply[], topic: Topic, { caps, maxTokens }: Extent) {
  const lengths = uncut(replies, topic).map(lengthOf);
  const length = lengths.length === 0 ? maxTokens : Math.min(maxTokens, Math.max(...lengths));
  const below = Array.from({ length: caps }, (_, at) =>
    Math.round(((at + 1) * length) / (caps + 1)),
  );
  const first = [Math.ceil(length / 2), length, length - 1, length + 1];
  return [...new Set([...first, ...below])].filter((cap) => cap > 0);
}

/** The last word of the last input: a sequence that ends a reply inside a call. */
function sequenceOf(replies: readonly Reply[]): string {
  const input = uncut(replies, "calls")
    .find(({ calls }) => calls.length > 0)
    ?.calls.at(-1)?.text;
  const [, text = ""] = /"text":\s*"((?:[^"\\]|\\.)*)"/.exec(input ?? "") ?? [];
  return text.match(/[a-z]{3,}/gi)?.at(-1) ?? "harbour";
}

/**
 * The requests, in the order of what they show. Give it the list of the replies that have come: the
 * caps depend on them. With a list that stays empty, the plan is as large as it can be.
 */
export function* plan(extent: Extent, replies: readonly Reply[]): Generator<Probe> {
  const { maxTokens } = extent;
  const twice = (topic: Topic, asked: Asked, stop?: string): readonly Probe[] =>
    ways.map((stream) => ({ topic, stream, asked, stop }));
  for (const topic of swept) yield* twice(topic, askFor(topic, maxTokens));
  yield* twice("forced", { ...askFor("text", maxTokens), toolChoice: "required" });
  yield* twice("stop", askFor("calls", maxTokens), sequenceOf(replies));
  yield { topic: "history", stream: true, asked: nextAsked(replies, maxTokens) };
  yield* swept
    .flatMap((topic) => capsOf(replies, topic, extent).map((cap, rank) => ({ topic, cap, rank })))
    .toSorted((one, other) => one.rank - other.rank)
    .flatMap(({ topic, cap }) => twice(topic, askFor(topic, cap)));
  yield { topic: "long", stream: true, asked: askFor("long", maxTokens * longFactor) };
}

/** The request that follows a call, with its result. */
function nextAsked(replies: readonly Reply[], maxTokens: number): Asked {
  const first = replies.find(({ turn }) => turn.calls.length > 0);
  const messages = first && after(first.asked.messages, first.turn);
  return { ...askFor("text", maxTokens), ...(messages && { messages }) };
}

export interface Budget {
  readonly requests: number;
  readonly tokens: number;
}

/** Keeps a budget: a request that may need more than is left is not sent. */
export interface Account {
  readonly spent: Budget;
  /** Whether there is enough for one request. Then its whole cap counts as spent. */
  take(cap: number): boolean;
  /** The tokens of the reply count in place of its cap. */
  settle(cap: number, output: number): void;
}

export function openAccount(budget: Budget): Account {
  let requests = 0;
  let tokens = 0;
  return {
    get spent() {
      return { requests, tokens };
    },
    take: (cap) => {
      if (requests + 1 > budget.requests || tokens + cap > budget.tokens) return false;
      requests++;
      tokens += cap;
      return true;
    },
    settle: (cap, output) => {
      tokens += output - cap;
    },
  };
}

/** What a host is asked, and who follows it. */
export interface Run {
  readonly target: Target;
  /** Without it, each protocol is tried until one is answered. */
  readonly api: ApiName | undefined;
  readonly extent: Extent;
  readonly account: Account;
  readonly signal: AbortSignal;
  onReply(reply: Reply): void;
}
export interface Learnt extends Door {
  readonly replies: readonly Reply[];
  /** Requests for which the budget was too small. */
  readonly skipped: number;
}
interface Door {
  readonly api: ApiName;
  /** What it needed before it answered at all. */
  readonly setUp: HostOptions;
}

/** Enough for a host to answer; some refuse less than 16. */
const firstCap = 16;

/** What is tried until the host answers: the protocols, and then what a host may need. */
function doorsOf(api: ApiName | undefined): readonly Door[] {
  const names = api === undefined ? (Object.keys(apis) as ApiName[]) : [api];
  const [first = "chat"] = names;
  return [
    ...names.map((name) => ({ api: name, setUp: {} })),
    { api: first, setUp: { capName: "max_completion_tokens" } },
    { api: first, setUp: { noStreamOptions: true } },
  ];
}

/** The most that a run can cost. */
export function largest(api: ApiName | undefined, extent: Extent): Budget {
  const caps = [
    ...doorsOf(api).map(() => firstCap),
    ...[...plan(extent, [])].map(({ asked }) => asked.maxTokens),
  ];
  return { requests: caps.length, tokens: caps.reduce((sum, cap) => sum + cap, 0) };
}

/** So many refusals in a row end a run. */
const maxRefusals = 3;

/**
 * Asks a host until the plan, the budget or the caller ends it.
 * @throws Error if the host answers no request. The message says why.
 */
export async function runPlan(run: Run): Promise<Learnt> {
  const replies: Reply[] = [];
  const door = await findDoor(run);
  let skipped = 0;
  for (const probe of plan(run.extent, replies)) {
    if (run.signal.aborted || isClosed(replies)) break;
    const reply = await askOnce(run, door, probe);
    if (reply === undefined) skipped++;
    else if (reply.turn.stopReason !== "aborted") {
      replies.push(reply);
      run.onReply(reply);
    }
  }
  return { ...door, replies, skipped };
}

const isClosed = (replies: readonly Reply[]): boolean =>
  replies.length >= maxRefusals &&
  replies.slice(-maxRefusals).every(({ turn }) => refusalOf(turn) !== undefined);

/** `undefined` if the budget is too small. */
async function askOnce(
  { target, account, signal }: Run,
  { api, setUp }: Door,
  { topic, stream, stop, asked }: Probe,
): Promise<Reply | undefined> {
  if (!account.take(asked.maxTokens)) return undefined;
  const adapter = await connect(api, target, { stream, stop }, setUp);
  const seen = await ask(adapter, asked, signal);
  if (seen.output !== undefined) account.settle(asked.maxTokens, seen.output);
  return { ...seen, topic, stream, stop };
}

/** The first way to ask that the host answers. */
async function findDoor(run: Run): Promise<Door> {
  const refused = new Set<string>();
  const probe: Probe = { topic: "call", stream: true, asked: askFor("call", firstCap) };
  for (const door of doorsOf(run.api)) {
    const reply = await askOnce(run, door, probe);
    if (reply === undefined) throw new Error("The budget is too small for the first request.");
    if (reply.natives.length > 0 && refusalOf(reply.turn) === undefined) return door;
    const { kind = "", message = "" } = "error" in reply.turn ? reply.turn.error : {};
    refused.add(`${apis[door.api].title}: ${message}`);
    if (kind !== "invalid-request" && kind !== "server") break;
  }
  throw new Error(["The host answers no request.", ...refused].join("\n"));
}
