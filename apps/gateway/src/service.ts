import { createHeldTotal } from "@fullstop/guard";
import { createGateway, type GatewayOptions } from "./gateway.ts";
import { type Limits, limitsOf } from "./limits.ts";
import { createLog, type Log } from "./log.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import type { GatewayObserver } from "./observer.ts";
import { type CommandOptions, guardOptions } from "./options.ts";
import { createAdmin, type GatewayHandler } from "./own-paths.ts";
import type { AnsweredRequest } from "./server.ts";
import { createUpstreamFetch } from "./upstream-fetch.ts";

/** The options of a command that serves. */
export type ServeOptions = CommandOptions & Required<Pick<CommandOptions, "to">>;

/** What the command serves, with its log and its figures. */
export interface Service {
  readonly handler: GatewayHandler;
  /** The figures and the readiness alone. */
  readonly admin: GatewayHandler;
  readonly limits: Limits;
  readonly onAnswer: (answer: AnsweredRequest) => void;
  readonly onError: (thrown: unknown) => void;
  /**
   * Reads the options again. New requests use them. Replies that run go on as they began. If the
   * options cannot be used, those from before stay.
   */
  reload(read: () => ServeOptions): void;
}

/** What a service needs to know about its process and its server. */
export interface ServiceContext {
  readonly write: (line: string) => void;
  readonly active: () => number;
  readonly isDraining: () => boolean;
}

/** Options that a reload changes. The others are read at the start alone. */
const reloaded: ReadonlySet<string> = new Set<keyof CommandOptions>([
  "to",
  "strict",
  "normalizeCalls",
  "retries",
  "reask",
  "withheld",
  "note",
  "keepAlive",
  "logInputs",
]);

export function createService(first: ServeOptions, context: ServiceContext): Service {
  let options = first;
  const limits = limitsOf(first);
  const heldTotal = createHeldTotal(limits.maxHeldTotal);
  const log = createLog({ write: context.write, hasInputs: () => options.logInputs });
  const metrics = createMetrics({ active: context.active, heldBytes: () => heldTotal.bytes });
  const state = { isDraining: context.isDraining, metrics: metrics.respond };
  const shared = {
    ...state,
    ...observe(log, metrics),
    hasAdmin: first.adminPort !== undefined,
    limits,
    heldTotal,
    fetch: createUpstreamFetch({ silenceMs: limits.silence }),
  };
  let current = handlerOf(first, shared);
  return {
    handler: (request) => current(request),
    admin: createAdmin(state),
    limits,
    onAnswer(answer) {
      log.answer(answer);
      metrics.countAnswer(answer);
    },
    onError: (thrown) => log.error(undefined, thrown),
    reload(read) {
      try {
        const next = read();
        current = handlerOf(next, shared);
        options = next;
        log.reload({ routes: Object.keys(next.to), needsRestart: changedSince(first, next) });
      } catch (thrown) {
        log.reload({ routes: Object.keys(options.to), error: (thrown as Error).message });
      }
    },
  };
}

const handlerOf = (
  options: ServeOptions,
  shared: Omit<GatewayOptions, "routes" | "guard">,
): GatewayHandler =>
  createGateway({
    ...shared,
    routes: options.to,
    guard: guardOptions(options),
  });

const observe = (log: Log, metrics: Metrics): GatewayObserver => ({
  onReply(route, report) {
    metrics.countReply(route, report);
    log.reply(route, report);
  },
  onUpstream: metrics.countUpstream,
  onUnguarded: log.unguarded,
  onUnreachable(route, code) {
    metrics.countUnreachable(route);
    log.unreachable(route, code);
  },
  onError: log.error,
});

/** The options that changed and that are read at the start alone, as they are written. */
const changedSince = (first: ServeOptions, next: ServeOptions): readonly string[] =>
  Object.entries(next)
    .filter(([name, value]) => {
      const before: unknown = first[name as keyof ServeOptions];
      return !reloaded.has(name) && JSON.stringify(value) !== JSON.stringify(before);
    })
    .map(([name]) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
