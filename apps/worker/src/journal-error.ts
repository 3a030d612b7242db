import type { JournalErrorKind } from "@fullstop/loop/journal";

/** A program can hold two copies of the class, so the name and the kind are compared. */
export const isJournalError = (thrown: unknown, kinds: readonly JournalErrorKind[]): boolean =>
  thrown instanceof Error &&
  thrown.name === "JournalError" &&
  kinds.some((kind) => (thrown as { readonly kind?: unknown }).kind === kind);
