import {
  errorRules,
  type Message,
  readTurn,
  type ToolCall,
  type ToolResultBlock,
  type Turn,
} from "@fullstop/core";
import type { AdapterSubject, LoopContext, LoopSubject } from "../subject.ts";

/** What the small loop does; each member may be another's. */
export interface LoopBehaviour {
  /** Requests in one run. */
  readonly maxRequests: number;
  /** What is sent of the results of a turn. */
  sentResults(results: readonly ToolResultBlock[]): readonly ToolResultBlock[];
  /** The cap of the request after a cut one. */
  raisedCap(cap: number): number;
  /** What comes before another attempt at a request that failed. */
  afterFailure(executeAgain: () => void): Promise<void>;
}

const careful: LoopBehaviour = {
  maxRequests: 8,
  sentResults: (results) => results,
  raisedCap: (cap) => 2 * cap,
  afterFailure: async () => undefined,
};
const firstCap = 1024;

const mayRepeat = (turn: Turn): boolean => "error" in turn && errorRules[turn.error.kind].retry;

const unread: Message = { role: "user", content: "The call could not be read. Nothing ran." };
const saidBy = ({ message }: Turn): readonly Message[] => (message === undefined ? [] : [message]);

function execute({ tools }: LoopContext, { id, name, input }: ToolCall): ToolResultBlock {
  const tool = tools.find((one) => one.name === name);
  return {
    type: "tool-result",
    id,
    name,
    content: tool?.execute(input) ?? "There is no such tool.",
  };
}

async function run(
  { adapter, read = readTurn }: AdapterSubject,
  given: LoopContext,
  habits: LoopBehaviour,
): Promise<void> {
  const provider = adapter(given.endpoint);
  const tools = given.tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    inputSchema,
  }));
  let messages: readonly Message[] = [{ role: "user", content: given.prompt }];
  let maxTokens = firstCap;
  let last: readonly ToolCall[] = [];
  for (let requests = 0; requests < habits.maxRequests; requests++) {
    const turn = await read(provider, { tools, messages, maxTokens }, { signal: given.signal });
    if (turn.calls.length > 0) {
      last = turn.calls;
      const results: Message = {
        role: "tool",
        content: habits.sentResults(last.map((call) => execute(given, call))),
      };
      messages = [...messages, ...saidBy(turn), results];
    } else if (turn.stopReason === "malformed-tool-call")
      messages = [...messages, ...saidBy(turn), unread];
    else if (turn.stopReason === "length") maxTokens = habits.raisedCap(maxTokens);
    else if (mayRepeat(turn))
      await habits.afterFailure(() => last.map((call) => execute(given, call)));
    else return;
  }
}

/** A small loop around an adapter: with `habits` of its own, one that is broken on purpose. */
export const smallLoop = (
  sound: AdapterSubject,
  habits: Partial<LoopBehaviour> = {},
): LoopSubject => ({
  wire: sound.wire,
  loop: (given) => run(sound, given, { ...careful, ...habits }),
});
