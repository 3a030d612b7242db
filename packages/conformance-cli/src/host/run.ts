import { type ApiName, apis, connect, type HostOptions, type Target } from "./apis.ts";
import { ask, refusalOf } from "./ask.ts";
import type { Reply } from "./evidence.ts";
import { type Account, askFor, type Budget, type Extent, type Probe, plan } from "./plan.ts";

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
/** What a host answers. */
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
