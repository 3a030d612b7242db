import type { GuardReport } from "@fullstop/guard";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { isOwnPath } from "./own-paths.ts";
import type { AnsweredRequest } from "./server.ts";

/** The figures of a gateway in the format of Prometheus. */
export interface Metrics {
  countReply(route: string, report: GuardReport): void;
  countUpstream(route: string, reply: { readonly status: number; readonly headMs: number }): void;
  countUnreachable(route: string): void;
  countAnswer(answer: AnsweredRequest): void;
  /** The answer to `/metrics`. */
  respond(): Promise<Response>;
}

/** What the figures read when they are asked for. */
export interface GatewayState {
  /** Requests whose replies have not ended. */
  readonly active: () => number;
  /** The bytes that all requests hold together. */
  readonly heldBytes: () => number;
}

/** A model is a label, and clients choose it: further models count as `other`. */
const maxModels = 100;
const maxModelLength = 100;

/** Seconds, up to the time that a model may think before it says anything. */
const buckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

export function createMetrics(state: GatewayState): Metrics {
  const register = new Registry();
  const registers = [register];
  collectDefaultMetrics({ register });
  const replies = createReplyFigures(registers);
  const upstreams = createUpstreamFigures(registers);
  const answered = new Histogram({
    name: "fullstop_request_seconds",
    help: "Time from a request to the end of its reply, by how the reply ended.",
    labelNames: ["end"],
    buckets,
    registers,
  });
  addGauge(registers, "fullstop_active_requests", {
    help: "Requests whose replies have not ended.",
    read: state.active,
  });
  addGauge(registers, "fullstop_held_bytes", {
    help: "What all requests hold together.",
    read: state.heldBytes,
  });
  return {
    countReply(route, report) {
      replies.count(route, report);
      if (report.turn.stopReason === "interrupted") upstreams.broken.inc({ route });
    },
    countUpstream(route, { status, headMs }) {
      upstreams.answers.inc({ route, status: status <= 599 ? status : "other" });
      upstreams.firstByte.observe({ route }, headMs / 1000);
    },
    countUnreachable: (route) => upstreams.broken.inc({ route }),
    countAnswer({ path, end, ms }) {
      if (!isOwnPath(path)) answered.observe({ end }, ms / 1000);
    },
    async respond() {
      const headers = { "content-type": register.contentType };
      return new Response(await register.metrics(), { headers });
    },
  };
}

const addGauge = (
  registers: Registry[],
  name: string,
  { help, read }: { readonly help: string; readonly read: () => number },
): Gauge =>
  new Gauge({
    name,
    help,
    registers,
    collect() {
      this.set(read());
    },
  });

/** What the guard did. */
function createReplyFigures(registers: Registry[]) {
  const replies = new Counter({
    name: "fullstop_replies_total",
    help: "Guarded replies.",
    labelNames: ["protocol", "route", "model", "stop_reason", "action"],
    registers,
  });
  const withheld = new Counter({
    name: "fullstop_withheld_calls_total",
    help: "Tool calls that were withheld, by the rule that their reply failed.",
    labelNames: ["reason"],
    registers,
  });
  const leaked = new Counter({
    name: "fullstop_leaked_calls_total",
    help: "Replies that end in a call which the model wrote as text, by its form.",
    labelNames: ["route", "model", "form"],
    registers,
  });
  const tokens = new Counter({
    name: "fullstop_tokens_total",
    help: "Tokens that the upstreams reported, of input (with cached ones) and of output.",
    labelNames: ["route", "model", "kind"],
    registers,
  });
  const held = new Histogram({
    name: "fullstop_held_seconds",
    help: "Time from the first part of a tool call to the verdict.",
    buckets,
    registers,
  });
  const labelOf = createModelLabels();
  return {
    count(route: string, { protocol, model: name, turn, action, heldMs }: GuardReport): void {
      const model = labelOf(name);
      replies.inc({ protocol, route, model, stop_reason: turn.stopReason, action });
      for (const { reason } of turn.withheld) withheld.inc({ reason });
      if (turn.leakedCall) leaked.inc({ route, model, form: turn.leakedCall.form });
      if (turn.calls.length + turn.withheld.length > 0) held.observe(heldMs / 1000);
      const { input, output } = turn.usage;
      for (const [kind, count] of Object.entries({ input, output }))
        if (count > 0) tokens.inc({ route, model, kind }, count);
    },
  };
}

/** What the upstreams did. */
function createUpstreamFigures(registers: Registry[]) {
  return {
    answers: new Counter({
      name: "fullstop_upstream_answers_total",
      help: "Answers of upstreams, by their status.",
      labelNames: ["route", "status"],
      registers,
    }),
    firstByte: new Histogram({
      name: "fullstop_upstream_first_byte_seconds",
      help: "Time from a request to an upstream to the head of its reply.",
      labelNames: ["route"],
      buckets,
      registers,
    }),
    broken: new Counter({
      name: "fullstop_upstream_broken_total",
      help: "Replies that ended too early, and requests without a reply.",
      labelNames: ["route"],
      registers,
    }),
  };
}

function createModelLabels(): (name: string | undefined) => string {
  const models = new Set<string>();
  return (name = "unknown") => {
    const model = name.slice(0, maxModelLength);
    if (models.size < maxModels) models.add(model);
    return models.has(model) ? model : "other";
  };
}
