import {
  errorRules,
  type Message,
  readTurn,
  type ToolCall,
  type ToolResultBlock,
  type Turn,
} from "@fullstop/core";
import { runWithheld } from "../clauses/mutants.ts";
import type { AdapterSubject, LoopContext, LoopSubject } from "../subject.ts";

/** What the small loop does. A mutant replaces one member. */
interface LoopBehaviour {
  /** The most requests of one run. */
  readonly maxRequests: number;
  /** What a turn with calls and its results become in the history. */
  history(turn: Turn, results: readonly ToolResultBlock[]): readonly Message[];
  /** Whether a text that ends in a call is the answer. */
  readonly takesLeakedCalls: boolean;
  /** The output cap after a reply that was cut at the cap. */
  raisedCap(cap: number): number;
  /**
   * What happens before a failed request is sent again. `execute` runs the calls of the last turn
   * that had any, and `executeWithheld` those of the reply that failed.
   */
  afterFailure(execute: () => void, executeWithheld: () => void): Promise<void>;
}

const replyMessages = ({ message }: Turn): readonly Message[] =>
  message === undefined ? [] : [message];

const careful: LoopBehaviour = {
  maxRequests: 8,
  history: (turn, results) => [...replyMessages(turn), { role: "tool", content: results }],
  takesLeakedCalls: false,
  raisedCap: (cap) => 2 * cap,
  afterFailure: async () => undefined,
};
const firstCap = 1024;

const canRetry = (turn: Turn): boolean => "error" in turn && errorRules[turn.error.kind].retry;

const asksAboutCall = (
  { stopReason, leakedCall }: Turn,
  { takesLeakedCalls }: LoopBehaviour,
): boolean =>
  stopReason === "malformed-tool-call" || (leakedCall !== undefined && !takesLeakedCalls);

const unreadableNote: Message = {
  role: "user",
  content: "The call could not be read. Nothing ran.",
};
function execute({ tools }: LoopContext, { id, name, input }: ToolCall): ToolResultBlock {
  const tool = tools.find((one) => one.name === name);
  const content = tool?.execute(input) ?? "There is no such tool.";
  return { type: "tool-result", id, name, content };
}

async function runSmallLoop(
  { adapter, read = readTurn }: AdapterSubject,
  context: LoopContext,
  behaviour: LoopBehaviour,
): Promise<void> {
  const provider = adapter(context.endpoint);
  const tools = context.tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    inputSchema,
  }));
  let messages: readonly Message[] = [{ role: "user", content: context.prompt }];
  let maxTokens = firstCap;
  let lastCalls: readonly ToolCall[] = [];
  for (let requests = 0; requests < behaviour.maxRequests; requests++) {
    const turn = await read(provider, { tools, messages, maxTokens }, { signal: context.signal });
    if (turn.calls.length > 0) {
      lastCalls = turn.calls;
      const results = lastCalls.map((call) => execute(context, call));
      messages = [...messages, ...behaviour.history(turn, results)];
    } else if (asksAboutCall(turn, behaviour))
      messages = [...messages, ...replyMessages(turn), unreadableNote];
    else if (turn.stopReason === "length") maxTokens = behaviour.raisedCap(maxTokens);
    else if (canRetry(turn))
      await behaviour.afterFailure(
        () => lastCalls.map((call) => execute(context, call)),
        () => runWithheld(turn).calls.map((call) => execute(context, call)),
      );
    else return;
  }
}

/** A small loop around an adapter. With another behaviour it is broken on purpose. */
export const smallLoop = (
  sound: AdapterSubject,
  behaviour: Partial<LoopBehaviour> = {},
): LoopSubject => ({
  wire: sound.wire,
  loop: (context) => runSmallLoop(sound, context, { ...careful, ...behaviour }),
});

/** A small loop that is broken in this way. */
export const loopThat =
  (behaviour: Partial<LoopBehaviour>) =>
  (sound: AdapterSubject): LoopSubject =>
    smallLoop(sound, behaviour);

/** A small loop around an adapter that is broken in this way. */
export const loopAround =
  (breakAdapter: (sound: AdapterSubject) => AdapterSubject) =>
  (sound: AdapterSubject): LoopSubject =>
    smallLoop(breakAdapter(sound));
