import { type Outcome, type RunEvent, type RunOptions, run } from "@fullstop/loop";
import { mock, type Script } from "@fullstop/provider-mock";
import type { McpTools } from "../src/index.ts";

/** Runs a script with the tools of servers. Everything is approved unless `options` says otherwise. */
export async function runTools(
  mcp: McpTools,
  script: Script,
  options: Partial<RunOptions> = {},
): Promise<{
  readonly outcome: Outcome;
  readonly events: readonly RunEvent[];
  readonly results: readonly Extract<RunEvent, { type: "tool-result" }>[];
  readonly requests: ReturnType<typeof mock>["requests"];
}> {
  const events: RunEvent[] = [];
  const adapter = mock(script);
  const outcome = await run({
    adapter,
    tools: mcp.tools,
    beforeTurn: mcp.beforeTurn,
    prompt: "Go.",
    approve: () => true,
    onEvent: (event) => void events.push(event),
    ...options,
  }).outcome();
  const results = events.filter((event) => event.type === "tool-result");
  return { outcome, events, results, requests: adapter.requests };
}

/** A script that calls one tool, and ends. */
export const callOnce = (name: string, input: object = {}): Script => [
  { calls: [{ name, input: { ...input } }] },
  "Done.",
];
