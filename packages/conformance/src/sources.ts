import { listReferences, type Reference, type TabledReferences } from "./reference.ts";

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

type SourceOf = (...references: Extract<TabledReferences, readonly unknown[]>) => ReplySource;

const sourceWith =
  (evidence: Evidence): SourceOf =>
  (...references) => ({ evidence, references: listReferences(references) });

/** A page of the vendor describes the reply. */
export const documented: SourceOf = sourceWith("documented");
/** A public report shows the reply. */
export const seen: SourceOf = sourceWith("seen");
/** Nothing public shows the reply. */
export const made: SourceOf = sourceWith("made");
