import type { RunLease } from "./journal.ts";

/** The lease of a run without a journal: it records nothing. */
export const noLease: RunLease = {
  lost: new AbortController().signal,
  read: async () => undefined,
  begin: async () => {},
  end: async () => {},
  close: async () => {},
};
