import { describe, expect, it } from "vitest";
import { compareLayout } from "../src/layout.ts";

const layout = `
    read        one reply
    json/       numbers and partial JSON
      gate      gives out calls
      rules     what a reply must be
    history/fold  reads a history
`;

describe("the comparison of a layout with files", () => {
  it("accepts paths, base names, and folders with all of their files", () => {
    expect(
      compareLayout(layout, [
        "read",
        "json/a",
        "json/b",
        "gate/gate",
        "gate/rules",
        "history/fold",
      ]),
    ).toEqual({
      missing: [],
      unknown: [],
    });
  });

  it("reports a file without a line, also beside files with lines", () => {
    const files = ["read", "timer", "json/a", "gate/gate", "gate/rules", "gate/calls"];
    expect(compareLayout(layout, files).missing).toEqual(["timer", "gate/calls"]);
  });

  it("reports a line without a file or folder", () => {
    expect(compareLayout(layout, ["read", "gate/gate"]).unknown).toEqual([
      "json/",
      "rules",
      "history/fold",
    ]);
  });
});
