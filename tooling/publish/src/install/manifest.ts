import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly engines?: { readonly node: string };
  readonly publishConfig?: object;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}
const manifestFile = (folder: string): string => join(folder, "package.json");

export const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(manifestFile(folder), "utf8")) as Manifest;

/** Sets these fields in the package.json of a folder. */
export function changeManifest(
  folder: string,
  change: object | ((manifest: Manifest) => object),
): void {
  const manifest = manifestOf(folder);
  const fields = typeof change === "function" ? change(manifest) : change;
  writeFileSync(manifestFile(folder), `${JSON.stringify({ ...manifest, ...fields }, null, 2)}\n`);
}
