import type { GuardReport, UnguardedRequest } from "@fullstop/guard";
import { isOwnPath } from "./own-paths.ts";
import type { AnsweredRequest } from "./server.ts";

/** What is written, as lines of JSON. Holds no keys, and no inputs unless they are asked for. */
export interface Log {
  reply(route: string, report: GuardReport): void;
  unguarded(route: string, request: UnguardedRequest): void;
  unreachable(route: string, code: string): void;
  error(route: string | undefined, thrown: unknown): void;
  answer(answer: AnsweredRequest): void;
  /** The configuration was read again, and is used or not. */
  reload(facts: ReloadFacts): void;
}

export interface ReloadFacts {
  /** The names of the routes from now on. */
  readonly routes: readonly string[];
  /** Options that changed and are only read at the start. */
  readonly needsRestart?: readonly string[];
  /** Why the configuration is the same as before. */
  readonly error?: string;
}

export interface LogOptions {
  readonly write: (line: string) => void;
  /** Writes the inputs of tool calls too. */
  readonly hasInputs: () => boolean;
}

export function createLog({ write, hasInputs }: LogOptions): Log {
  const log = (event: string, facts: object): void =>
    write(`${JSON.stringify({ time: new Date().toISOString(), event, ...facts })}\n`);
  return {
    reply: (route, report) => log("reply", { route, ...replyFacts(report, hasInputs()) }),
    unguarded: (route, { url, reason }) => log("unguarded", { route, path: url.pathname, reason }),
    unreachable: (route, code) => log("unreachable", { route, code }),
    error: (route, thrown) => log("error", { route, ...errorFacts(thrown) }),
    answer(answer) {
      if (!isOwnPath(answer.path)) log("request", { ...answer, path: short(answer.path) });
    },
    reload: (facts) => log("reload", facts),
  };
}

/** Clients and models choose these texts. */
const short = (text: string): string => text.slice(0, 200);

function replyFacts(report: GuardReport, hasInputs: boolean): object {
  const { protocol, model, replyId, requestId, turn, action, heldMs, heldChars, status } = report;
  const { stopReason, native, withheld, leakedCall } = turn;
  const names = withheld.map(({ name }) => short(name ?? ""));
  return {
    protocol,
    model: model && short(model),
    replyId,
    requestId,
    stopReason,
    nativeStop: native && short(native.stop),
    action,
    status,
    withheldReason: withheld[0]?.reason,
    withheldTools: names.length === 0 ? undefined : names,
    leakedTool: leakedCall && short(leakedCall.name),
    leakedForm: leakedCall?.form,
    error: "error" in turn ? turn.error.kind : undefined,
    heldMs: Math.round(heldMs),
    heldChars,
    inputs: hasInputs ? inputsOf(turn) : undefined,
  };
}

const inputsOf = ({ calls, withheld }: GuardReport["turn"]): readonly object[] => [
  ...calls.map(({ name, input }) => ({ name, input })),
  ...withheld.map(({ name, inputText }) => ({ name, inputText })),
];

/** The message of an unexpected error may hold a key, its place in the code does not. */
function errorFacts(thrown: unknown): object {
  if (!(thrown instanceof Error)) return { name: typeof thrown };
  const places = thrown.stack?.split("\n").filter((line) => /^ +at /.test(line));
  return { name: thrown.name, places: places?.slice(0, 5).map((line) => line.trim()) };
}
