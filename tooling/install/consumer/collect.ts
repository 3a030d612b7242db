import type { Subject } from "@fullstop/conformance";

export const subjects: Subject[] = [];

/** Replaces `conform` of `@fullstop/conformance/vitest`. */
export const conform = (subject: Subject, _options?: object): void => {
  subjects.push(subject);
};
