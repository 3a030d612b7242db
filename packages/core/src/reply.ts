import type { Adapter } from "./adapter.ts";
import type { ParsedInput } from "./calls.ts";
import type { ProviderError } from "./error.ts";
import type { Input } from "./inputs.ts";
import type { Seen } from "./seen.ts";
import type { Request } from "./sent.ts";
import type { StopReason } from "./stop.ts";
import type { WithheldReason } from "./turn.ts";

/** All of a reply that the rules look at. */
export interface Reply
  extends Readonly<Omit<Seen, "blocks" | "native" | "resume" | "sideEffects">> {
  readonly adapter: Adapter;
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
