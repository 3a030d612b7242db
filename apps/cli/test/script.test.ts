import { describe, expect, it } from "vitest";
import { finished, key } from "../src/demo/project.ts";
import { steps, tokensOf } from "../src/demo/script.ts";

describe("the script", () => {
  it("cuts at the cap only what is too long for it", () => {
    for (const step of steps) {
      const cut = step.accident?.kind === "cut" || step.accident?.kind === "relabelled";
      if (cut) expect(tokensOf(step)).toBeGreaterThan(step.cap);
      else expect(tokensOf(step)).toBeLessThanOrEqual(step.cap);
    }
  });

  it("has one accident of each kind, and one that comes twice", () => {
    expect(steps.flatMap(({ accident }) => accident?.kind ?? []).sort()).toEqual([
      "cut",
      "dropped",
      "dropped",
      "dropped",
      "filtered",
      "relabelled",
    ]);
  });

  it("keeps the key in the notes", () => {
    expect(
      [...finished].filter(([, content]) => content.includes(key)).map(([path]) => path),
    ).toEqual(["notes.md"]);
  });
});
