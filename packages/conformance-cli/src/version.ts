import { readFileSync } from "node:fs";

/** The version of this package, which is also the version of the suite. */
export function readVersion(): string {
  const manifest = JSON.parse(
    readFileSync(new URL("../package.json", import.meta.url), "utf8"),
  ) as { readonly version: string };
  return manifest.version;
}
