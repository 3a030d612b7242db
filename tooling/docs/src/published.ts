import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The folders of what a checkout publishes: in `packages` and `apps`, without what is private. */
export const publishedFolders = (checkout: string): readonly string[] =>
  globSync("{packages,apps}/*/package.json", { cwd: checkout })
    .filter((file) => !isPrivate(join(checkout, file)))
    .map((file) => dirname(file))
    .sort();

const isPrivate = (file: string): boolean =>
  (JSON.parse(readFileSync(file, "utf8")) as { readonly private?: boolean }).private === true;

/** What `pnpm --recursive` needs to pack exactly these. */
export const packArguments = (checkout: string, into: string): readonly [string, ...string[]] => [
  "pnpm",
  "--recursive",
  ...publishedFolders(checkout).map((folder) => `--filter=./${folder}`),
  "pack",
  "--pack-destination",
  into,
];
