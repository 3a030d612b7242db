/** A public source that shows what happens without a clause. */
export type Reference = AboutProtocol &
  (
    | {
        /** `owner/repository#1`; without an owner it has no link. */
        readonly issue: string;
        /**
         * What happened there. If it is absent, the note of the next reference belongs to this one
         * too.
         */
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
const isSingleReference = (table: Reference | ReferenceNotes): table is Reference =>
  "issue" in table || "url" in table;
