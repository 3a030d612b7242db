import { readFileSync } from "node:fs";

/** The export condition of the sources. */
export const source = "@fullstop/source";

interface BuiltManifest {
  readonly name: string;
  /** `false`, or the files that do something when they are loaded. */
  readonly sideEffects?: boolean | readonly string[];
  readonly exports: Readonly<
    Record<string, string | { readonly [source]: string; readonly default: string }>
  >;
  readonly bin?: Readonly<Record<string, string>>;
  /**
   * Dev dependencies that are bundled, each with its licence. One file loads several times faster
   * than theirs, and bundlers leave it out if nothing of it is used.
   */
  readonly bundled?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** The package.json of the current folder. */
export const manifest = JSON.parse(readFileSync("package.json", "utf8")) as BuiltManifest;

/** The names of what `bundled` has. */
export const bundled: readonly string[] = Object.keys(manifest.bundled ?? {});
/** The chunk that has them. */
export const dependenciesChunk = "dependencies";

/** The packages that are installed with it. */
export const installed: readonly string[] = Object.keys({
  ...manifest.dependencies,
  ...manifest.peerDependencies,
});
