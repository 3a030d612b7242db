import type { EndedTurn, ReplyOutput, WithheldReason } from "../contract/turn.ts";
import { type ParsedInput, parseInput } from "./calls.ts";
import { towardCap } from "./cap.ts";
import type { Failure, Reply } from "./reply.ts";

export function parseOutput(text: string): ParsedInput {
  const trimmed = text.trim();
  return trimmed === "" ? { reason: "input-missing" } : parseInput(trimmed, undefined);
}

/** A text that begins the object was cut, unless a usage shows that it is below the cap. */
export function cutOutput(reply: Reply): Failure | undefined {
  const { request, inputs, claim } = reply;
  if (request.output === undefined || inputs.length > 0 || claim?.stop === "tool-use")
    return undefined;
  const parsed = reply.output();
  return "reason" in parsed && parsed.reason === "input-cut" && towardCap(reply) === undefined
    ? { reason: parsed.reason, stop: "length" }
    : undefined;
}

export function outputOf(
  { request, output }: Reply,
  failure: Failure | undefined,
): ReplyOutput | undefined {
  if (failure !== undefined || request.output === undefined) return undefined;
  const parsed = output();
  return "input" in parsed ? { value: parsed.input } : { withheld: parsed.reason };
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
