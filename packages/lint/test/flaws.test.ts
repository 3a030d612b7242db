import { describe, expect, test } from "vitest";
import {
  fixTranscript,
  type LintRule,
  lintTranscript,
  readTranscripts,
  rules,
  type ShapeName,
} from "../src/index.ts";
import type { TranscriptCase } from "./cases/case.ts";
import { chatCases, responsesCases } from "./cases/openai.ts";
import { fullstopCases, sdkCases, uiCases } from "./cases/own.ts";
import { anthropicCases, geminiCases } from "./cases/vendors.ts";

const all: Readonly<Record<ShapeName, readonly TranscriptCase[]>> = {
  fullstop: fullstopCases,
  "ai-sdk": sdkCases,
  "ai-sdk-ui": uiCases,
  "openai-chat": chatCases,
  "openai-responses": responsesCases,
  anthropic: anthropicCases,
  gemini: geminiCases,
};
describe.each(Object.keys(all) as ShapeName[])("transcripts of %s", (shape) => {
  test.each(all[shape])("$is", ({ transcript, finds }) => {
    const report = lintTranscript(transcript);
    expect(report.shape).toBe(shape);
    const found = report.flaws.map(({ rule, at, id }) =>
      id === undefined ? [rule, at] : [rule, at, id],
    );
    expect(found.toSorted()).toEqual(finds.toSorted());
    const { transcript: repaired, left } = fixTranscript(transcript);
    expect(left.filter(({ fixable }) => fixable)).toEqual([]);
    expect(lintTranscript(repaired, { shape }).flaws).toEqual(left);
  });

  test("break each rule that holds for it in a test", () => {
    const held = Object.entries(rules).filter(([, { holds }]) => holds[shape] !== undefined);
    const broken = new Set(all[shape].flatMap(({ finds }) => finds.map(([rule]) => rule)));
    expect(held.map(([rule]) => rule).filter((rule) => !broken.has(rule as LintRule))).toEqual([]);
  });
});

test("readTranscripts says what to pass if it gets nothing", () => {
  expect(() => readTranscripts(undefined as never)).toThrow(
    "`readTranscripts` needs the text of a file.",
  );
});
