import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { explain } from "@fullstop/core";
import {
  type Adapter,
  type Message,
  type Outcome,
  type RunEvent,
  run,
  type Turn,
} from "@fullstop/loop";
import type { DemoEvent } from "./event.ts";
import { filesIn, fileTools } from "./files.ts";
import { notes } from "./project.ts";
import { type ProviderName, providers } from "./providers.ts";
import { attempts, caps, type Input, scenes, steps } from "./script.ts";
import { type Server, startServer } from "./server.ts";
import { judge, type Verdict } from "./verdict.ts";

export interface DemoOptions {
  readonly provider: ProviderName;
  readonly show: (event: DemoEvent) => void;
  readonly signal: AbortSignal;
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Leaves the folder where it is. */
  readonly keep?: boolean | undefined;
  /** Puts another adapter in the place of the real one, such as one that is broken. */
  readonly adapt?: ((real: Adapter) => Adapter) | undefined;
}

/** Plays the script with a real agent in a folder of its own, and judges what it did. No verdict where it was interrupted. */
export async function demo({
  show,
  signal,
  keep = false,
  ...options
}: DemoOptions): Promise<Verdict | undefined> {
  const began = performance.now();
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "fullstop-demo-")));
  try {
    writeFileSync(join(folder, "notes.md"), notes);
    const verdict = await play({ ...options, folder, signal, show });
    if (signal.aborted) return undefined;
    show({ type: "verdict", seconds: (performance.now() - began) / 1000, ...verdict });
    return verdict;
  } finally {
    if (!keep) rmSync(folder, { recursive: true, force: true });
    show({ type: "end", folder, kept: keep });
  }
}

type Stage = Omit<DemoOptions, "keep"> & { readonly folder: string };

async function play({
  provider: name,
  show,
  signal,
  fetch,
  adapt = (real) => real,
  folder,
}: Stage): Promise<Verdict> {
  const provider = providers[name];
  const server = await startServer(provider, (asked) => show({ type: "request", ...asked }));
  const { url } = server;
  try {
    show({
      type: "start",
      folder,
      provider: name,
      adapter: provider.about,
      url,
      replies: steps.length,
    });
    const executed: Input[] = [];
    const tools = fileTools(folder, (execution) => executed.push(execution));
    const adapter = adapt(
      await provider.connect({ url, apiKey: "no-key-needed", fetch, maxTokens: caps }),
    );
    const turns: Turn[] = [];
    const onEvent = (event: RunEvent): void => {
      if (event.type === "turn" && event.turn.calls[0]?.by !== "loop") turns.push(event.turn);
      show(
        event.type === "turn"
          ? { ...event, ...lastAsked(server), person: explain(event.turn).person }
          : event,
      );
    };
    const outcomes = await talk((prompt, messages) => {
      show({ type: "prompt", text: prompt });
      return run({
        adapter,
        tools,
        messages,
        prompt,
        signal,
        onEvent,
        attempts,
        system: "You build small web pages.",
      }).outcome();
    }, show);
    const files = filesIn(folder);
    for (const [path, content] of signal.aborted ? [] : files)
      show({ type: "file", path, content });
    return judge({ files, executed, asked: server.asked, turns, outcomes });
  } finally {
    await server.close();
  }
}

const lastAsked = ({ asked }: Server): { readonly reply: number; readonly cap: number } => ({
  reply: asked.length,
  cap: asked.at(-1)?.cap ?? 0,
});

/** One run after the other, each going on with the conversation, until one ends otherwise than it should. */
async function talk(
  ask: (prompt: string, messages: readonly Message[]) => Promise<Outcome>,
  show: DemoOptions["show"],
): Promise<readonly Outcome["status"][]> {
  const statuses: Outcome["status"][] = [];
  let messages: readonly Message[] = [];
  for (const scene of scenes) {
    const outcome = await ask(scene.prompt, messages);
    statuses.push(outcome.status);
    show({ type: "outcome", status: outcome.status, summary: outcome.summary, text: outcome.text });
    if (outcome.status !== scene.status) break;
    messages = outcome.messages;
  }
  return statuses;
}
