import { describe, expect, it } from "vitest";
import { expectedFiles, key } from "../src/demo/project.ts";
import { estimateTokens, exchanges } from "../src/demo/script.ts";

describe("the script", () => {
  it("cuts a reply at the cap only if it is longer than the cap", () => {
    for (const exchange of exchanges) {
      const cut = exchange.fault?.kind === "cut" || exchange.fault?.kind === "relabelled";
      if (cut) expect(estimateTokens(exchange)).toBeGreaterThan(exchange.cap);
      else expect(estimateTokens(exchange)).toBeLessThanOrEqual(exchange.cap);
    }
  });

  it("has each kind of fault, and a connection that is lost twice in one turn", () => {
    expect(exchanges.flatMap(({ fault }) => fault?.kind ?? []).sort()).toEqual([
      "cut",
      "dropped",
      "dropped",
      "dropped",
      "filtered",
      "relabelled",
    ]);
  });

  it("leaves the key in the notes only", () => {
    expect(
      [...expectedFiles].filter(([, content]) => content.includes(key)).map(([path]) => path),
    ).toEqual(["notes.md"]);
  });
});
