import { readFile, rm } from "node:fs/promises";
import { inspect } from "node:util";
import { type Adapter, ProviderError, readTurn, type Turn } from "@fullstop/core";
import { record } from "@fullstop/inspect";
import { fileJournal } from "@fullstop/journal-file";
import { type Outcome, type RunEvent, run } from "@fullstop/loop";
import { traceRuns } from "@fullstop/otel";
import {
  InMemorySpanExporter,
  SimpleSpanProcessor,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { expect } from "vitest";
import { findLeaks, type VisibleTexts, visibleTexts, type Written } from "./shown.ts";

/** A turn and a run of one adapter, and all texts about them. */
export interface Seen {
  readonly turn: Turn;
  readonly outcome: Outcome;
  readonly written: Written;
  readonly shown: VisibleTexts;
}

/** `path`: where the files of this run begin. */
export async function seenOf(adapter: Adapter, path: string, idleMs = 30_000): Promise<Seen> {
  const turn = await readTurn(
    adapter,
    { messages: [{ role: "user", content: "Go." }] },
    { idleMs },
  );
  const observers = observe(path);
  const outcome = await run({
    adapter,
    prompt: "Go.",
    journal: { store: fileJournal(`${path}.journal`), runId: "run" },
    limits: { idleMs },
    recovery: { requests: 1, maxWaitMs: 0 },
    onEvent: observers.onEvent,
  }).outcome();
  const written = await observers.written();
  return { turn, outcome, written, shown: visibleTexts(turn, outcome, written) };
}

/**
 * Everything that can observe a run. The details of events are left out: they are what a provider
 * sent, word for word. In a recording `@fullstop/inspect` looks for keys in them.
 */
function observe(path: string) {
  const events: RunEvent[] = [];
  const recorder = record(`${path}.recording`, { redactKeys: false });
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  const trace = traceRuns({ tracer: provider.getTracer("secrets"), content: true });
  return {
    onEvent: [
      (event: RunEvent) => void events.push(event),
      (event: RunEvent) => recorder(event),
      trace,
    ],
    written: async (): Promise<Written> => {
      await recorder.close();
      await provider.forceFlush();
      const spans = exporter
        .getFinishedSpans()
        .map(({ name, attributes, events: inside, status }) =>
          inspect({ name, attributes, inside, status }, { depth: null, maxStringLength: null }),
        );
      const [journal, recording] = await Promise.all(
        [".journal", ".recording"].map((end) => readFile(`${path}${end}`, "utf8")),
      );
      await Promise.all([".journal", ".recording"].map((end) => rm(`${path}${end}`)));
      return {
        events,
        journal: journal ?? "",
        recording: recording ?? "",
        spans: spans.join("\n"),
      };
    },
  };
}

/** Fails if a text of the run contains the secret. */
export function expectNoSecret({ turn, outcome, shown, written }: Seen, secret: string): void {
  expect([turn.calls, "error" in turn, outcome.status]).toEqual([[], true, "failed"]);
  expect(written.spans).not.toBe("");
  expect(findLeaks(shown, secret)).toEqual([]);
  const control = withSecret({ turn, outcome }, secret);
  expect(findLeaks(control, secret)).toEqual(Object.keys(control));
}

/** The same texts with the secret in each place, to show that it is found there. */
function withSecret({ turn, outcome }: Pick<Seen, "turn" | "outcome">, secret: string) {
  const leaking = new ProviderError(`It failed: ${secret}`, {
    kind: "server",
    cause: new Error(secret),
  });
  const planted = { ...turn, stopReason: "error", error: leaking } as Turn;
  const event = { type: "end", outcome: { summary: leaking.message } } as unknown as RunEvent;
  return visibleTexts(
    planted,
    { ...outcome, turn: planted, summary: leaking.message },
    {
      events: [event],
      journal: leaking.message,
      recording: leaking.message,
      spans: leaking.message,
    },
  );
}
