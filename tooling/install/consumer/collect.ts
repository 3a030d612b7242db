import type { Subject } from "@fullstop/conformance";

export const subjects: Subject[] = [];

/** Takes the place of `conform` of `@fullstop/conformance/vitest`. */
export const conform = (subject: Subject, _options?: object): void => {
  subjects.push(subject);
};
