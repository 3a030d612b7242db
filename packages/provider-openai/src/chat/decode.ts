import type { Decoder, Emit, ErrorTable } from "@fullstop/core/adapter";
import { createChoices } from "./choices.ts";
import { isMessage } from "./delta.ts";
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

/**
 * Reads one reply: chunks, or a whole completion. Throws where a piece contradicts what came before.
 *
 * | question                        | answer                                                                                                   |
 * |---------------------------------|----------------------------------------------------------------------------------------------------------|
 * | which call is a piece of?       | that of its `index`; without one, of its id; without both, that at its place in the list, or the last one |
 * | what is another call there?     | another id with a name; behind a whole object, another name, or the same one with an object of its own     |
 * | what is not a call of its own?  | a piece that says nothing; `function_call` beside `tool_calls`; what says an input again, from its beginning |
 * | what closes a call?             | nothing of its own: the end of the reply closes all                                                       |
 * | what ends the reply?            | `finish_reason`, until content follows; from then on, or if choices are merged, only `[DONE]` or a whole body |
 * | what makes the end worse?       | each further `finish_reason`, and `native_finish_reason`                                                  |
 * | what ends it without a word?    | `[DONE]` or a whole body, if the host never says a word, or if its usage report shows that it finished       |
 * | what contradicts the whole?     | an index that is missing between two calls; a `function_call` that is none of the `tool_calls` (`whole.ts`)  |
 */
export function createDecoder(emit: Emit, { quirks, errors }: DecoderOptions): Decoder<ChatEvent> {
  const choices = createChoices(emit, quirks);
  let begun = false;
  let counted = false;
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
  const read = (event: ChatEvent): void => {
    if (event === done) return choices.end(counted);
    const failure = failureIn(event);
    if (failure !== undefined) return emitFailure(emit, failure, errors);
    const isWhole = event.choices ? take(event, event.choices) : false;
    const native = usageIn(event);
    if (native) {
      const usage = readUsage(native, quirks.reasoningTokens, choices.reasoned());
      counted = (usage.output ?? 0) > 0;
      emit({ type: "usage", usage });
    }
    if (isWhole) choices.end(counted);
  };
  return Object.assign(read, { settle: choices.check });
}

/** Where hosts put it: at the top, in a member of their own (Groq), inside the choice (Kimi). */
function usageIn({ usage, x_groq: groq, choices }: ChatBody): NativeUsage | null | undefined {
  return usage ?? groq?.usage ?? choices?.[0]?.usage;
}
