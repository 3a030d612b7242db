import type { GuardReport } from "@fullstop/guard";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** The figures of a gateway in the format of Prometheus. */
export interface Metrics {
  countReply(route: string, report: GuardReport): void;
  countUnreachable(route: string): void;
  /** The answer to `/metrics`. */
  respond(): Promise<Response>;
}

/** A model is a label, and clients choose it: further models count as `other`. */
const maxModels = 100;
const maxModelLength = 100;

export function createMetrics({ active }: { readonly active: () => number }): Metrics {
  const register = new Registry();
  const registers = [register];
  collectDefaultMetrics({ register });
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
  const held = new Histogram({
    name: "fullstop_held_seconds",
    help: "Time from the first part of a tool call to the verdict.",
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300],
    registers,
  });
  const broken = new Counter({
    name: "fullstop_upstream_broken_total",
    help: "Replies that ended too early, and requests without a reply.",
    labelNames: ["route"],
    registers,
  });
  new Gauge({
    name: "fullstop_active_requests",
    help: "Requests whose replies have not ended.",
    registers,
    collect() {
      this.set(active());
    },
  });
  const models = new Set<string>();
  const modelLabel = (name = "unknown"): string => {
    const model = name.slice(0, maxModelLength);
    if (models.size < maxModels) models.add(model);
    return models.has(model) ? model : "other";
  };
  return {
    countReply(route, { protocol, model, turn, action, heldMs }) {
      replies.inc({
        protocol,
        route,
        model: modelLabel(model),
        stop_reason: turn.stopReason,
        action,
      });
      for (const { reason } of turn.withheld) withheld.inc({ reason });
      if (turn.calls.length + turn.withheld.length > 0) held.observe(heldMs / 1000);
      if (turn.stopReason === "interrupted") broken.inc({ route });
    },
    countUnreachable: (route) => broken.inc({ route }),
    async respond() {
      const headers = { "content-type": register.contentType };
      return new Response(await register.metrics(), { headers });
    },
  };
}
