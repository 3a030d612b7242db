import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { entryPointsOf, reference } from "../src/api.ts";
import { root } from "../src/blocks.ts";
import { generated } from "../src/generated.ts";
import { fillMarks } from "../src/marks.ts";
import { demoReply, drawSvg, plain } from "../src/picture.ts";
import { stopTables } from "../src/stops.ts";

const hint = "It is generated from the sources: run `pnpm generate`.";

describe("a generated file", () => {
  it.each(generated)("matches the sources: $file", ({ file, text }) => {
    expect(readFileSync(join(root, file), "utf8") === text, hint).toBe(true);
  });

  it("has the stop table of every provider", () => {
    expect(stopTables.map(({ protocol }) => protocol)).toEqual(
      expect.arrayContaining(["anthropic", "google", "openai/chat", "openai/responses"]),
    );
    for (const { protocol, table } of stopTables)
      expect(Object.keys(table).length, protocol).toBeGreaterThan(3);
  });

  it("changes only between its marks", () => {
    expect(fillMarks("a\n<!-- x -->\nold\n<!-- /x -->\nb\n", "x", "new")).toBe(
      "a\n<!-- x -->\nnew\n<!-- /x -->\nb\n",
    );
    expect(() => fillMarks("a\n<!-- x -->\nno end", "x", "new")).toThrow("<!-- x -->");
  });
});

describe("the picture of the demo", () => {
  const lines = demoReply(2);

  it("shows a relabelled reply, its verdict and the next step", () => {
    expect(lines.map(plain).join("\n")).toMatch(
      /stop +tool_use, 240 of 240 tokens\n.*✖ held back: length, cap-reached\n[\s\S]*↻ asks again/,
    );
  });

  it("has all of the printed text, and nothing else", () => {
    const texts = [...drawSvg(lines, "light").matchAll(/<text[^>]*>([^<]*)<\/text>/g)];
    const drawn = texts.map(([, text]) => text).join("");
    expect(drawn.replaceAll(" ", "")).toBe(lines.map(plain).join("").replaceAll(" ", ""));
  });
});

describe("the reference", () => {
  const folders = generated.flatMap(({ file }) =>
    file.endsWith("/API.md") ? [file.replace("/API.md", "")] : [],
  );

  it.each(folders)("of %s describes every export", (folder) => {
    const undocumented = entryPointsOf(join(root, folder)).flatMap(({ exports }) =>
      exports.declarations.filter(({ doc }) => doc === ""),
    );
    const documented = entryPointsOf(join(root, folder)).flatMap(({ exports }) =>
      exports.declarations.filter(({ doc }) => doc !== "").map(({ name }) => name),
    );
    expect(
      undocumented.map(({ name }) => name).filter((name) => !documented.includes(name)),
    ).toEqual([]);
  });

  it("links to each of two exports whose names differ only in upper and lower case", () => {
    expect(reference(join(root, "packages/provider-mock"))).toMatch(
      /\[mock\]\(#mock\) .*\[Mock\]\(#mock-1\)/,
    );
  });

  it("shows the members that a type inherits from one that is not exported", () => {
    const [, turn = ""] = reference(join(root, "packages/core")).split("\n### FailedTurn\n");
    expect(turn.split("\n### ")[0]).toMatch(
      /interface WithoutCalls extends TurnBase[\s\S]*interface TurnBase \{[\s\S]*readonly usage: Usage;/,
    );
  });

  it("shows a function without its body, and an object by its type", () => {
    const [entryPoint] = entryPointsOf(join(root, "packages/core"));
    const code = new Map(entryPoint?.exports.declarations.map((one) => [one.name, one.code]));
    expect(code.get("explain")).toBe("function explain(turn: Turn): Words;");
    expect(code.get("errorRules")).toMatch(
      /^const errorRules: Readonly<\s*Record<\s*ErrorKind,[\s\S]*>\s*>;$/,
    );
    expect(code.get("ProviderError")).toMatch(
      /constructor\(message: string[^{]*\{[^}]*\}: ErrorDetail\);/,
    );
  });
});
