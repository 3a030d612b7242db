import { postgresJournal } from "@fullstop/journal-postgres";
import { Pool } from "pg";
import { expect, test } from "vitest";

test.each([
  [{ maxStepByte: 1 }, /`maxStepByte` of `postgresJournal`.*`maxStepBytes`/],
  [{ maxStepBytes: 0 }, /`maxStepBytes`/],
  [{ leaseMs: "30s" }, /`leaseMs`/],
  [{ schema: "" }, /`schema` is ""/],
])("%j is refused before the pool is used", (options, sentence) => {
  expect(() => postgresJournal(new Pool(), options as never)).toThrow(sentence);
});

test.each(["postgres://localhost/runs", undefined])("%s is not a pool", (pool) => {
  expect(() => postgresJournal(pool as never)).toThrow(/`new Pool\(\{ connectionString \}\)`/);
});
