/** A file, or a part of one, that is made from the sources. */
export interface Generated {
  /** From the project's root. */
  readonly file: string;
  /** What the file is to hold. */
  readonly text: string;
}
