import type { Answer, Answering, Received } from "./host.ts";
import { answerTo, done } from "./run/says.ts";
import { scripts } from "./run/scripts.ts";
import type { ReplyCall, Wire } from "./wire.ts";

export { lineOf, type Ran, type Runner } from "./run/runner.ts";

/** The model's last answer: it has finished and calls no tool. */
export const finalAnswer = (wire: Wire, request: Received): Answer =>
  answerTo(wire, request, done(wire));

/** The answers of a model that makes the first call completely and then finishes. */
export function answersWithOneCall(wire: Wire, calls: readonly [ReplyCall, ReplyCall]): Answering {
  const [script] = scripts.whole({ wire, calls, streams: true, cap: undefined });
  return (request, n) => script?.steps[n]?.(request, n) ?? finalAnswer(wire, request);
}
