import type { EndedTurn, ReplyOutput, WithheldReason } from "../contract/turn.ts";
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

/** Why a finished reply has no object, as a clause. */
const outputFindings: Readonly<Partial<Record<WithheldReason, string>>> = {
  "stop-sequence": "a stop sequence ended the reply",
  "input-missing": "the reply is empty",
  "input-cut": "the JSON of the reply is not complete",
  "invalid-json": "the reply is not one JSON object",
  "not-an-object": "the reply is JSON, but not an object",
  "number-too-large":
    "the object holds a number that would be rounded; a number with more than 15 digits must be a string",
  unsupported: "the object holds a `__proto__` key",
};

/** Why a finished reply has no object, although one was asked for: a clause without a full stop. */
export function describeMissingOutput({ output, rules = [] }: Partial<EndedTurn>): string {
  const reason =
    output !== undefined && "withheld" in output
      ? output.withheld
      : rules.find(({ decisive }) => decisive)?.reason;
  return (reason && outputFindings[reason]) ?? "the reply is text instead of the object";
}
