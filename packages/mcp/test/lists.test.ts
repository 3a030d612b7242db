import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileJournal } from "@fullstop/journal-file";
import { tool } from "@fullstop/loop";
import { Client } from "@modelcontextprotocol/client";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { Tool as Definition } from "@modelcontextprotocol/sdk/types.js";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { mcpTools } from "../src/index.ts";
import { callOnce, runTools } from "./run-tools.ts";
import { modernServer, oldServer, rawServer } from "./servers.ts";

const inputSchema = { type: "object" as const };
const offered = (requests: readonly { readonly tools?: readonly object[] | undefined }[]) =>
  requests.map(({ tools = [] }) => tools.map((one) => "name" in one && one.name));

test("news of a server of 2025 count from the next request, beside the caller's own tools", async () => {
  const listed: Definition[] = [{ name: "grow", inputSchema }];
  let server: Server | undefined;
  const call = async () => {
    listed.push({ name: "new", inputSchema });
    await server?.sendToolListChanged();
    return { content: [] };
  };
  const transport = rawServer(listed, call as never, (one) => (server = one));
  const own = tool({ name: "own", description: "x", inputSchema: z.object({}), execute: () => "" });
  const mcp = await mcpTools([{ name: "any", transport }], { tools: [own] });
  const { requests } = await runTools(mcp, callOnce("any__grow"));
  expect(offered(requests)).toEqual([
    ["own", "any__grow"],
    ["own", "any__grow", "any__new"],
  ]);
  expect(mcp.tools.map(({ name }) => name)).toEqual(["own", "any__grow", "any__new"]);
  await mcp.close();
});

test("news of a server of 2026 count from the next request", async () => {
  let hasNew = false;
  const modern = await modernServer((server) => {
    server.registerTool("grow", {}, () => ({ content: [] }));
    if (hasNew) server.registerTool("new", {}, () => ({ content: [] }));
  });
  const mcp = await mcpTools([{ name: "any", transport: modern.transport }]);
  const before = await mcp.beforeTurn({ messages: [], turn: 1 });
  expect(before).toBeUndefined();
  hasNew = true;
  modern.announce();
  const names = async () => {
    await mcp.beforeTurn({ messages: [], turn: 2 });
    return mcp.tools.map(({ name }) => name);
  };
  const expectNew = async () => expect(await names()).toEqual(["any__grow", "any__new"]);
  await vi.waitFor(expectNew, 20_000);
  await mcp.close();
  await modern.close();
});

test("news that cannot be used leave the tools as they are, with a warning", async () => {
  const listed: Definition[] = [{ name: "a.b", inputSchema }];
  let server: Server | undefined;
  const call = async () => {
    listed.push({ name: "a.b", inputSchema });
    await server?.sendToolListChanged();
    return { content: [] };
  };
  const transport = rawServer(listed, call as never, (one) => (server = one));
  const warnings: string[] = [];
  const mcp = await mcpTools([{ name: "any", transport }], {
    onWarning: ({ message }) => void warnings.push(message),
  });
  const [{ name = "" } = {}] = mcp.tools;
  const { requests } = await runTools(mcp, callOnce(name));
  expect(offered(requests)).toEqual([[name], [name]]);
  expect(warnings).toEqual([expect.stringContaining("Two tools get the name")]);
  await mcp.close();
});

test("`filter` leaves tools out", async () => {
  const listed: Definition[] = [
    { name: "good", inputSchema },
    { name: "bad", inputSchema },
  ];
  const transport = rawServer(listed, () => ({ content: [] }));
  const mcp = await mcpTools([{ name: "any", transport, filter: ({ tool }) => tool === "good" }]);
  expect(mcp.tools.map(({ name }) => name)).toEqual(["any__good"]);
  await mcp.close();
});

test("a definition that is nested too deeply is left out with a warning that names it", async () => {
  const nested = (depth: number): Definition["inputSchema"] =>
    JSON.parse(`${'{"type":"object","not":'.repeat(depth)}{}${"}".repeat(depth)}`);
  const listed = [
    { name: "good", inputSchema },
    { name: "deep", inputSchema: nested(20_000) },
  ];
  const warnings: string[] = [];
  const transport = rawServer(listed, () => ({ content: [] }));
  const mcp = await mcpTools([{ name: "any", transport }], {
    onWarning: ({ message }) => void warnings.push(message),
  });
  expect(mcp.tools.map(({ name }) => name)).toEqual(["any__good"]);
  expect(warnings).toEqual([
    'The definition of the tool "deep" of the server "any" cannot be used.',
  ]);
  await mcp.close();
});

test("tools keep their order if a server lists them in another one", async () => {
  const names = ["one", "two", "three"];
  const listed: Definition[] = names.map((name) => ({ name, inputSchema }));
  let server: Server | undefined;
  const call = async () => {
    listed.reverse();
    listed.unshift({ name: "new", inputSchema });
    await server?.sendToolListChanged();
    return { content: [] };
  };
  const transport = rawServer(listed, call as never, (one) => (server = one));
  const mcp = await mcpTools([{ name: "any", transport }]);
  const { requests } = await runTools(mcp, callOnce("any__one"));
  const first = names.map((name) => `any__${name}`);
  expect(offered(requests)).toEqual([first, [...first, "any__new"]]);
  await mcp.close();
});

test("an approval counts only for the definition that was approved", async () => {
  const folder = mkdtempSync(join(tmpdir(), "fullstop-mcp-"));
  const journal = { store: fileJournal(join(folder, "run.jsonl")), runId: "run" };
  const ran: string[] = [];
  /** A new connection to a server that describes its tool like this. */
  const attempt = async (
    description: string,
    script: Parameters<typeof runTools>[1],
    id?: string,
  ) => {
    const { transport } = oldServer((server) => {
      server.registerTool("pay", { description }, () => {
        ran.push(description);
        return { content: [] };
      });
    });
    const mcp = await mcpTools([{ name: "shop", transport }]);
    const waiting = id === undefined ? undefined : { decisions: { [id]: true } };
    const { outcome } = await runTools(mcp, script, { journal, approve: undefined, waiting });
    await mcp.close();
    return outcome.status === "waiting" ? outcome.calls[0] : undefined;
  };
  const first = await attempt("Pays one.", [callOnce("shop__pay")[0] as never]);
  const second = await attempt("Pays all.", [], first?.id);
  expect(ran).toEqual([]);
  expect(second?.revision).not.toBe(first?.revision);
  expect(await attempt("Pays all.", ["Done."], second?.id)).toBeUndefined();
  expect(ran).toEqual(["Pays all."]);
  rmSync(folder, { recursive: true });
});

test("a client that the caller connected is used, not closed, and not connected again", async () => {
  const { transport } = oldServer((server) => {
    server.registerTool("get", {}, () => ({ content: [{ type: "text", text: "got" }] }));
  });
  const client = new Client({ name: "mine", version: "1.0.0" });
  await client.connect(transport());
  const mcp = await mcpTools([{ name: "any", client }]);
  const { results } = await runTools(mcp, callOnce("any__get"));
  expect(results[0]?.result.content).toEqual([{ type: "text", text: "got" }]);
  await mcp.close();
  expect(client.transport).toBeDefined();
  await client.close();
  const after = await runTools(mcp, callOnce("any__get"));
  expect(after.results[0]?.result.content).toContain("is not connected");
  expect(after.results[0]?.inDoubt).toBeUndefined();
});

test("options that cannot work are errors that name the option", async () => {
  const server = { name: "any", transport: rawServer([], () => ({})) };
  const wrong = (change: object, options: object = {}) =>
    mcpTools([{ ...server, ...change }], options);
  await expect(wrong({ timeoutMs: Number.POSITIVE_INFINITY })).rejects.toThrow("timeoutMs");
  await expect(wrong({ totalTimeoutMs: 0 })).rejects.toThrow("totalTimeoutMs");
  await expect(wrong({ trusted: true })).rejects.toThrow("trust");
  await expect(wrong({ transport: undefined })).rejects.toThrow("either `transport` or `client`");
  await expect(wrong({}, { maxRounds: 0 })).rejects.toThrow("maxRounds");
  await expect(wrong({}, { tools: {} })).rejects.toThrow("`tools` of `mcpTools`");
  await expect(wrong({}, { elicitation: () => ({}) })).rejects.toThrow("elicit");
  await expect(wrong({}, { sampling: {} })).rejects.toThrow("sampling");
});
