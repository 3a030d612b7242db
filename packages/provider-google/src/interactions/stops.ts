import type { StopTable } from "@fullstop/core/adapter";
import type { Interactions } from "@google/genai";

/** The SDK's union is open; these are the statuses that it names. */
type KnownStatus<Status extends string> = Status extends unknown
  ? string extends Status
    ? never
    : Status
  : never;

/**
 * `status` of an interaction: the statuses of the SDK's type (`InteractionStatus`, 3.1.0 to 3.3.0),
 * with the meanings of
 * https://docs.cloud.google.com/gemini-enterprise-agent-platform/reference/rest/v1beta1/Status
 */
export const interactionsStops: StopTable<KnownStatus<Interactions.Interaction["status"]>> = {
  /** Also after calls: vercel/ai (`packages/google`) notes that both occur. */
  completed: "stop",
  /** https://ai.google.dev/gemini-api/docs/streaming: a function call sets it. */
  requires_action: "tool-use",
  /** The results are incomplete, for instance because the output cap was reached. */
  incomplete: "length",
  /** The token budget was exceeded. */
  budget_exceeded: "length",
  /** The SDK's type: the limit of one request. The same request with the token continues the reply. */
  requires_continuation: "pause",
  /** Not a reason: the code of the error that comes with it decides. */
  failed: null,
  cancelled: { stop: "error", error: "cancelled" },
  in_progress: null,
  queued: null,
};
