/** What an agent must know that writes code with a package. */
export interface Notes {
  /** Which entry to import, in one or two sentences. */
  readonly entry: string;
  /** The smallest program, by the language of its block. Blocks of `ts` are compiled. */
  readonly example: { readonly ts: string } | { readonly sh: string };
  readonly mistakes: readonly [string, string, string];
}
