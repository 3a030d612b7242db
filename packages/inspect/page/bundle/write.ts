import { mkdirSync, writeFileSync } from "node:fs";
import { bundlePage } from "./bundle.ts";

/** A step of `build`. It writes what `#page` is in the published package. */
const folder = new URL("../../dist/page/", import.meta.url);
const bundle = await bundlePage();
mkdirSync(folder, { recursive: true });
writeFileSync(
  new URL("built.js", folder),
  `export const pageBundle = ${JSON.stringify(bundle)};\n`,
);
// It imports nothing: the compiler would read what an earlier build wrote, and refuse to replace it.
writeFileSync(
  new URL("built.d.ts", folder),
  `export declare const pageBundle: {
  readonly ${Object.keys(bundle).join(": string;\n  readonly ")}: string;
};\n`,
);
