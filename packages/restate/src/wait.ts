import type { ReviewedCall } from "@fullstop/loop";

export const stateKeys = { invocation: "invocation", wait: "wait" } as const;

/** What the workflow waits for. A run may wait several times. */
export interface Wait {
  readonly number: number;
  readonly calls: readonly ReviewedCall[];
}

/** The name of the durable promise that gets the answers. */
export const answersKey = (wait: number): string => `answers-${wait}`;
