import { rmSync } from "node:fs";
import { type Answer, serve } from "@fullstop/conformance/server";
import { createTemporaryFolder } from "@fullstop/conformance-cli/folders";
import { guard } from "@fullstop/guard";
import { runAgent } from "./agent.ts";
import { callReply, outputCap, type SentCall, textReply } from "./events.ts";
import { type Effect, type Scene, scenes } from "./scenes.ts";

/** What became of one scene, with or without the guard. */
export interface SceneResult extends Effect {
  /** How the agent ended: the last text of the model, or an error. */
  readonly end: string;
  readonly requests: number;
}
/** What happens, in order. */
export type GuardedEvent =
  | { readonly type: "scene"; readonly title: string; readonly prompt: string }
  | ({ readonly type: "result"; readonly guarded: boolean } & SceneResult)
  | { readonly type: "verdict"; readonly ok: boolean; readonly harmed: number };

interface PlayOptions {
  readonly onEvent: (event: GuardedEvent) => void;
  readonly signal: AbortSignal;
}

/**
 * Runs the same agent in each scene, first without and then with the guard. Resolves with whether
 * nothing was harmed with the guard, and something without.
 */
export async function playGuarded({ onEvent, signal }: PlayOptions): Promise<boolean> {
  const harmed = { without: 0, with: 0 };
  for (const scene of scenes) {
    onEvent({ type: "scene", title: scene.title, prompt: scene.prompt });
    const open = await playScene(scene, globalThis.fetch, signal);
    onEvent({ type: "result", guarded: false, ...open });
    const guarded = await playScene(scene, guard(), signal);
    onEvent({ type: "result", guarded: true, ...guarded });
    if (!open.isSafe) harmed.without++;
    if (!guarded.isSafe) harmed.with++;
  }
  const ok = harmed.with === 0 && harmed.without > 0;
  onEvent({ type: "verdict", ok, harmed: harmed.without });
  return ok;
}

async function playScene(
  scene: Scene,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
): Promise<SceneResult> {
  const folder = createTemporaryFolder("fullstop-guarded-");
  try {
    scene.prepare(folder);
    const server = await serve(createModel(scene));
    const { text, requests } = await runAgent({
      url: server.url,
      folder,
      prompt: scene.prompt,
      maxTokens: outputCap,
      fetch,
      signal,
    }).finally(() => server.close());
    return { ...scene.look(folder), end: text, requests };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Answers with the call of the scene, and ends the conversation after a result. */
function createModel({ call, again = call }: Scene): (received: { body: string }) => Answer {
  let asked = 0;
  return ({ body }) => {
    if (body.includes('"tool_result"')) return streamOf(textReply("Done."));
    const sent: SentCall = asked === 0 ? call : again;
    asked++;
    const text = callReply(sent, `toolu_demo_${asked}`);
    return { ...streamOf(text), fault: sent.stopReason === undefined ? "reset" : undefined };
  };
}

const streamEncoder = new TextEncoder();
const streamOf = (text: string): Answer => ({
  headers: { "content-type": "text/event-stream; charset=utf-8" },
  chunks: [streamEncoder.encode(text)],
});
