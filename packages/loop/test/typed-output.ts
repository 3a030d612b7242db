import type { Outcome, RunEvent, RunOptions } from "@fullstop/loop";
import { type Mock, mock, type Say, type Script } from "@fullstop/provider-mock";
import { z } from "zod";
import { runWatched } from "./tools.ts";

export const forecast: z.ZodObject<{ city: z.ZodString; celsius: z.ZodNumber }> = z.object({
  city: z.string(),
  celsius: z.number(),
});
export const oslo: z.infer<typeof forecast> = { city: "Oslo", celsius: 4 };
export const osloText: string = JSON.stringify(oslo);

/** How a provider takes a schema: in a format of its own, or only as a tool. */
export const modes = ["format", "tool"] as const;
export type Mode = (typeof modes)[number];

/** A model whose provider has a format for objects, or has none. */
export const modelOf = (mode: Mode, script: Script): Mock =>
  mock(script, mode === "format" ? { outputFormat: "always" } : {});

/** A reply that gives the object as this text, in the form that the mode has. */
export const objectReply = (mode: Mode, text: string, stop?: Say["stop"]): Say => ({
  ...(mode === "format" ? { text } : { calls: [{ name: "final_output", inputText: text }] }),
  ...(stop !== undefined && { stop }),
});

interface OutputRun {
  readonly model: Mock;
  readonly outcome: Outcome;
  readonly events: readonly RunEvent[];
}
/** Runs a script with `output`. */
export async function runForOutput(
  mode: Mode,
  script: Script,
  options: Partial<RunOptions> = {},
): Promise<OutputRun> {
  const model = modelOf(mode, script);
  const { outcome, events } = await runWatched({
    adapter: model,
    output: forecast,
    prompt: "Go.",
    ...options,
  });
  return { model, outcome, events };
}
