import type { JudgeOptions, Subject } from "@fullstop/conformance";

/** A subject, and what it is asked. */
export interface CollectedSubject {
  readonly subject: Subject;
  /** Clauses or families; all by default. */
  readonly only?: JudgeOptions["only"];
  /** At most this many places of each reply; all by default. */
  readonly sample?: number | undefined;
}

export const collected: CollectedSubject[] = [];

/** Replaces `conform` of `@fullstop/conformance/vitest`. */
export const conform = (
  subject: Subject,
  { only, sample }: JudgeOptions & { readonly sockets?: false } = {},
): void => {
  collected.push({ subject, only, sample });
};
