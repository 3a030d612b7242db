import type { RunLease } from "./journal.ts";

/** The lease of a run without a journal: it records nothing. */
export const noLease: RunLease = {
  // Cloudflare Workers create no signal while a module is imported.
  get lost() {
    return new AbortController().signal;
  },
  read: async () => undefined,
  begin: async () => {},
  end: async () => {},
  close: async () => {},
};
