import type { ReplyReader } from "../contract/adapter.ts";
import type { ProviderError } from "../contract/error.ts";
import type { StopReason } from "../contract/stop.ts";
import type { WithheldReason } from "../contract/turn.ts";
import type { Input } from "../reply/inputs.ts";
import type { ReplyState } from "../reply/reply-state.ts";
import type { ParsedInput } from "./calls.ts";
import type { Request } from "./sent-request.ts";

export interface Reply
  extends Readonly<Omit<ReplyState, "blocks" | "native" | "resume" | "sideEffects">> {
  readonly reader: ReplyReader;
  readonly request: Request;
  readonly aborted: boolean;
  readonly inputs: readonly Input[];
  readonly openServerCalls: number;
  readonly parse: (input: Input) => ParsedInput;
  /** The text as an object. It is parsed once. */
  readonly output: () => ParsedInput;
}

/** Why no call may run, and the stop reason unless the provider claims a more severe one. */
export interface Failure {
  readonly reason: WithheldReason;
  readonly stop: Exclude<StopReason, "tool-use">;
  readonly error?: ProviderError | undefined;
  /** The evidence, and the option that settles the doubt: one or two sentences. */
  readonly detail?: string | undefined;
}
