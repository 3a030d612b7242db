import type { Message, NativeBlock, Origin } from "../contract/message.ts";

export interface ServerCalls {
  readonly open: Set<string>;
  /**
   * Server calls without a result that no reply will finish: their chain of calls and results has
   * ended, another model took over, or a person wrote while the turn was paused. Also results
   * without their call.
   */
  readonly unpaired: Set<string>;
  asksForResults: boolean;
}
export function trackServerCalls(message: Message, calls: ServerCalls, target: Origin): void {
  const { open, unpaired } = calls;
  for (const id of strayResults(nativesOf(message, target), open)) unpaired.add(id);
  if (message.role === "assistant")
    calls.asksForResults = message.content.some(({ type }) => type === "tool-call");
  if (continuesChain(message, target, calls.asksForResults)) return;
  for (const id of open) unpaired.add(id);
  open.clear();
}

const strayResults = (natives: readonly NativeBlock[], open: Set<string>): readonly string[] =>
  natives.flatMap(({ opens, closes }) => {
    if (opens !== undefined) open.add(opens);
    return closes === undefined || open.delete(closes) ? [] : [closes];
  });

function continuesChain(message: Message, target: Origin, asksForResults: boolean): boolean {
  if (message.role === "tool") return true;
  if (message.role === "user") return asksForResults;
  return isFrom(target, message.from) && (asksForResults || message.stopReason === "pause");
}

const nativesOf = (message: Message, target: Origin): readonly NativeBlock[] =>
  message.role === "assistant" && isFrom(target, message.from)
    ? message.content.filter((block) => block.type === "native")
    : [];

export const isFrom = (target: Origin, from: Origin | undefined): boolean =>
  from?.provider === target.provider &&
  from.protocol === target.protocol &&
  from.model === target.model;
