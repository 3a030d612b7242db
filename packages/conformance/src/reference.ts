import pages from "./pages.json" with { type: "json" };

/** A public source that shows what happens without a clause. */
export type Reference = AboutProtocol &
  (
    | {
        /** `owner/repository#1`; without an owner it has no link. */
        readonly issue: string;
        /** What happened there. If it is absent, the note of the next one holds for this one too. */
        readonly note?: string;
      }
    | { readonly url: string; readonly note?: string }
  );

interface AboutProtocol {
  /** The protocol that it is about, by the name of its wire. Absent if it is about none or several. */
  readonly wire?: string;
}

/** Notes by what they are about: `owner/a#1, owner/b#2`, or the address of a page. */
type ReferenceNotes = Readonly<Record<string, string>>;
export type TabledReferences = ReferenceNotes | readonly (Reference | ReferenceNotes)[];

/** The note of a table belongs to the last of its references, and to those before it. */
export const listReferences = (tables: TabledReferences): readonly Reference[] =>
  [tables].flat().flatMap((table) => {
    if (isSingleReference(table)) return [table];
    return Object.entries(table).flatMap(([names, note]) =>
      names.split(", ").map((name, index, all): Reference => {
        const about = name.startsWith("https://") ? { url: name } : { issue: name };
        return index === all.length - 1 ? { ...about, note } : about;
      }),
    );
  });
export const referencesAbout = (wire: Protocol, notes: ReferenceNotes): readonly Reference[] =>
  listReferences(notes).map((one) => ({ ...one, wire }));

const isSingleReference = (table: Reference | ReferenceNotes): table is Reference =>
  "issue" in table || "url" in table;

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

export const pageOf = (subject: PageSubject, wire: Protocol): Reference => ({
  ...table[subject][wire],
  wire,
});

/** The pages of all vendors about a subject: each protocol has its own. */
export const pagesAbout = (subject: PageSubject): readonly Reference[] =>
  (Object.keys(table[subject]) as Protocol[]).map((wire) => pageOf(subject, wire));

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
