import type { ReplyOutput } from "../contract/turn.ts";
import { type ParsedInput, parseInput } from "./calls.ts";
import { towardCap } from "./cap.ts";
import type { Failure, Reply } from "./reply.ts";

/** Parses the text of a reply strictly, as the object that its request asked for. */
export function parseOutput(text: string): ParsedInput {
  const trimmed = text.trim();
  return trimmed === "" ? { reason: "input-missing" } : parseInput(trimmed, undefined);
}

/**
 * A reply without calls whose text is the beginning of the object that was asked for was cut, if no
 * usage shows that it is below the cap.
 */
export function cutOutput(reply: Reply): Failure | undefined {
  const { request, inputs, claim } = reply;
  if (request.output === undefined || inputs.length > 0 || claim?.stop === "tool-use")
    return undefined;
  const parsed = reply.output();
  return "reason" in parsed && parsed.reason === "input-cut" && towardCap(reply) === undefined
    ? { reason: parsed.reason, stop: "length" }
    : undefined;
}

/** What the text of a finished reply is, if its request asked for an object. */
export function outputOf(
  { request, output }: Reply,
  failure: Failure | undefined,
): ReplyOutput | undefined {
  if (failure !== undefined || request.output === undefined) return undefined;
  const parsed = output();
  return "input" in parsed ? { value: parsed.input } : { withheld: parsed.reason };
}
