import type { JudgeOptions, Subject } from "@fullstop/conformance";

/** A subject, and how much of each reply is tried. */
export interface CollectedSubject {
  readonly subject: Subject;
  /** At most this many places of each reply; all by default. */
  readonly sample?: number | undefined;
}

export const collected: CollectedSubject[] = [];

/** Replaces `conform` of `@fullstop/conformance/vitest`. */
export const conform = (
  subject: Subject,
  { sample }: JudgeOptions & { readonly sockets?: false } = {},
): void => {
  collected.push({ subject, sample });
};
