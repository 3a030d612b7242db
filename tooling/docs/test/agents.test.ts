import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { agentPages } from "../src/agents/pages.ts";
import { notes } from "../src/agents/table.ts";
import { root } from "../src/blocks.ts";
import { publishedFolders } from "../src/published.ts";

interface Manifest {
  readonly files: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}
const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));

/** Whether somebody who installed the package has the file. npm publishes the README by itself. */
function isPublished(folder: string, path: string): boolean {
  const [top = ""] = path.split("/");
  const isPacked = path === "README.md" || manifestOf(folder).files.includes(top);
  return isPacked && existsSync(join(root, folder, path));
}

/** A link to another package holds if this one needs it, so that both lie side by side. */
function resolves(folder: string, target: string): boolean {
  const [, neighbour, path = ""] = /^\.\.\/([\w-]+)\/(.+)$/.exec(target) ?? [];
  if (neighbour === undefined) return isPublished(folder, target);
  const { dependencies, peerDependencies } = manifestOf(folder);
  const isNeeded = `@fullstop/${neighbour}` in { ...dependencies, ...peerDependencies };
  return isNeeded && isPublished(`packages/${neighbour}`, path);
}

describe("AGENTS.md", () => {
  it("is there for each published package: a new one needs a row in tooling/docs/src/agents", () => {
    const published = publishedFolders(root).map((folder) => basename(folder));
    expect(Object.keys(notes).toSorted()).toEqual(published.toSorted());
  });

  it.each(agentPages)("$file is short and published, and its links can be followed", (page) => {
    const folder = page.file.replace("/AGENTS.md", "");
    expect(isPublished(folder, "AGENTS.md")).toBe(true);
    expect(page.text.trimEnd().split("\n").length).toBeLessThanOrEqual(25);
    const targets = [...page.text.matchAll(/\]\(([^)]+)\)/g)].map(([, target = ""]) => target);
    expect(targets).toContain("README.md");
    expect(targets.filter((target) => !resolves(folder, target))).toEqual([]);
  });

  it("of the repository names scripts that exist", () => {
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const page = readFileSync(join(root, "AGENTS.md"), "utf8");
    const named = [...page.matchAll(/`pnpm ([\w:-]+)/g)].map(([, script = ""]) => script);
    expect(named.length).toBeGreaterThan(3);
    const commands = new Set([...Object.keys(scripts), "changeset"]);
    expect(named.filter((script) => !commands.has(script))).toEqual([]);
    for (const [, target = ""] of page.matchAll(/\]\(([^)#]+)\)/g))
      expect(globSync(target, { cwd: root }), target).toHaveLength(1);
  });
});

describe("a link that cannot be followed", () => {
  it.each(["src/missing.ts", "test/agents.test.ts", "../lint/README.md", "../core/test"])(
    "is noticed: %s",
    (target) => expect(resolves("packages/ui", target)).toBe(false),
  );
});
