import { readFileSync } from "node:fs";

/** What `--help` says after the options: a text in the folder `help`, which is packed beside this file. */
export const helpOf = (name: string) => (): string =>
  `\n${readFileSync(new URL(`help/${name}.txt`, import.meta.url), "utf8").trimEnd()}`;
