import type { Message } from "../contract/message.ts";
import { isRecord } from "../json/fields.ts";
import { isFrozenDeep } from "../json/freeze.ts";

interface FoldSteps<State, Context> {
  begin(context: Context): State;
  add(state: State, message: Message): void;
  /** Whether a state that was read for another context is valid for this one. */
  holds?(state: State, context: Context): boolean;
}
interface ReadHistory<State> {
  readonly messages: Message[];
  readonly state: State;
}

/**
 * Reads a history message by message and keeps the result. If a history continues an earlier one,
 * reading starts where that one ended: a run sends its whole history at each turn, but each message
 * is read once. This holds for frozen messages; a history with other messages is read from its
 * beginning each time.
 */
export function createFold<State, Context = void>({
  begin,
  add,
  holds,
}: FoldSteps<State, Context>): (messages: readonly Message[], context: Context) => State {
  /** By the last message. A longer history takes the state over: states are changed in place. */
  const known = new WeakMap<Message, ReadHistory<State>>();

  const earlier = (
    messages: readonly Message[],
    context: Context,
  ): ReadHistory<State> | undefined => {
    for (let at = messages.length - 1; at >= 0; at--) {
      const found = known.get(messages[at] as Message);
      if (
        found &&
        found.messages.length === at + 1 &&
        startsWith(messages, found.messages) &&
        (holds?.(found.state, context) ?? true)
      )
        return found;
    }
    return undefined;
  };

  return (messages: readonly Message[], context: Context): State => {
    const found = earlier(messages, context);
    const isLasting = messages.slice(found?.messages.length ?? 0).every(isFrozenDeep);
    const { messages: read, state } = (isLasting ? found : undefined) ?? {
      messages: [],
      state: begin(context),
    };
    // If `add` throws, its state must not be used again.
    const before = read.at(-1);
    if (before !== undefined) known.delete(before);
    for (let at = read.length; at < messages.length; at++) {
      const message = messages[at] as Message;
      add(state, message);
      read.push(message);
    }
    const last = read.at(-1);
    if (isLasting && isRecord(last)) known.set(last, { messages: read, state });
    return state;
  };
}

const startsWith = (messages: readonly Message[], beginning: readonly Message[]): boolean =>
  beginning.every((message, at) => message === messages[at]);
