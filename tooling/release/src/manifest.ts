import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

interface Manifest {
  readonly publishConfig?: object;
}

/** Sets these fields in the package.json of a folder. */
export function changeManifest(
  folder: string,
  change: object | ((manifest: Manifest) => object),
): void {
  const file = join(folder, "package.json");
  const manifest = JSON.parse(readFileSync(file, "utf8")) as Manifest;
  const fields = typeof change === "function" ? change(manifest) : change;
  writeFileSync(file, `${JSON.stringify({ ...manifest, ...fields }, null, 2)}\n`);
}
