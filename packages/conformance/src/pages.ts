import pages from "./pages.json" with { type: "json" };
import type { Reference } from "./reference.ts";

/** The protocols of the suite, by the names of their wires. */
export type Protocol =
  | "anthropic-messages"
  | "openai-chat"
  | "openai-responses"
  | "gemini-generate-content"
  | "gemini-interactions";

export type PageSubject =
  | "calls"
  | "results"
  | "inputs"
  | "stops"
  | "stream"
  | "errorInStream"
  | "errors";

/** The pages of the vendors, and what each says: by subject, then by protocol. */
const table: Readonly<
  Record<PageSubject, Readonly<Record<Protocol, { readonly url: string; readonly note: string }>>>
> = pages;

/** The page of a vendor about a subject. */
export const pageOf = (subject: PageSubject, wire: Protocol): Reference => ({
  ...table[subject][wire],
  wire,
});

/** The pages of all vendors about a subject: each protocol has its own. */
export const pagesAbout = (subject: PageSubject): readonly Reference[] =>
  (Object.keys(table[subject]) as Protocol[]).map((wire) => pageOf(subject, wire));
