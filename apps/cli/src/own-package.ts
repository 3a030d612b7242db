import { readFileSync } from "node:fs";

/** The folder of this package, with its manifest and what it ships. */
export const packageFolder: URL = new URL("..", import.meta.url);

/** The version of this package. In a clone it is 0.0.0. */
export function readVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL("package.json", packageFolder), "utf8")) as {
    readonly version: string;
  };
  return manifest.version;
}
