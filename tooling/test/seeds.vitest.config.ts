import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import "./draw-seed.ts";
import "./set-full.ts";
import config from "./vitest.config.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const shared = "@tooling/test/";

/** The modules that a test file imports of its own folder and of `tooling/test`. */
const localImports = (file: string, text: string): readonly string[] =>
  [...text.matchAll(/ from "([^"]+)"/g)]
    .map(([, name = ""]) =>
      name.startsWith(shared)
        ? join(root, "tooling/test", `${name.slice(shared.length)}.ts`)
        : resolve(dirname(file), name),
    )
    .filter((path) => path.includes("/test/") && existsSync(path));

const known = new Map<string, boolean>();
function readsSeed(file: string): boolean {
  const before = known.get(file);
  if (before !== undefined) return before;
  known.set(file, false); // if two modules import each other
  const text = readFileSync(file, "utf8");
  const reads =
    / from "(?:fast-check|@tooling\/test\/property)"/.test(text) ||
    localImports(file, text).some(readsSeed);
  known.set(file, reads);
  return reads;
}

const testFiles = globSync(config.test?.include ?? [], {
  cwd: root,
  exclude: (name) => name === "node_modules",
});

/** Every property with a new seed. The output ends with the seed, which repeats the run. */
export default {
  ...config,
  test: { ...config.test, include: testFiles.filter((file) => readsSeed(join(root, file))) },
};
