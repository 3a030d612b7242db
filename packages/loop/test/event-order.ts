import { isToolCall } from "@fullstop/core";
import type { RunEvent, ToolCall } from "@fullstop/loop";
import { expect } from "vitest";
import { eventsOfType } from "./tools.ts";

/** What the events of one run, or of one sub-agent, may be followed by. */
interface PathState {
  reply: "none" | "requested" | "arriving";
  hasEnded: boolean;
}
type Check = (state: PathState, event: RunEvent) => void;

const preview: Check = (state) => {
  expect(state.reply).toBe("arriving");
};
const anywhere: Check = (state) => {
  expect(state.reply).toBe("none");
};
const checks: Readonly<Record<RunEvent["type"], Check>> = {
  request: (state) => {
    expect(state.reply).toBe("none");
    state.reply = "requested";
  },
  "first-byte": (state) => {
    expect(state.reply).toBe("requested");
    state.reply = "arriving";
  },
  text: preview,
  thinking: preview,
  "tool-input-start": preview,
  "tool-input-delta": preview,
  "tool-input-end": preview,
  output: preview,
  turn: (state, event) => {
    if (event.type === "turn" && event.replayed) expect(state.reply).toBe("none");
    state.reply = "none";
  },
  recovery: anywhere,
  approval: anywhere,
  settlement: anywhere,
  input: anywhere,
  prompt: (state) => {
    expect(state.reply).toBe("requested");
  },
  chunk: (state) => {
    expect(state.reply).toBe("arriving");
  },
  "tool-call": anywhere,
  "tool-progress": anywhere,
  "tool-result": anywhere,
  end: (state) => {
    expect(state.reply).toBe("none");
    state.hasEnded = true;
  },
};

/**
 * Checks the order of all events of a run, each path for itself: a request, its first byte, its
 * previews, its turn; `end` last, and once.
 */
export function checkOrder(events: readonly RunEvent[]): void {
  const states = new Map<string, PathState>();
  for (const event of events) {
    const path = event.path.join(" ");
    const state = states.get(path) ?? { reply: "none", hasEnded: false };
    states.set(path, state);
    expect(state.hasEnded).toBe(false);
    checks[event.type](state, event);
  }
  expect([...states.values()].every(({ hasEnded }) => hasEnded)).toBe(true);
  expect(events.at(-1)).toMatchObject({ type: "end", path: [] });
  expect(new Set(events.map(({ runId }) => runId)).size).toBe(1);
  const times = events.map(({ at }) => at);
  expect(times.every((time, position) => time >= (times[position - 1] ?? 0))).toBe(true);
}

/**
 * Checks that each call which started was issued by the gate, and has one result. `mayWait`: calls
 * in which a sub-agent waits have none yet.
 */
export function checkCalls(events: readonly RunEvent[], mayWait: boolean): void {
  const issued = new Set<ToolCall>(
    eventsOfType(events, "turn").flatMap(({ turn }): readonly ToolCall[] => turn.calls),
  );
  const results = new Map<ToolCall, number>();
  for (const { call } of eventsOfType(events, "tool-result"))
    results.set(call, (results.get(call) ?? 0) + 1);
  expect([...results.values()].every((count) => count === 1)).toBe(true);
  for (const { call, turnNumber } of eventsOfType(events, "tool-call")) {
    expect(isToolCall(call)).toBe(true);
    // The turn that waited was reported by the run before.
    if (turnNumber > 0) expect(issued.has(call)).toBe(true);
  }
  const open = openCalls(events);
  if (!mayWait) expect(open.size).toBe(0);
}

/** The calls that started and have no result. Only they report progress. */
function openCalls(events: readonly RunEvent[]): ReadonlySet<ToolCall> {
  const open = new Set<ToolCall>();
  for (const event of events) {
    if (event.type === "tool-call") open.add(event.call);
    if (event.type === "tool-progress") expect(open.has(event.call)).toBe(true);
    if (event.type === "tool-result") open.delete(event.call);
  }
  return open;
}
