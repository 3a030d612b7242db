import type { Emit, ErrorTable } from "@fullstop/core";
import { createChoices, isMessage } from "./choices.ts";
import { type ChatBody, type ChatEvent, done, type NativeUsage } from "./events.ts";
import { emitFailure, failureIn } from "./failure.ts";
import type { ReplyQuirks } from "./quirks.ts";
import { readUsage } from "./usage.ts";

export interface DecoderOptions {
  readonly quirks: ReplyQuirks;
  /** Codes of errors inside a reply. */
  readonly errors: ErrorTable;
}

/** Reads one reply: chunks, or a whole completion. Throws where a piece contradicts what came before. */
export function createDecoder(emit: Emit, { quirks, errors }: DecoderOptions): (event: ChatEvent) => void {
  const choices = createChoices(emit, quirks);
  let begun = false;
  const take = ({ id, model, choices: list }: ChatBody): boolean => {
    const isWhole = list?.some(isMessage) ?? false;
    if (isWhole && begun) throw new Error("The reply sends a whole message behind its pieces.");
    if (list && !begun) emit({ type: "meta", id: id ?? undefined, model: model ?? undefined });
    begun ||= Boolean(list);
    for (const choice of list ?? []) choices.take(choice);
    return isWhole;
  };
  return (event) => {
    if (event === done) return choices.end();
    const failure = failureIn(event);
    if (failure !== undefined) return emitFailure(emit, failure, errors);
    const isWhole = take(event);
    const usage = usageIn(event);
    if (usage) emit({ type: "usage", usage: readUsage(usage, quirks.reasoningTokens, choices.reasoned()) });
    if (isWhole) choices.end();
  };
}

/** Where hosts put it: at the top, inside the last choice (Kimi), in a member of their own (Groq). */
function usageIn({ usage, x_groq: groq, choices }: ChatBody): NativeUsage | null | undefined {
  return usage ?? groq?.usage ?? choices?.find((choice) => choice.usage)?.usage;
}
