/** Where the packages are installed from. */
export interface Source {
  /** The npm specifier of one of our packages. */
  spec(name: string): string;
  readonly args: readonly string[];
  /** npm can resolve our packages that other packages depend on. */
  readonly complete: boolean;
}
