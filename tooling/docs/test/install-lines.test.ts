import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { blocksOf, root } from "../src/blocks.ts";

/** What a reader of the page has already: the client that is guarded, the adapter that is tested. */
const present: Readonly<Record<string, readonly string[]>> = {
  "packages/guard/README.md": ["@anthropic-ai/sdk"],
  "packages/conformance/README.md": ["@fullstop/provider-anthropic"],
};
/** `@scope/name/entry` is the package `@scope/name`. */
const packageOf = (specifier: string): string =>
  specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");

describe("the install lines of a page", () => {
  const pages = globSync("packages/*/README.md", { cwd: root }).sort();
  it.each(pages)("name what the first example of %s imports", (page) => {
    const text = readFileSync(join(root, page), "utf8");
    const installed = [...text.matchAll(/npm i ([^`\n]+)/g)].flatMap(([, list = ""]) =>
      list.split(" "),
    );
    const [first] = blocksOf(page, text);
    const imported = [...(first?.code ?? "").matchAll(/^(?:import|\}) .*"([^".][^"]*)";/gm)]
      .map(([, specifier = ""]) => packageOf(specifier))
      .filter((name) => !name.startsWith("node:"));
    const known = new Set([...installed, ...(present[page] ?? [])]);
    expect(imported.filter((name) => !known.has(name))).toEqual([]);
  });
});
