import { anthropicWire } from "@fullstop/conformance/wires/anthropic";
import { geminiWire } from "@fullstop/conformance/wires/gemini";
import { openaiChatWire } from "@fullstop/conformance/wires/openai-chat";
import { openaiResponsesWire } from "@fullstop/conformance/wires/openai-responses";
import { type Adapter, type Endpoint, readTurn } from "@fullstop/core";
import { jsonSchema, run } from "@fullstop/loop";
import { anthropic } from "@fullstop/provider-anthropic";
import { google } from "@fullstop/provider-google";
import { mock } from "@fullstop/provider-mock";
import { openai, openaiChat } from "@fullstop/provider-openai";
import { expect, test } from "vitest";
import { mcpTools } from "../src/index.ts";
import { runTools } from "./run-tools.ts";
import { namingServer } from "./servers.ts";

/** What each provider says about names. */
const providerRules: Readonly<Record<string, RegExp>> = {
  // https://platform.openai.com/docs/api-reference/chat/create: tools[].function.name
  openai: /^[a-zA-Z0-9_-]{1,64}$/,
  // https://docs.claude.com/en/docs/agents-and-tools/tool-use/implement-tool-use
  anthropic: /^[a-zA-Z0-9_-]{1,64}$/,
  // https://ai.google.dev/api/caching#FunctionDeclaration: a letter or `_` first.
  google: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/,
  // https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolSpecification.html
  bedrock: /^[a-zA-Z0-9_-]{1,64}$/,
};

const hostile = [
  "",
  " ",
  ".",
  "a.b",
  "a/b",
  "a:b",
  "a b",
  "__proto__",
  "constructor",
  "<script>alert(1)</script>",
  'quote"quote',
  "new\nline",
  "null\u0000byte",
  "right\u202eleft",
  "zażółć",
  "日本語の道具",
  "🔧",
  "\ud800",
  "9lives",
  "-dash",
  "ends_",
  "../../etc/passwd",
  "$(x)",
  "x".repeat(64),
  "x".repeat(65),
  "x".repeat(5000),
  "github.com/owner/repository/issues/comments/create-with-a-very-long-name",
  "github.com/owner/repository/issues/comments/create-with-a-very-long-name-2",
];
const names = [
  ...hostile,
  ...Array.from(
    { length: 300 - hostile.length },
    (_, index) => `tool/${"long-".repeat(20)}${index}`,
  ),
];

test("300 tools with hostile names: every provider accepts the names, and each calls its tool", async () => {
  expect(new Set(names).size).toBe(300);
  const mcp = await mcpTools([{ name: "any", transport: namingServer(names), trust: true }]);
  const given = mcp.tools.map(({ name = "" }) => name);
  expect(new Set(given).size).toBe(300);
  for (const [provider, rule] of Object.entries(providerRules))
    expect([provider, given.filter((name) => !rule.test(name))]).toEqual([provider, []]);
  const calls = given.map((name) => ({ name, input: {} }));
  const { results } = await runTools(mcp, [{ calls }, "Done."]);
  const said = new Map(results.map(({ result }) => [result.name, result.content]));
  expect(given.map((name) => said.get(name))).toEqual(
    names.map((name) => [{ type: "text", text: JSON.stringify(name) }]),
  );
  await mcp.close();
});

/** What an adapter sends to its provider for these tools. */
async function sentBody(make: (endpoint: Endpoint) => Adapter, given: readonly string[]) {
  let body: unknown;
  const fetch: typeof globalThis.fetch = async (input, init) => {
    body = JSON.parse(await new Request(input, init).text());
    return new Response("no", { status: 400 });
  };
  const inputSchema = { type: "object", properties: {} };
  await readTurn(make({ apiKey: "key", baseURL: "http://provider.test", fetch }), {
    messages: [{ role: "user", content: "Go." }],
    tools: given.map((name) => ({ name, description: "A tool.", inputSchema })),
  });
  return body;
}

const wires = [
  [anthropicWire, (endpoint: Endpoint) => anthropic("claude-sonnet-5-5", endpoint)],
  [openaiResponsesWire, (endpoint: Endpoint) => openai("gpt-5.5", endpoint)],
  [openaiChatWire, (endpoint: Endpoint) => openaiChat("gpt-5.5", endpoint)],
  [geminiWire, (endpoint: Endpoint) => google("gemini-3-pro", endpoint)],
] as const;

test.each(wires)(
  "$name: its adapter sends the 300 tools, and its server accepts them",
  async (wire, make) => {
    const mcp = await mcpTools([{ name: "any", transport: namingServer(names) }]);
    await mcp.close();
    const body = await sentBody(
      make,
      mcp.tools.map(({ name = "" }) => name),
    );
    expect(JSON.stringify(body)).toContain("any__github_com_owner");
    expect(wire.violations(body)).toEqual([]);
  },
);

test("the control: the servers refuse a name with a blank", async () => {
  for (const [wire, make] of wires.filter(([{ name }]) => name !== anthropicWire.name))
    expect(wire.violations(await sentBody(make, ["any__a b"]))).not.toEqual([]);
});

test("the names are the same in each process", async () => {
  const mcp = await mcpTools([{ name: "any", transport: namingServer(["read", "a.b", "é"]) }]);
  expect(mcp.tools.map(({ name }) => name)).toEqual([
    "any__read",
    "any__a_b_f4cd5d2f37",
    "any__d66a2b369b",
  ]);
  await mcp.close();
});

test("of two tools with one name the first stays, and a warning names both", async () => {
  const first = await mcpTools([{ name: "any", transport: namingServer(["a.b"]) }]);
  const taken = String(first.tools[0]?.name).slice("any__".length);
  await first.close();
  const warnings: string[] = [];
  const onWarning = ({ message }: Error): void => void warnings.push(message);
  const servers = [
    { name: "any", transport: namingServer(["a.b", taken, "c"]) },
    { name: "other", transport: namingServer(["d"]) },
  ];
  const both = await mcpTools(servers, { onWarning });
  expect(both.tools.map(({ name }) => name)).toEqual([`any__${taken}`, "any__c", "other__d"]);
  expect(warnings).toEqual([
    expect.stringContaining(
      `the tool "a.b" of the server "any" and the tool "${taken}" of the server "any". Only the first is offered.`,
    ),
  ]);
  await both.close();
});

test("a tool of your own stays beside one of a server with its name, and two of your own are an error", async () => {
  const own = {
    name: "any__a",
    description: "x",
    inputSchema: jsonSchema({ type: "object" }),
    execute: () => "",
  };
  const mcp = await mcpTools([{ name: "any", transport: namingServer(["a"]) }], { tools: [own] });
  expect(mcp.tools).toEqual([own]);
  await mcp.close();
  await expect(mcpTools([], { tools: [own, { ...own }] })).rejects.toThrow(
    "Two tools get the name",
  );
});

test("a server name that cannot begin the name of a tool is an error", async () => {
  for (const name of ["", "a__b", "a_", "1a", "ä", "a b", "x".repeat(32)])
    await expect(mcpTools([{ name, transport: namingServer([]) }])).rejects.toThrow("`name`");
  const twice = [1, 2].map(() => ({ name: "a", transport: namingServer([]) }));
  await expect(mcpTools(twice)).rejects.toThrow('Two servers have the name "a"');
});

test("the control: names as servers write them are refused", () => {
  const inputSchema = jsonSchema({ type: "object" });
  const tools = [{ name: "any__a/b", description: "x", inputSchema, execute: () => "" }];
  expect(() => run({ adapter: mock(["Done."]), tools, prompt: "Go." })).toThrow(
    "No provider accepts",
  );
});
