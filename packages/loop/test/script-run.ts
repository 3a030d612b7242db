import { validateHistory } from "@fullstop/core";
import type { Message, Outcome, RunEvent, RunOptions, Tool } from "@fullstop/loop";
import { type Mock, mock, type Say, type Script } from "@fullstop/provider-mock";
import { expect } from "vitest";
import { recorder, runWatched } from "./tools.ts";

export const call = (name: string, input: object = {}): Say => ({ calls: [{ name, input }] });
export const calls = (...names: readonly string[]): Say => ({
  calls: names.map((name) => ({ name, input: {} })),
});
export const repeat = (count: number, ...steps: readonly Say[]): readonly Say[] =>
  Array.from({ length: count }, () => steps).flat();
/** A tool whose calls all fail. */
export const failing = (name: string): ReturnType<typeof recorder> =>
  recorder(name, () => {
    throw new Error("No.");
  });
export const resultsIn = (messages: readonly Message[]): readonly string[] =>
  messages.flatMap((message) =>
    message.role === "tool" ? message.content.map(({ content }) => String(content)) : [],
  );

interface ScriptRun {
  readonly model: Mock;
  readonly outcome: Outcome;
  readonly events: readonly RunEvent[];
  /** The texts of all tool results. */
  readonly results: readonly string[];
}
/** Runs a script, and checks that the conversation is valid. */
export async function runScript(
  script: Script,
  tools: readonly Tool[],
  options: Partial<RunOptions> = {},
): Promise<ScriptRun> {
  const model = mock(script);
  const { outcome, events } = await runWatched({
    adapter: model,
    tools,
    prompt: "Go.",
    ...options,
  });
  expect(validateHistory(outcome.messages)).toEqual([]);
  return { model, outcome, events, results: resultsIn(outcome.messages) };
}
