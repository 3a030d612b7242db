import { type Message, type ToolResultBlock, validateHistory } from "@fullstop/core";
import {
  type JournalOptions,
  jsonSchema,
  type Outcome,
  type RunOptions,
  run,
  type Settle,
  type Tool,
} from "@fullstop/loop";
import { type Journal, JournalError } from "@fullstop/loop/journal";
import { mock, type Say } from "@fullstop/provider-mock";
import { appendLine, type LogEvent } from "../log.ts";
import type { WorkerSpec } from "../spec.ts";
import type { KnownEffect } from "../witness.ts";
import { idempotentTools, itemAt, script } from "./script.ts";

/** Runs or resumes the run of the spec in this journal. Logs how it ended. */
export async function live(
  spec: WorkerSpec,
  store: Journal,
): Promise<Outcome["status"] | undefined> {
  const log = createLog(spec);
  try {
    const journal = { store, runId: spec.run, ...createSettle(spec, log) };
    const { status, text } = await run({ ...createAgent(spec, log), journal }).outcome();
    if (status !== "aborted") log({ event: "ended", status, text });
    return status;
  } catch (thrown) {
    // The journal's own errors are logged where they come from.
    if (!(thrown instanceof JournalError))
      log({ event: "rejected", kind: "other", message: String(thrown) });
    return undefined;
  }
}

/** The options of the run, without its journal. */
export const createAgent = (
  spec: WorkerSpec,
  log: Log,
): Pick<RunOptions, "adapter" | "prompt" | "tools" | "onEvent"> => ({
  adapter: mock(
    script.map(
      () =>
        ({ messages }) =>
          answer(messages, log),
    ),
  ),
  prompt: "Go.",
  tools: createTools(spec),
  onEvent: (event) => {
    if (event.type === "tool-result" && event.inDoubt)
      log({ event: "doubted", item: String(event.call.input["item"]) });
    if (event.type !== "end" || event.outcome.status === "aborted") return;
    const { messages } = event.outcome;
    logResults(messages, log);
    log({ event: "conversation", problems: validateHistory(messages).length });
  },
});

export type Log = (event: LogEvent) => void;
export const createLog =
  ({ run: name, worker, log }: Pick<WorkerSpec, "run" | "worker" | "log">): Log =>
  (event) =>
    appendLine(log, { run: name, worker, ...event });

/** The model: it follows the script, and logs which results it got. */
function answer(messages: readonly Message[], log: Log): string | Say {
  logResults(messages, log);
  const turn = messages.filter(({ role }) => role === "assistant").length;
  return script[turn] ?? "Too far.";
}

function logResults(messages: readonly Message[], log: Log): void {
  const turns = messages.flatMap((message): readonly (readonly ToolResultBlock[])[] =>
    message.role === "tool" ? [message.content] : [],
  );
  for (const [turn, results] of turns.entries())
    for (const [position, { content }] of results.entries())
      log({ event: "given", item: itemAt(turn, position), result: summarize(String(content)) });
}

/** A receipt, or what came instead. The same for the text of a result and for its JSON. */
export function summarize(text: string): string {
  const [receipt] = /receipt \d+/.exec(text) ?? [];
  return receipt ?? (text.includes("outcome is unknown") ? "unknown" : "error");
}

async function ask<T>({ witness }: WorkerSpec, body: object, signal?: AbortSignal): Promise<T> {
  const response = await fetch(witness, {
    method: "POST",
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
  return (await response.json()) as T;
}

/** Asks for something to be done to the connections of the journal, or to the journal. */
export const cut = (spec: WorkerSpec, how: string): Promise<object> =>
  ask(spec, { cut: how, run: spec.run });

/** Somebody who asks the witness, if the spec has one. */
export function createSettle(spec: WorkerSpec, log: Log): Pick<JournalOptions, "settle"> {
  const settle: Settle = async ({ input }) => {
    const item = String(input["item"]);
    const { receipt } = await ask<KnownEffect>(spec, { known: `${spec.run} ${item}` });
    log({
      event: "settled",
      item,
      settlement: receipt === undefined ? "did-not-happen" : "result",
    });
    return receipt === undefined ? "did-not-happen" : { result: receipt };
  };
  return spec.settles ? { settle } : {};
}

const object = (amount: object): object => ({
  type: "object",
  properties: { item: { type: "string" }, amount },
  required: ["item"],
});

/**
 * Release 2 renames `put`, removes `ship`, adds `audit`, and takes smaller amounts in `charge`.
 */
function createTools(spec: WorkerSpec): readonly Tool[] {
  const made = (name: string, ms: number, amount: object = { type: "number" }): Tool => ({
    name,
    description: name,
    inputSchema: jsonSchema(object(amount)),
    idempotent: idempotentTools.has(name),
    execute: (async ({ item }: { readonly item: string }, { signal }) => {
      const { run: name_, worker } = spec;
      const effect = { run: name_, worker, item, ms };
      const { receipt } = await ask<KnownEffect>(spec, effect, signal);
      return `${receipt}: ${name} ${item}`;
    }) as NonNullable<Tool["execute"]>,
  });
  const look = made("look", 5);
  if (spec.release === 2)
    return [look, made("store", 20), made("audit", 5), made("charge", 30, { maximum: 50 })];
  return [look, made("put", 20), made("charge", 30), made("ship", spec.slowMs)];
}
