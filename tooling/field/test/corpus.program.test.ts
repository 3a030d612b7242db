import { join } from "node:path";
import { corpusRunsText, repeatedCalls } from "@tooling/docs/corpus-runs";
import { root } from "@tooling/publish/process";
import { describe, expect, it } from "vitest";
import { compareOnCorpus } from "../src/corpus/compare.ts";

const at = "2026-11-24T00:00:00.000Z";
const naive = ["node", join(root, "packages/conformance-cli/examples/naive/agent.mjs")];
const doubling = join(import.meta.dirname, "doubling-gateway.mjs");

describe("a program that reads the replies of the corpus", () => {
  it("runs each call once behind the gateway", async () => {
    const subject = await compareOnCorpus("Naive", naive);
    expect(subject.replies.length).toBeGreaterThan(1);
    expect(subject.replies.map(({ behind }) => behind)).toEqual(
      subject.replies.map(({ calls }) => ({ ran: calls, repeated: 0 })),
    );
    const runs = { at, subjects: [subject] };
    expect(repeatedCalls(runs)).toEqual([]);
    expect(corpusRunsText(runs)).toContain("| Naive |");
  });

  it("is reported if a gateway makes it run a call twice", async () => {
    const command = `node ${doubling} {port} {upstream}`;
    const subject = await compareOnCorpus("Naive", naive, { through: { command, path: "" } });
    expect(subject.replies.filter(({ alone }) => alone.repeated > 0)).toEqual([]);
    expect(repeatedCalls({ subjects: [subject] })).toEqual(
      subject.replies.map(({ reply }) => `Naive: ${reply}`),
    );
  });
});
