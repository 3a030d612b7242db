import { places, sampled } from "@tooling/test/sample";
import { describe, expect, test } from "vitest";
// @boundaries-ignore the adapters stand on this package
import bedrock from "../../../provider-bedrock/test/subject.ts";
// @boundaries-ignore the adapters stand on this package
import { google, googleInteractions } from "../../../provider-google/src/index.ts";
// @boundaries-ignore the adapters stand on this package
import ollama from "../../../provider-ollama/test/subject.ts";
import { wholeOnly } from "../../src/clauses/mutants.ts";
import { type AdapterSubject, judge } from "../../src/index.ts";
import { geminiWire } from "../../src/wires/gemini/index.ts";
import { interactionsWire } from "../../src/wires/gemini-interactions/index.ts";
import { sound } from "../sound.ts";
import { breaks } from "./breaks.ts";

/** The decoders of all protocols: those of `sound`, and four more. */
const subjects: readonly AdapterSubject[] = [
  ...sound,
  {
    wire: geminiWire,
    adapter: (endpoint) => google("gemini-3.1-pro", { apiKey: "key", ...endpoint }),
    wholeAdapter: (endpoint) =>
      google("gemini-3.1-pro", { apiKey: "key", stream: false, ...endpoint }),
  },
  {
    wire: interactionsWire,
    adapter: (endpoint) => googleInteractions("gemini-3.8-flash", { apiKey: "key", ...endpoint }),
    wholeAdapter: (endpoint) =>
      googleInteractions("gemini-3.8-flash", { apiKey: "key", stream: false, ...endpoint }),
  },
  bedrock,
  ollama,
];

async function isFound(subject: AdapterSubject, only: string): Promise<boolean> {
  for await (const { status } of judge(subject, { only, sample: places(), first: true }))
    return status === "broken";
  return false;
}

const cases = Object.entries(breaks).flatMap(([wrong, { subject, ...ways }]) =>
  subjects.map((one) => ({ wrong, name: one.wire.name, subject, one: sampled(one), ...ways })),
);

describe("a decoder that breaks only replies in one piece is found", () => {
  test.for(cases)("$name: it $wrong ($whole)", async ({ subject, one, whole }) => {
    const isRequest = whole.startsWith("request.");
    const broken = isRequest ? subject(one) : wholeOnly(subject)(one);
    expect(await isFound(broken, whole)).toBe(true);
  });
});

describe("a decoder that breaks only streamed replies is found", () => {
  const streamed = cases.filter((one) => one.streamed !== undefined);
  test.for(streamed)("$name: it $wrong ($streamed)", async ({ subject, one, streamed: clause }) => {
    const { whole: _, ...wire } = one.wire;
    expect(await isFound(subject({ ...one, wire }), clause ?? "")).toBe(true);
  });
});
