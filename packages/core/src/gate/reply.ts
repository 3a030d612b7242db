import type { ReplyReader } from "../contract/adapter.ts";
import type { ProviderError } from "../contract/error.ts";
import type { StopReason } from "../contract/stop.ts";
import type { WithheldReason } from "../contract/turn.ts";
import type { Input } from "../reply/inputs.ts";
import type { Seen } from "../reply/reply-state.ts";
import type { ParsedInput } from "./calls.ts";
import type { Request } from "./sent-request.ts";

/** All of a reply that the rules look at. */
export interface Reply
  extends Readonly<Omit<Seen, "blocks" | "native" | "resume" | "sideEffects">> {
  readonly reader: ReplyReader;
  readonly request: Request;
  readonly aborted: boolean;
  readonly inputs: readonly Input[];
  readonly openServerCalls: number;
  readonly parse: (input: Input) => ParsedInput;
}

/** Why nothing of a reply may run, and the reason it gets unless the provider claims a worse one. */
export interface Failure {
  readonly reason: WithheldReason;
  readonly stop: Exclude<StopReason, "tool-use">;
  readonly error?: ProviderError | undefined;
  /** The evidence, and the option that settles the doubt, in a sentence or two. */
  readonly detail?: string | undefined;
}
