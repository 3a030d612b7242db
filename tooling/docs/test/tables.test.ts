import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { stopRules } from "@fullstop/core/adapter";
import { describe, expect, it } from "vitest";
import { root } from "../src/blocks.ts";
import { countLines, taskLinesOf } from "../src/task-lines.ts";

const read = (path: string): string => readFileSync(join(root, path), "utf8");

describe("the tables in the documents", () => {
  it("describe the stop reasons as core defines them", () => {
    const rows = [
      ...read("docs/stop-reasons.md").matchAll(/^\| `([a-z-]+)` \|[^|]*\|([^|]*)\| ([^|]*) \|$/gm),
    ];
    const keeps = { message: "the message", text: "its text", nothing: "nothing" } as const;
    const documented = Object.fromEntries(
      rows.map(([, reason, mayRun, kept]) => [reason, { mayRun: mayRun?.includes("yes"), kept }]),
    );
    expect(documented).toEqual(
      Object.fromEntries(
        Object.entries(stopRules).map(([reason, { keeps: kept }]) => [
          reason,
          { mayRun: reason === "tool-use", kept: keeps[kept] },
        ]),
      ),
    );
  });

  it("list the rules of the gate in their order", async () => {
    const [file = ""] = globSync("packages/core/src/**/rules.ts", { cwd: root });
    const { rules } = (await import(join(root, file))) as { readonly rules: object };
    const [, section = ""] = read("docs/stop-reasons.md").split("## The rules of the gate");
    const documented = [...section.matchAll(/^\| `(\w+)` \| [^|]+ \| [^|]+ \|$/gm)];
    expect(documented.map(([, name]) => name)).toEqual(Object.keys(rules));
  });

  it.each(["core", "loop", "guard", "conformance"])("name every folder of %s", (name) => {
    const [row = ""] =
      read("ARCHITECTURE.md").match(new RegExp(`^\\| \`${name}\` \\| .*`, "m")) ?? [];
    const named = [...row.matchAll(/`([\w-]+)\/`/g)].map(([, folder]) => folder);
    const folders = globSync("*/", { cwd: join(root, "packages", name, "src") });
    expect(folders.length).toBeGreaterThan(2);
    expect(named.toSorted()).toEqual(folders.map((folder) => basename(folder)).toSorted());
  });
});

describe("lines beside another library", () => {
  it("leave out imports, comments and blank lines", () => {
    const code =
      'import {\n  a,\n} from "a";\nimport b from "b";\n\n/** One. */\n// two\na(\n  b,\n);\n';
    expect(countLines(code)).toBe(3);
  });

  it("are of blocks of both libraries: in three of four tasks ours are not more", () => {
    const tasks = taskLinesOf(read("docs/from-ai-sdk.md"), "ai-sdk");
    expect(tasks.length).toBeGreaterThanOrEqual(10);
    const shorter = tasks.filter(({ theirs, ours }) => ours <= theirs);
    expect(shorter.length / tasks.length).toBeGreaterThanOrEqual(0.75);
  });
});
