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
export interface Habits {
  /** Requests in one run. */
  readonly requests: number;
  /** What is sent of the results of a turn. */
  results(results: readonly ToolResultBlock[]): readonly ToolResultBlock[];
  /** The cap of the request after a cut one. */
  raised(cap: number): number;
  /** What comes before another attempt at a request that failed. */
  afterFailure(executeAgain: () => void): Promise<void>;
}

const careful: Habits = {
  requests: 8,
  results: (results) => results,
  raised: (cap) => 2 * cap,
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
  habits: Habits,
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
  for (let requests = 0; requests < habits.requests; requests++) {
    const turn = await read(provider, { tools, messages, maxTokens }, { signal: given.signal });
    if (turn.calls.length > 0) {
      last = turn.calls;
      const results: Message = {
        role: "tool",
        content: habits.results(last.map((call) => execute(given, call))),
      };
      messages = [...messages, ...saidBy(turn), results];
    } else if (turn.stopReason === "malformed-tool-call")
      messages = [...messages, ...saidBy(turn), unread];
    else if (turn.stopReason === "length") maxTokens = habits.raised(maxTokens);
    else if (mayRepeat(turn))
      await habits.afterFailure(() => last.map((call) => execute(given, call)));
    else return;
  }
}

/** A small loop around an adapter: with `habits` of its own, one that is broken on purpose. */
export const looped = (sound: AdapterSubject, habits: Partial<Habits> = {}): LoopSubject => ({
  wire: sound.wire,
  loop: (given) => run(sound, given, { ...careful, ...habits }),
});
