import type { Emit, ErrorTable } from "@fullstop/core";
import { createChoices, isMessage } from "./choices.ts";
import { type ChatBody, type ChatEvent, type Choice, done, type NativeUsage } from "./events.ts";
import { emitFailure, failureIn } from "./failure.ts";
import type { ReplyQuirks } from "./quirks.ts";
import { readUsage } from "./usage.ts";

/** What a host does otherwise in its replies. */
export interface DecoderOptions {
  readonly quirks: ReplyQuirks;
  /** Codes of errors inside a reply. */
  readonly errors: ErrorTable;
}

/** Reads one reply: chunks, or a whole completion. Throws where a piece contradicts what came before. */
export function createDecoder(emit: Emit, { quirks, errors }: DecoderOptions): (event: ChatEvent) => void {
  const choices = createChoices(emit, quirks);
  let begun = false;
  const begin = ({ id, model }: ChatBody): void => {
    begun = true;
    emit({ type: "meta", id: id ?? undefined, model: model ?? undefined });
  };
  const take = (event: ChatBody, list: readonly Choice[]): boolean => {
    const isWhole = list.length > 0 && list.some(isMessage);
    if (isWhole && begun) throw new Error("The reply sends a whole message behind its pieces.");
    if (!begun) begin(event);
    for (const choice of list) choices.take(choice);
    return isWhole;
  };
  return (event) => {
    if (event === done) return choices.end();
    const failure = failureIn(event);
    if (failure !== undefined) return emitFailure(emit, failure, errors);
    const isWhole = event.choices ? take(event, event.choices) : false;
    const usage = usageIn(event);
    if (usage) emit({ type: "usage", usage: readUsage(usage, quirks.reasoningTokens, choices.reasoned()) });
    if (isWhole) choices.end();
  };
}

/** Where hosts put it: at the top, in a member of their own (Groq), inside the choice (Kimi). */
function usageIn({ usage, x_groq: groq, choices }: ChatBody): NativeUsage | null | undefined {
  return usage ?? groq?.usage ?? choices?.[0]?.usage;
}
