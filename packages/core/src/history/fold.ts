import type { Message } from "../contract/message.ts";
import { isFrozenDeep } from "../json/freeze.ts";

/** How a history is read: a state to begin with, and what each message adds to it. */
interface Rules<State, Context> {
  begin(context: Context): State;
  add(state: State, message: Message): void;
  /** Does what was read before hold here too? */
  holds?(state: State, context: Context): boolean;
}
interface Known<State> {
  readonly messages: Message[];
  readonly state: State;
}

/**
 * Reads a history message by message and keeps what came of it. A history that goes on where an earlier one ended is read from there:
 * a run sends its whole history at each turn, and looks at each message once. That holds for messages that nothing can change;
 * a history with others is read from its beginning each time.
 */
export function createFold<State, Context = void>({
  begin,
  add,
  holds,
}: Rules<State, Context>): (messages: readonly Message[], context: Context) => State {
  /** By the last message. Who goes on takes it along, because states grow in place. */
  const known = new WeakMap<Message, Known<State>>();

  const earlier = (messages: readonly Message[], context: Context): Known<State> | undefined => {
    for (let at = messages.length - 1; at >= 0; at--) {
      const found = known.get(messages[at] as Message);
      if (
        found &&
        found.messages.length === at + 1 &&
        begins(messages, found.messages) &&
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
    // What `add` throws at leaves a state that nobody may go on with.
    const before = read.at(-1);
    if (before !== undefined) known.delete(before);
    for (let at = read.length; at < messages.length; at++) {
      const message = messages[at] as Message;
      add(state, message);
      read.push(message);
    }
    const last = read.at(-1);
    if (isLasting && last !== undefined) known.set(last, { messages: read, state });
    return state;
  };
}

function begins(messages: readonly Message[], beginning: readonly Message[]): boolean {
  for (let at = 0; at < beginning.length; at++) if (beginning[at] !== messages[at]) return false;
  return true;
}
