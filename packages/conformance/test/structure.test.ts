import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { everyClause } from "../src/index.ts";

const folder = new URL("../src/clauses/", import.meta.url);
const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
  file.includes("/"),
);

test("a clause's id is its path, and every file of the folder is in the suite", () => {
  const ids = files.map((file) => file.replace(/\.ts$/, "").replace("/", "."));
  expect(everyClause.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
});

test.for(everyClause)(
  "$id says in one sentence what it demands, and who was hurt without it",
  ({ rule, because, level }) => {
    expect(rule).toMatch(/^[A-Z].*\.$/);
    expect(because).toMatch(/[\w)]#\d+|https:\/\//);
    expect(["must", "should"]).toContain(level);
  },
);
