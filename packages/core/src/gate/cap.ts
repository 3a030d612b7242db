import { ProviderError } from "../contract/error.ts";
import type { Failure, Reply } from "./reply.ts";

/**
 * The tokens that count toward the cap. `undefined` if no usage came, or if the two cannot be
 * compared. `output: 0` means that the provider did not count. If it is unknown whether the cap
 * counts `reasoning`: up to the cap all of the output counts. Beyond the cap, only the output
 * without reasoning counts.
 */
export function towardCap({ usage, request: { maxTokens: cap } }: Reply): number | undefined {
  const { output = 0, reasoning, towardCap: counted = output } = usage;
  if (counted !== null || reasoning === undefined || cap === undefined) return counted || undefined;
  const least = output <= cap ? output : output - reasoning;
  return output <= cap || least >= cap ? least : undefined;
}

/** Whether the reply holds what a program acts on: calls, or an object that was asked for. */
export const hasPayload = ({ inputs, request }: Pick<Reply, "inputs" | "request">): boolean =>
  inputs.length > 0 || request.output !== undefined;

/** A reply at the cap was cut, also without calls, and under a finished reply's stop reason. */
export function belowCap(reply: Reply): Failure | undefined {
  const { request, reader, callsForbidden } = reply;
  const { maxTokens: cap } = request;
  const counted = towardCap(reply);
  if (!hasPayload(reply) && callsForbidden) return undefined;
  if (cap !== undefined && counted !== undefined && counted >= cap) {
    return {
      reason: "cap-reached",
      stop: "length",
      detail: `The usage is ${counted} of ${cap} output tokens.`,
    };
  }
  if (
    !hasPayload(reply) ||
    !reader.mislabelsTruncation ||
    (cap !== undefined && counted !== undefined)
  )
    return undefined;
  return { reason: "cap-unproven", stop: "length", detail: missingProof(reply) };
}

function missingProof({ request, usage }: Reply): string {
  if (request.maxTokens === undefined)
    return "No output cap was sent, so the usage cannot be compared with it. Set `maxTokens`.";
  const honest =
    "If this host reports truncated replies honestly, set `mislabelsTruncation: false`.";
  if (usage.towardCap === null) {
    return `The usage counts reasoning that the output cap may not count. The option \`reasoningTokens\` of a dialect says whether it does. ${honest}`;
  }
  if (usage.output === undefined) return `The host reports no usage. ${honest}`;
  return `The host reports a usage of ${usage.output} output tokens. ${honest}`;
}

/**
 * A reply that claims to be cut at the cap, but used less than half of it, was cut by something
 * else: the context window is full, or the host has a lower cap. The limit is one half because the
 * count may be incomplete: OpenAI counts reasoning in steps of 64 tokens.
 */
export function contextWindowFull(reply: Reply): Failure | undefined {
  const { maxTokens: cap } = reply.request;
  const counted = towardCap(reply);
  if (cap === undefined || counted === undefined || counted * 2 >= cap) return undefined;
  const error = new ProviderError(
    `The reply was cut after ${counted} output tokens, although ${cap} were allowed. The context window is full, or the host has a lower cap of its own.`,
    { kind: "context-window" },
  );
  return { reason: "stop-reason", stop: "context-window", error };
}
