import { expect, test } from "vitest";
import { z } from "zod";
import { mcpTools, serverTool } from "../src/index.ts";
import { callOnce, runTools } from "./run-tools.ts";
import { modernServer, oldServer } from "./servers.ts";

const add = { a: z.number(), b: z.number() };

test("a server of each protocol: a call, its result, its name, and the key of the call", async () => {
  const metas: unknown[] = [];
  const modern = await modernServer((server) => {
    server.registerTool("add", { inputSchema: z.object(add) }, ({ a, b }, { mcpReq }) => {
      metas.push(mcpReq._meta?.["idempotencyKey"]);
      return { content: [{ type: "text", text: String(a + b) }] };
    });
  });
  const old = oldServer((server) => {
    server.registerTool("add", { inputSchema: add }, ({ a, b }, { _meta }) => {
      metas.push(_meta?.["idempotencyKey"]);
      return { content: [{ type: "text", text: String(a + b) }] };
    });
  });
  const mcp = await mcpTools([
    { name: "modern", transport: modern.transport },
    { name: "old", transport: old.transport },
  ]);
  try {
    expect(mcp.tools.map(({ name }) => name)).toEqual(["modern__add", "old__add"]);
    const { results } = await runTools(mcp, [
      {
        calls: [
          { name: "modern__add", input: { a: 1, b: 2 } },
          { name: "old__add", input: { a: 3, b: 4 } },
        ],
      },
      "Done.",
    ]);
    expect(results.map(({ result }) => [result.name, result.content]).toSorted()).toEqual([
      ["modern__add", [{ type: "text", text: "3" }]],
      ["old__add", [{ type: "text", text: "7" }]],
    ]);
    expect(metas.toSorted()).toEqual([
      expect.stringMatching(/\/1\/1$/),
      expect.stringMatching(/\/1\/2$/),
    ]);
  } finally {
    await mcp.close();
    await modern.close();
  }
});

test("an error of a tool, and an error of the server, are error results", async () => {
  const modern = await modernServer((server) => {
    server.registerTool("fail", {}, () => ({
      isError: true,
      content: [{ type: "text", text: "No such order." }],
    }));
  });
  const mcp = await mcpTools([{ name: "shop", transport: modern.transport }]);
  try {
    const failed = await runTools(mcp, callOnce("shop__fail"));
    expect(failed.results[0]).toMatchObject({
      ran: true,
      result: { isError: true, content: [{ type: "text", text: "No such order." }] },
    });
    expect(failed.results[0]?.inDoubt).toBeUndefined();
  } finally {
    await mcp.close();
    await modern.close();
  }
});

test("annotations count only for a trusted server", async () => {
  const setUp = oldServer((server) => {
    const respond = () => ({ content: [] });
    server.registerTool("read", { annotations: { readOnlyHint: true } }, respond);
    server.registerTool("put", { annotations: { idempotentHint: true } }, respond);
    server.registerTool("pay", {}, respond);
  });
  const { transport } = setUp;
  const mcp = await mcpTools([
    { name: "known", transport, trust: true },
    { name: "other", transport },
  ]);
  const asked: unknown[] = [];
  const calls = mcp.tools.map(({ name = "" }) => ({ name, input: {} }));
  await runTools(mcp, [{ calls }, "Done."], {
    approve: ({ name, revision }, { tool }) => {
      const from = serverTool(tool);
      asked.push([name, from?.server, from?.tool, from?.revision === revision]);
      return true;
    },
  });
  expect(asked).toEqual([
    ["known__put", "known", "put", true],
    ["known__pay", "known", "pay", true],
    ["other__read", "other", "read", true],
    ["other__put", "other", "put", true],
    ["other__pay", "other", "pay", true],
  ]);
  expect(mcp.tools.map((tool) => ("idempotent" in tool ? tool.idempotent : undefined))).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
  await mcp.close();
});

test("without `approve` a run waits before it calls a tool of a server that is not trusted", async () => {
  const ran: string[] = [];
  const { transport } = oldServer((server) => {
    server.registerTool("pay", { annotations: { readOnlyHint: true } }, () => {
      ran.push("pay");
      return { content: [] };
    });
  });
  const mcp = await mcpTools([{ name: "shop", transport }]);
  const { outcome } = await runTools(mcp, [callOnce("shop__pay")[0] as never], {
    approve: undefined,
  });
  expect(outcome).toMatchObject({
    status: "waiting",
    calls: [{ name: "shop__pay", needs: "decision" }],
  });
  expect(ran).toEqual([]);
  await mcp.close();
});
