import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { judge, type LoopSubject, report, type Verdict, type Wire } from "@fullstop/conformance";
import { conform } from "@fullstop/conformance/vitest";
import { anthropicWire } from "@fullstop/conformance/wires/anthropic";
import { geminiWire } from "@fullstop/conformance/wires/gemini";
import { openaiChatWire } from "@fullstop/conformance/wires/openai-chat";
import { openaiResponsesWire } from "@fullstop/conformance/wires/openai-responses";
import { agentSubject } from "@fullstop/conformance-cli";
import type { Adapter, Endpoint } from "@fullstop/core";
import { jsonSchema, run, tool } from "@fullstop/loop";
import { anthropic } from "@fullstop/provider-anthropic";
import { google } from "@fullstop/provider-google";
import { openai, openaiChat } from "@fullstop/provider-openai";
import { afterAll, expect, test } from "vitest";

const loopOver = (wire: Wire, adapter: (endpoint: Endpoint) => Adapter): LoopSubject => ({
  wire,
  loop: ({ endpoint, tools, prompt, signal }) =>
    run({
      adapter: adapter(endpoint),
      tools: tools.map(({ inputSchema, execute, ...rest }) =>
        tool({ ...rest, inputSchema: jsonSchema(inputSchema), execute }),
      ),
      prompt,
      signal,
      request: { maxTokens: 1024 },
      recovery: { maxWaitMs: 20 },
    }).outcome(),
});

const subjects = [
  loopOver(anthropicWire, (endpoint) => anthropic("claude-sonnet-5-5", endpoint)),
  loopOver(openaiChatWire, (endpoint) => openaiChat("gpt-5.2", endpoint)),
  loopOver(openaiResponsesWire, (endpoint) => openai("gpt-5.2", endpoint)),
  loopOver(geminiWire, (endpoint) => google("gemini-3-pro", endpoint)),
];
for (const subject of subjects) conform(subject, { jobs: 4 });

/** The program is started some thirty times; it need not be compiled as often. */
const cache = mkdtempSync(join(tmpdir(), "compiled-"));
process.env["NODE_COMPILE_CACHE"] = cache;
afterAll(() => rmSync(cache, { recursive: true, force: true }));

test("the agent in a process of its own keeps every clause", async () => {
  const path = fileURLToPath(new URL("../agent.ts", import.meta.url));
  const subject = await agentSubject([process.execPath, "--conditions=@fullstop/source", path], {
    timeoutMs: 120_000,
  });
  const verdicts: Verdict[] = [];
  for await (const verdict of judge(subject, { jobs: 2 })) verdicts.push(verdict);
  const asked = verdicts.filter(({ status }) => status !== "not-asked");
  expect(asked.filter(({ status }) => status !== "kept").map(report)).toEqual([]);
  expect(asked.length).toBeGreaterThan(15);
});
