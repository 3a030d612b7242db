import type { Reference } from "./reference.ts";

/**
 * What shows that a provider or a host sends such a reply. `documented`: a page of the vendor
 * describes this form. `seen`: a public report shows it. `made`: neither. Then the references are
 * the nearest ones, such as the page whose rule the reply breaks.
 */
export type Evidence = "documented" | "seen" | "made";

/** Where a reply comes from. */
export interface ReplySource {
  readonly evidence: Evidence;
  readonly references: readonly Reference[];
}

/** The sources of the replies that loops and agents get, by the ids of their scripts. */
export type ReplySources = Readonly<Record<string, ReplySource>>;
