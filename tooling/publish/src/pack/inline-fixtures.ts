import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The text of each file in the folder, by its name. Turn files lose their white space. */
function textsIn(folder: string): string {
  const files = readdirSync(folder)
    .sort()
    .map((name) => {
      const text = readFileSync(join(folder, name), "utf8");
      return [name, name.endsWith(".turn.json") ? JSON.stringify(JSON.parse(text)) : text];
    });
  return JSON.stringify(Object.fromEntries(files));
}

interface InlinedFixtures {
  readonly name: string;
  readonly transform: {
    readonly filter: { readonly code: string };
    readonly handler: (code: string) => { readonly code: string; readonly map: null };
  };
}

/**
 * A plugin for which `filesIn("NAME")` becomes the texts of `fixtures/NAME`, because a worker has no
 * file system. The lines of a module stay where they are, so its map stays right.
 */
export const inlineFixtures = (fixtures: string): InlinedFixtures => ({
  name: "inline-fixtures",
  transform: {
    filter: { code: 'filesIn("' },
    handler: (code) => ({
      code: code.replace(/\bfilesIn\("([\w-]+)"\)/g, (_, name: string) =>
        textsIn(join(fixtures, name)),
      ),
      map: null,
    }),
  },
});
