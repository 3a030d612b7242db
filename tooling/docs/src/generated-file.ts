/** A file that is made from the sources, as a whole or in part. */
export interface Generated {
  /** From the root of the repository. */
  readonly file: string;
  /** What the file must contain. */
  readonly text: string;
}
