import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileJournal } from "@fullstop/journal-file";
import type { RunOptions } from "@fullstop/loop";
import type { ElicitResult } from "@modelcontextprotocol/client";
import { McpError, UrlElicitationRequiredError } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, expect, test } from "vitest";
import { type McpOptions, mcpTools } from "../src/index.ts";
import { callOnce, runTools } from "./run-tools.ts";
import { oldServer } from "./servers.ts";

const folder = mkdtempSync(join(tmpdir(), "fullstop-mcp-url-"));
afterAll(() => rmSync(folder, { recursive: true }));

const address = {
  mode: "url" as const,
  elicitationId: "__proto__",
  url: "https://shop.example/connect",
  message: "Connect your account.",
};

/** A tool that wants a person to open an address before it works. */
function shop(isOpened: () => boolean, error: Error = new UrlElicitationRequiredError([address])) {
  const seen = { requests: 0, paid: 0 };
  const { transport } = oldServer((server) => {
    server.registerTool("pay", {}, () => {
      seen.requests += 1;
      if (!isOpened()) throw error;
      seen.paid += 1;
      return { content: [{ type: "text", text: "paid" }] };
    });
  });
  return { seen, transport };
}

async function pay(
  { transport }: Pick<ReturnType<typeof shop>, "transport">,
  options: McpOptions,
  runOptions: Partial<RunOptions> = {},
  script = callOnce("shop__pay"),
) {
  const mcp = await mcpTools([{ name: "shop", transport }], options);
  try {
    return await runTools(mcp, script, runOptions);
  } finally {
    await mcp.close();
  }
}

test("`elicit` has the address opened, and the call is sent again", async () => {
  let isOpened = false;
  const server = shop(() => isOpened);
  const questions: unknown[] = [];
  const elicit: McpOptions["elicit"] = (question) => {
    questions.push(question);
    isOpened = true;
    return { action: "accept" };
  };
  const { results } = await pay(server, { elicit });
  expect(results[0]?.result.content).toEqual([{ type: "text", text: "paid" }]);
  expect(questions).toEqual([{ server: "shop", tool: "pay", params: address }]);
  expect(server.seen).toEqual({ requests: 2, paid: 1 });
});

test.each<[ElicitResult["action"]]>([["decline"], ["cancel"]])(
  "the call is not sent again after %s",
  async (action) => {
    const server = shop(() => false);
    const { results } = await pay(server, { elicit: () => ({ action }) });
    expect(results[0]?.result).toMatchObject({
      isError: true,
      content: expect.stringContaining("The tool was not run"),
    });
    expect(results[0]?.inDoubt).toBeUndefined();
    expect(server.seen).toEqual({ requests: 1, paid: 0 });
  },
);

test("without `elicit` the run waits, and another process answers", async () => {
  let isOpened = false;
  const journal = { store: fileJournal(join(folder, "run.jsonl")), runId: "run" };
  const server = shop(() => isOpened);
  const { outcome } = await pay(server, {}, { journal }, [callOnce("shop__pay")[0] as never]);
  if (outcome.status !== "waiting") throw new Error(outcome.summary);
  const [call] = JSON.parse(JSON.stringify(outcome.calls));
  expect(call).toMatchObject({ needs: "input", question: { server: "shop", tool: "pay" } });
  expect(Object.entries(call.question.requests)).toEqual([
    ["__proto__", { method: "elicitation/create", params: address }],
  ]);
  isOpened = true;
  const answer = JSON.parse('{"__proto__":{"action":"accept"}}');
  const waiting = { inputs: { [call.id]: answer } };
  const done = await pay(server, {}, { journal, waiting }, ["Done."]);
  expect(done.results[0]?.result.content).toEqual([{ type: "text", text: "paid" }]);
  expect(server.seen).toEqual({ requests: 2, paid: 1 });
});

test("a person who declines days later ends the call", async () => {
  const journal = { store: fileJournal(join(folder, "declined.jsonl")), runId: "declined" };
  const server = shop(() => false);
  const { outcome } = await pay(server, {}, { journal }, [callOnce("shop__pay")[0] as never]);
  const id = outcome.status === "waiting" ? outcome.calls[0]?.id : undefined;
  const answer = JSON.parse('{"__proto__":{"action":"decline"}}');
  const waiting = { inputs: { [id ?? ""]: answer } };
  const { results } = await pay(server, {}, { journal, waiting }, ["Done."]);
  expect(results[0]?.result.content).toContain("The tool was not run");
  expect(server.seen).toEqual({ requests: 1, paid: 0 });
});

test("a server that always wants an address is stopped after `maxRounds`", async () => {
  const server = shop(() => false);
  const options: McpOptions = { elicit: () => ({ action: "accept" }), maxRounds: 2 };
  const { results } = await pay(server, options);
  expect(results[0]?.result.content).toContain("asked 2 times");
  expect(server.seen).toEqual({ requests: 3, paid: 0 });
});

test.each([
  ["names nothing", new McpError(-32042, "Open it.")],
  ["names an empty list", new UrlElicitationRequiredError([])],
  ["names something else", new McpError(-32042, "Open it.", { elicitations: [{ url: 1 }] })],
])("an error that %s is an ordinary one", async (_, error) => {
  const server = shop(() => false, error);
  const { results } = await pay(server, { elicit: () => ({ action: "accept" }) });
  expect(results[0]?.result).toMatchObject({
    isError: true,
    content: expect.stringContaining("answered with an error"),
  });
  expect(server.seen.requests).toBe(1);
});
