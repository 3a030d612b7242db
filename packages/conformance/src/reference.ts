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
