import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTemporaryFolder } from "@fullstop/conformance-cli/folders";
import { explain } from "@fullstop/core";
import {
  type Adapter,
  type Message,
  type Observer,
  type Outcome,
  type RunEvent,
  run,
  type Turn,
} from "@fullstop/loop";
import type { Input } from "./fault.ts";
import { createFileTools, readFiles } from "./files.ts";
import { notes } from "./project.ts";
import { type ProviderName, providers } from "./providers.ts";
import { caps, exchanges, recovery, scriptedRuns } from "./script.ts";
import { type ReceivedRequest, startServer } from "./server.ts";
import { judge, type Verdict } from "./verdict.ts";

type RunTurnEvent = Extract<RunEvent, { readonly type: "turn" }>;
/**
 * The demo has its own requests, taken from the server, and its own end. It has no approvals,
 * settlements, progress and outputs.
 */
const hiddenTypes = [
  "request",
  "first-byte",
  "approval",
  "settlement",
  "input",
  "prompt",
  "chunk",
  "tool-progress",
  "output",
  "end",
] as const;
type HiddenRunEvent = Extract<RunEvent, { readonly type: (typeof hiddenTypes)[number] }>;
type ShownRunEvent = Exclude<RunEvent, HiddenRunEvent>;
const isShown = (event: RunEvent): event is ShownRunEvent =>
  !hiddenTypes.some((type) => type === event.type);

/** What happens in the demo, in order. */
export type DemoEvent =
  /** `adapter`: the factory, the protocol and the SDK in words. */
  | {
      readonly type: "start";
      readonly folder: string;
      readonly provider: ProviderName;
      readonly adapter: string;
      readonly url: string;
      readonly replies: number;
    }
  | { readonly type: "prompt"; readonly text: string }
  | ({ readonly type: "request" } & ReceivedRequest)
  | Exclude<ShownRunEvent, RunTurnEvent>
  /** `person`: the gate's verdict in words. */
  | (RunTurnEvent & { readonly reply: number; readonly cap: number; readonly person: string })
  | {
      readonly type: "outcome";
      readonly status: Outcome["status"];
      readonly summary: string;
      readonly text: string;
    }
  | { readonly type: "file"; readonly path: string; readonly content: string }
  | ({ readonly type: "verdict"; readonly seconds: number } & Verdict)
  | { readonly type: "end"; readonly folder: string; readonly kept: boolean };

export type EventOf<Type extends DemoEvent["type"]> = Extract<DemoEvent, { readonly type: Type }>;

export interface DemoOptions {
  readonly provider: ProviderName;
  readonly onEvent: (event: DemoEvent) => void;
  readonly signal: AbortSignal;
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Keeps the folder. By default it is removed. */
  readonly keep?: boolean | undefined;
  /** Observes the runs too. */
  readonly recorder?: Observer | undefined;
  /** Replaces the adapter, for example by a broken one. */
  readonly adapt?: ((real: Adapter) => Adapter) | undefined;
}

/**
 * Plays the script with a real agent in a temporary folder, and judges what it did.
 * Returns `undefined` if the signal aborted it.
 */
export async function playDemo({
  keep = false,
  ...options
}: DemoOptions): Promise<Verdict | undefined> {
  const { onEvent, signal } = options;
  const began = performance.now();
  const folder = createTemporaryFolder("fullstop-demo-");
  try {
    writeFileSync(join(folder, "notes.md"), notes);
    const verdict = await playIn(folder, options);
    if (signal.aborted) return undefined;
    onEvent({ type: "verdict", seconds: (performance.now() - began) / 1000, ...verdict });
    return verdict;
  } finally {
    if (!keep) rmSync(folder, { recursive: true, force: true });
    onEvent({ type: "end", folder, kept: keep });
  }
}

async function playIn(
  folder: string,
  {
    provider: name,
    onEvent,
    signal,
    fetch,
    adapt = (real) => real,
    recorder,
  }: Omit<DemoOptions, "keep">,
): Promise<Verdict> {
  const provider = providers[name];
  const server = await startServer(provider, (request) => onEvent({ type: "request", ...request }));
  const { url, requests } = server;
  try {
    onEvent({
      type: "start",
      folder,
      provider: name,
      adapter: provider.about,
      url,
      replies: exchanges.length,
    });
    const executed: Input[] = [];
    const turns: Turn[] = [];
    const tools = createFileTools(folder, (execution) => executed.push(execution));
    const adapter = adapt(
      await provider.connect({ url, apiKey: "no-key-needed", fetch, maxTokens: caps }),
    );
    const onRunEvent = (event: RunEvent): void => {
      if (!isShown(event)) return;
      if (event.type !== "turn") return onEvent(event);
      if (event.turn.calls[0]?.by !== "loop") turns.push(event.turn);
      const { person } = explain(event.turn);
      onEvent({ ...event, reply: requests.length, cap: requests.at(-1)?.cap ?? 0, person });
    };
    const observers = [onRunEvent, ...(recorder === undefined ? [] : [recorder])];
    const ask: Ask = (prompt, messages) => {
      const system = "You build small web pages.";
      const options = { adapter, tools, messages, prompt, signal, recovery, system };
      return run({ ...options, onEvent: observers }).outcome();
    };
    const outcomes = await playRuns(ask, onEvent);
    const files = readFiles(folder);
    for (const [path, content] of signal.aborted ? [] : files)
      onEvent({ type: "file", path, content });
    return judge({ files, executed, requests, turns, outcomes });
  } finally {
    await server.close();
  }
}

type Ask = (prompt: string, messages: readonly Message[]) => Promise<Outcome>;

/** Plays the runs, each with the conversation so far, until one ends with another status. */
async function playRuns(
  ask: Ask,
  onEvent: DemoOptions["onEvent"],
): Promise<readonly Outcome["status"][]> {
  const statuses: Outcome["status"][] = [];
  let messages: readonly Message[] = [];
  for (const { prompt, status: expected } of scriptedRuns) {
    onEvent({ type: "prompt", text: prompt });
    const outcome = await ask(prompt, messages);
    const { status, summary, text } = outcome;
    statuses.push(status);
    onEvent({ type: "outcome", status, summary, text });
    if (status !== expected) break;
    messages = outcome.messages;
  }
  return statuses;
}
