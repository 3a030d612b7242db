import type { ReplyOutput } from "../contract/turn.ts";
import { parseInput } from "./calls.ts";
import { towardCap } from "./cap.ts";
import type { Failure, Reply } from "./reply.ts";

/** What a reply without calls is, if an object was asked for. */
export interface OutputVerdict {
  readonly failure: Failure | undefined;
  readonly output?: ReplyOutput | undefined;
}

/**
 * Parses the text of a finished reply once, strictly, if its request asked for an object. If the
 * text is the beginning of an object and no usage shows that the reply is below the cap, the reply
 * was cut.
 */
export function parseOutput(
  reply: Reply,
  text: string,
  failure: Failure | undefined,
): OutputVerdict {
  if (failure !== undefined || reply.request.output === undefined) return { failure };
  const trimmed = text.trim();
  if (trimmed === "") return { failure, output: { withheld: "input-missing" } };
  const parsed = parseInput(trimmed, undefined);
  if ("input" in parsed) return { failure, output: { value: parsed.input } };
  const { reason } = parsed;
  if (reason === "input-cut" && towardCap(reply) === undefined)
    return { failure: { reason, stop: "length" } };
  return { failure, output: { withheld: reason } };
}
