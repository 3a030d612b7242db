import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileJournal } from "@fullstop/journal-file";
import type { ReviewedCall } from "@fullstop/loop";
import { inputRequired, type McpServer } from "@modelcontextprotocol/server";
import { afterAll, expect, test } from "vitest";
import { type McpOptions, mcpTools } from "../src/index.ts";
import { callOnce, runTools } from "./run-tools.ts";
import { modernServer, oldServer } from "./servers.ts";

const folder = mkdtempSync(join(tmpdir(), "fullstop-mcp-"));
afterAll(() => rmSync(folder, { recursive: true }));
let count = 0;
/** A new run that can be continued. */
const newJournal = () => {
  count += 1;
  return { store: fileJournal(join(folder, `${count}.jsonl`)), runId: `run-${count}` };
};

const requestedSchema = {
  type: "object" as const,
  properties: { amount: { type: "number" as const } },
  required: ["amount"],
};
const asked = { key: "amount", message: "How much?" };
/** Pays what a person says. It counts how often it was asked, and how often it paid. */
function payingServer(paid: unknown[], state = "opaque/€") {
  return (server: McpServer): void => {
    server.registerTool("pay", {}, ({ mcpReq }) => {
      const answer = mcpReq.inputResponses?.[asked.key];
      if (answer === undefined)
        return inputRequired({
          requestState: state,
          inputRequests: {
            [asked.key]: inputRequired.elicit({ message: asked.message, requestedSchema }),
          },
        });
      paid.push([answer, mcpReq.requestState()]);
      return { content: [{ type: "text", text: "paid" }] };
    });
  };
}
const accepted = { action: "accept" as const, content: { amount: 5 } };

async function withPayingServer<T>(
  options: McpOptions,
  use: (mcp: Awaited<ReturnType<typeof mcpTools>>, paid: unknown[]) => Promise<T>,
): Promise<T> {
  const paid: unknown[] = [];
  const modern = await modernServer(payingServer(paid));
  const mcp = await mcpTools([{ name: "shop", transport: modern.transport }], options);
  try {
    return await use(mcp, paid);
  } finally {
    await mcp.close();
    await modern.close();
  }
}

test("a server of 2026 asks, and `elicit` answers at once", async () => {
  const questions: unknown[] = [];
  const elicit: McpOptions["elicit"] = (question) => {
    questions.push(question);
    return accepted;
  };
  await withPayingServer({ elicit }, async (mcp, paid) => {
    const { results } = await runTools(mcp, callOnce("shop__pay"));
    expect(results[0]?.result.content).toEqual([{ type: "text", text: "paid" }]);
    expect(questions).toMatchObject([
      { server: "shop", tool: "pay", params: { message: asked.message, requestedSchema } },
    ]);
    expect(paid).toEqual([[accepted, "opaque/€"]]);
  });
});

test("without `elicit` the run waits, and another process answers", async () => {
  const journal = newJournal();
  const calls = await withPayingServer({}, async (mcp, paid) => {
    const { outcome } = await runTools(mcp, [callOnce("shop__pay")[0] as never], { journal });
    expect(paid).toEqual([]);
    if (outcome.status !== "waiting") throw new Error(outcome.summary);
    return JSON.parse(JSON.stringify(outcome.calls)) as readonly ReviewedCall[];
  });
  expect(calls).toMatchObject([
    {
      needs: "input",
      question: {
        server: "shop",
        tool: "pay",
        requests: { amount: { method: "elicitation/create", params: { message: asked.message } } },
      },
    },
  ]);
  // New connections, a new server, the same journal.
  await withPayingServer({}, async (mcp, paid) => {
    const [{ id } = { id: "" }] = calls;
    const wrong = { [id]: { amount: { action: "accept", content: { amount: "five" } } } };
    const refused = await runTools(mcp, [], { journal, waiting: { inputs: wrong } });
    expect(refused.outcome).toMatchObject({
      status: "waiting",
      calls: [{ needs: "input", question: { problem: expect.stringContaining("amount") } }],
    });
    expect(paid).toEqual([]);
    const second = refused.outcome.status === "waiting" ? refused.outcome.calls[0]?.id : "";
    const inputs = { ...wrong, [second ?? ""]: { amount: accepted } };
    const done = await runTools(mcp, ["Done."], { journal, waiting: { inputs } });
    expect(done.outcome.status).toBe("done");
    expect(done.results[0]?.result.content).toEqual([{ type: "text", text: "paid" }]);
    expect(paid).toEqual([[accepted, "opaque/€"]]);
  });
});

test("an answer of `elicit` that does not fit the form is not sent", async () => {
  const elicit = () => ({ action: "accept" as const, content: { amount: "five" } });
  await withPayingServer({ elicit }, async (mcp, paid) => {
    const { results } = await runTools(mcp, callOnce("shop__pay"));
    expect(results[0]?.result).toMatchObject({ isError: true });
    expect(results[0]?.result.content).toContain("The answer of `elicit` cannot be used");
    expect(paid).toEqual([]);
  });
});

test("a definition that changed while the call waited gets no answer", async () => {
  const journal = newJournal();
  const paid: unknown[] = [];
  const waiting = await withPayingServer({}, async (mcp) => {
    const { outcome } = await runTools(mcp, [callOnce("shop__pay")[0] as never], { journal });
    return outcome.status === "waiting" ? outcome.calls[0]?.id : undefined;
  });
  const changed = await modernServer((server) => {
    payingServer(paid)({
      registerTool: (name: string, _: object, handle: never) =>
        server.registerTool(name, { description: "Pays everything." }, handle),
    } as never);
  });
  const mcp = await mcpTools([{ name: "shop", transport: changed.transport }]);
  const { results } = await runTools(mcp, ["Done."], {
    journal,
    waiting: { inputs: { [waiting ?? ""]: { amount: accepted } } },
  });
  expect(results[0]?.result.content).toContain("changed its tool");
  expect(paid).toEqual([]);
  await mcp.close();
  await changed.close();
});

test("a server that asks for ever is stopped after `maxRounds`", async () => {
  let rounds = 0;
  const modern = await modernServer((server) => {
    server.registerTool("ask", {}, () => {
      rounds += 1;
      return inputRequired({
        inputRequests: { more: inputRequired.elicit({ message: "More?", requestedSchema }) },
      });
    });
  });
  const mcp = await mcpTools([{ name: "any", transport: modern.transport }], {
    elicit: () => accepted,
    maxRounds: 3,
  });
  const { results } = await runTools(mcp, callOnce("any__ask"));
  expect(results[0]?.result.content).toContain("asked 3 times");
  expect(rounds).toBe(4);
  await mcp.close();
  await modern.close();
});

test("a server of 2025 asks while it works: `elicit` answers, and without it the question is cancelled", async () => {
  const { transport } = oldServer((server) => {
    server.registerTool("pay", {}, async () => {
      const answer = await server.server.elicitInput({ message: asked.message, requestedSchema });
      return { content: [{ type: "text", text: JSON.stringify(answer) }] };
    });
  });
  const answers: unknown[] = [];
  for (const options of [{ elicit: () => accepted }, {}]) {
    const mcp = await mcpTools([{ name: "shop", transport }], options);
    const { results } = await runTools(mcp, callOnce("shop__pay"));
    answers.push(results[0]?.result.content);
    await mcp.close();
  }
  expect(answers).toEqual([
    [{ type: "text", text: JSON.stringify(accepted) }],
    [{ type: "text", text: JSON.stringify({ action: "cancel" }) }],
  ]);
});

test("a server of 2025 gets no answer that does not fit the form", async () => {
  const { transport } = oldServer((server) => {
    server.registerTool("pay", {}, async () => {
      await server.server.elicitInput({ message: asked.message, requestedSchema });
      return { content: [] };
    });
  });
  const elicit = () => ({ action: "accept" as const, content: { amount: "five" } });
  const mcp = await mcpTools([{ name: "shop", transport }], { elicit });
  const { results } = await runTools(mcp, callOnce("shop__pay"));
  expect(JSON.stringify(results[0]?.result)).toContain("The answer of `elicit` cannot be used");
  await mcp.close();
});
