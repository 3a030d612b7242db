import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { doorsOf, reference } from "../src/api.ts";
import { root } from "../src/blocks.ts";
import { filled, generated } from "../src/generated.ts";
import { stopTables } from "../src/stops.ts";

const hint = "It is made from the sources: run `pnpm generate`.";

describe("what is made from the sources", () => {
  it.each(generated)("$file is as the sources are now", ({ file, text }) => {
    expect(readFileSync(join(root, file), "utf8") === text, hint).toBe(true);
  });

  it("has a stop table of every provider that maps words", () => {
    expect(stopTables.map(({ protocol }) => protocol)).toEqual(
      expect.arrayContaining(["anthropic", "google", "openai/chat", "openai/responses"]),
    );
    for (const { protocol, table } of stopTables)
      expect(Object.keys(table).length, protocol).toBeGreaterThan(3);
  });

  it("is put nowhere but between its marks", () => {
    expect(filled("a\n<!-- x -->\nold\n<!-- /x -->\nb\n", "x", "new")).toBe(
      "a\n<!-- x -->\nnew\n<!-- /x -->\nb\n",
    );
    expect(() => filled("a\n<!-- x -->\nno end", "x", "new")).toThrow("There is no <!-- x -->");
  });
});

describe("the reference", () => {
  const folders = generated.flatMap(({ file }) =>
    file.endsWith("/API.md") ? [file.replace("/API.md", "")] : [],
  );

  it.each(folders)("of %s says of every export what it means", (folder) => {
    const mute = doorsOf(join(root, folder)).flatMap(({ exports }) =>
      exports.declarations.filter(({ doc }) => doc === ""),
    );
    const documented = doorsOf(join(root, folder)).flatMap(({ exports }) =>
      exports.declarations.filter(({ doc }) => doc !== "").map(({ name }) => name),
    );
    expect(mute.map(({ name }) => name).filter((name) => !documented.includes(name))).toEqual([]);
  });

  it("leads to each of two exports whose names differ in their letters' size alone", () => {
    expect(reference(join(root, "packages/provider-mock"))).toMatch(
      /\[mock\]\(#mock\) .*\[Mock\]\(#mock-1\)/,
    );
  });

  it("shows the members that a type has from one that nobody can import", () => {
    const [, turn = ""] = reference(join(root, "packages/core")).split("\n### FailedTurn\n");
    expect(turn.split("\n### ")[0]).toMatch(
      /interface WithoutCalls extends TurnBase[\s\S]*interface TurnBase \{[\s\S]*readonly usage: Usage;/,
    );
  });

  it("shows a function without its body, and an object by its type", () => {
    const [door] = doorsOf(join(root, "packages/core"));
    const code = new Map(door?.exports.declarations.map((one) => [one.name, one.code]));
    expect(code.get("explain")).toBe("function explain(turn: Turn): Words;");
    expect(code.get("errorRules")).toMatch(
      /^const errorRules: Readonly<\s*Record<\s*ErrorKind,[^]*>\s*>;$/,
    );
    expect(code.get("ProviderError")).toMatch(
      /constructor\(message: string[^{]*\{[^}]*\}: ErrorDetail\);/,
    );
  });
});
