import type { RunEvent } from "@fullstop/loop";
import type { WorkNews } from "./engines/engine.ts";

type Fields = Readonly<Record<string, unknown>>;
/** What the log has of an event. The other events are not logged. */
type LoggedEvents = { readonly [Type in RunEvent["type"]]?: (event: EventOf<Type>) => Fields };
type EventOf<Type> = Extract<RunEvent, { readonly type: Type }>;

const fieldsOf: LoggedEvents = {
  turn: ({ turn, replayed }) => ({ stopReason: turn.stopReason, ...(replayed && { replayed }) }),
  recovery: ({ action }) => ({ action }),
  approval: ({ call, decision }) => ({ call: call.id, tool: call.name, decision }),
  settlement: ({ call, settlement }) => ({ call: call.id, tool: call.name, settlement }),
  "tool-call": ({ call }) => ({ call: call.id, tool: call.name }),
  "tool-progress": ({ call, progress }) => ({ call: call.id, tool: call.name, progress }),
  "tool-result": ({ call, replayed }) => ({
    call: call.id,
    tool: call.name,
    ...(replayed && { replayed }),
  }),
  // The line `end` follows when the journal has it.
  end: ({ outcome: { status, summary } }) => ({ type: "outcome", status, summary }),
};

/** A line of the log of a worker, or nothing. */
export function toLogLine(news: WorkNews): Fields | undefined {
  if (news.type !== "event") return news;
  const { runId, event } = news;
  const describe = fieldsOf[event.type] as ((event: RunEvent) => Fields) | undefined;
  return describe && { type: event.type, runId, ...describe(event) };
}
