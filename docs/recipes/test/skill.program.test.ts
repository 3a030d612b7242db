import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { judge, report, type Verdict } from "@fullstop/conformance";
import { agentSubject } from "@fullstop/conformance-cli";
import { afterAll, expect, it } from "vitest";

/** Each program is started some thirty times; it need not be compiled as often. */
const cache = mkdtempSync(join(tmpdir(), "compiled-"));
process.env["NODE_COMPILE_CACHE"] = cache;
afterAll(() => rmSync(cache, { recursive: true, force: true }));

/** What `conformance agent` finds. */
async function verdictsOn(program: string, only?: string): Promise<readonly Verdict[]> {
  const path = fileURLToPath(new URL(`../skill/${program}.ts`, import.meta.url));
  const command = [process.execPath, "--conditions=@fullstop/source", path] as const;
  const subject = await agentSubject(command, { timeoutMs: 120_000 });
  const verdicts: Verdict[] = [];
  for await (const verdict of judge(subject, { jobs: 2, only })) verdicts.push(verdict);
  return verdicts;
}
const brokenIn = (verdicts: readonly Verdict[]): readonly string[] =>
  verdicts
    .filter(({ status, clause }) => status === "broken" && clause.level === "must")
    .map(report);

it.each(["own-loop-after", "from-ai-sdk", "from-openai-agents", "from-langchain"])(
  "skill/%s keeps each clause that must be kept",
  async (program) => {
    const verdicts = await verdictsOn(program);
    expect(brokenIn(verdicts)).toEqual([]);
    expect(verdicts.filter(({ status }) => status === "kept").length).toBeGreaterThan(10);
  },
);

it("skill/own-loop-before runs calls of replies that were not finished", async () => {
  expect(brokenIn(await verdictsOn("own-loop-before", "stop"))).not.toEqual([]);
});
