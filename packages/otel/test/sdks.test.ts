import type { Wire } from "@fullstop/conformance";
import { answerEvents, type Serving, serve } from "@fullstop/conformance/server";
import { anthropicWire } from "@fullstop/conformance/wires/anthropic";
import { geminiWire } from "@fullstop/conformance/wires/gemini";
import { openaiChatWire } from "@fullstop/conformance/wires/openai-chat";
import { openaiResponsesWire } from "@fullstop/conformance/wires/openai-responses";
import { type Adapter, run } from "@fullstop/loop";
import { anthropic } from "@fullstop/provider-anthropic";
import { bedrock } from "@fullstop/provider-bedrock";
import { google } from "@fullstop/provider-google";
import { openai, openaiChat } from "@fullstop/provider-openai";
import { context, propagation, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { UndiciInstrumentation } from "@opentelemetry/instrumentation-undici";
import { describe, expect, onTestFinished, test } from "vitest";
// @boundaries-ignore only the tests of this provider have its wire
import { wire as bedrockWire } from "../../provider-bedrock/test/wire.ts";
import { toolNamed } from "./agents.ts";
import { type Collector, collector, type ReceivedSpan } from "./collector.ts";

interface Vendor {
  readonly wire: Wire;
  /** The id and the model of its replies. Bedrock sends neither. */
  readonly response: readonly [id: string | undefined, model: string | undefined];
  adapter(endpoint: { readonly baseURL: string; readonly apiKey: string }): Adapter;
}
const vendors: Readonly<Record<string, Vendor>> = {
  "@anthropic-ai/sdk": {
    wire: anthropicWire,
    response: ["msg_01XFDUDYJgAACzvnptvVoYEL", "claude-sonnet-5-5"],
    adapter: (endpoint) => anthropic("claude-sonnet-5-5", endpoint),
  },
  "openai, Responses": {
    wire: openaiResponsesWire,
    response: ["resp_68a1b2", "gpt-5.5-2026-09-03"],
    adapter: (endpoint) => openai("gpt-5.5", endpoint),
  },
  "openai, Chat": {
    wire: openaiChatWire,
    response: ["chatcmpl-B9MHDbslfkBeAs8l4bebGdFOJ6PeG", "gpt-5.2"],
    adapter: (endpoint) => openaiChat("gpt-5.2", endpoint),
  },
  "@google/genai": {
    wire: geminiWire,
    response: ["mAEQaZ7pH9OqqtsP4u2S6Q4", "gemini-3.1-pro"],
    adapter: (endpoint) => google("gemini-3.1-pro", endpoint),
  },
  "@aws-sdk/client-bedrock-runtime": {
    wire: bedrockWire,
    response: [undefined, undefined],
    adapter: (endpoint) => bedrock("amazon.nova-pro-v1:0", { region: "eu-central-1", ...endpoint }),
  },
};

/** A provider that calls `read` twice, and answers with a text when it has the results. */
async function openServer({ wire }: Vendor): Promise<Serving> {
  const { stop = "", "tool-use": stopForCalls = stop } = wire.nativeStops;
  const blocks = ["a", "b"].map((path) => ({ name: "read", id: `call_${path}`, input: { path } }));
  const server = await serve(({ method, body }) => {
    if (method === "GET") return { chunks: [], status: 204 };
    const { upToTerminal, after = [] } = wire.frames(
      body.includes(pageStatus)
        ? { blocks: [{ text: "Done." }], stop, output: 12 }
        : { blocks, stop: stopForCalls, output: 12 },
    );
    return answerEvents(wire, [...upToTerminal, ...after]);
  });
  onTestFinished(() => server.close());
  return server;
}

/** What the tool returns. */
const pageStatus = "The page has the status";
const readPage =
  ({ url }: Serving) =>
  async (): Promise<string> =>
    `${pageStatus} ${(await fetch(`${url}/page`)).status}.`;

/** OpenTelemetry as a program sets it up: registered for all that writes spans. */
async function registered(): Promise<Collector> {
  const sink = await collector({ agentName: "helper" });
  const { tracerProvider } = sink;
  trace.setGlobalTracerProvider(tracerProvider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const http = new UndiciInstrumentation({
    // The exporter's own requests.
    ignoreRequestHook: ({ path }) =>
      path.startsWith("/v1/traces") || path.startsWith("/v1/metrics"),
  });
  http.setTracerProvider(tracerProvider);
  onTestFinished(() => {
    http.disable();
    for (const one of [trace, context, propagation]) one.disable();
  });
  return sink;
}

/** The spans as a tree, for the message of a test that fails. */
function treeOf(spans: readonly ReceivedSpan[]): string {
  const known = new Set(spans.map(({ id }) => id));
  const below = (parent: string | undefined, depth: number): readonly string[] =>
    spans
      .filter(({ parentId }) =>
        parent === undefined ? !known.has(parentId ?? "") : parentId === parent,
      )
      .flatMap(({ id, name, parentId }) => [
        `${"  ".repeat(depth)}${name}${parent === undefined && parentId ? " (an orphan)" : ""}`,
        ...below(id, depth + 1),
      ]);
  return below(undefined, 0).join("\n");
}

/** The tree of a run. Anthropic's SDK writes a span of its own for each request. */
const expectedTree = (model: string, own: readonly string[]): string => {
  const request = [`chat ${model}`, ...own, "POST"].map(
    (name, depth) => "  ".repeat(depth + 1) + name,
  );
  const tools = Array.from({ length: 2 }, () => ["  execute_tool read", "    GET"]).flat();
  return ["invoke_agent helper", ...request, ...tools, ...request].join("\n");
};

const responseOf = ({ attributes }: ReceivedSpan): readonly unknown[] => [
  attributes["gen_ai.response.id"],
  attributes["gen_ai.response.model"],
];

describe.each(Object.entries(vendors))("a run with %s", (name, vendor) => {
  test("is one trace: what the SDK, HTTP and tools write is in the spans of its steps", async () => {
    const sink = await registered();
    const server = await openServer(vendor);
    const adapter = vendor.adapter({ baseURL: server.url, apiKey: "key" });
    const read = readPage(server);
    const agents = ["one", "two"].map((prompt) =>
      run({ adapter, prompt, tools: [toolNamed("read", read)], onEvent: sink.onEvent }),
    );
    for (const agent of agents) expect((await agent.outcome()).status).toBe("done");
    const { spans, points } = await sink.received();
    const { hostname, port } = new URL(server.url);
    const host = { "server.address": hostname, "server.port": Number(port) };
    const chats = spans.filter(({ name }) => name.startsWith("chat "));
    expect(chats.map(({ attributes }) => attributes)).toEqual(
      Array.from({ length: 4 }, () => expect.objectContaining(host)),
    );
    const own = name === "@anthropic-ai/sdk" ? ["anthropic.messages.create"] : [];
    const tree = expectedTree(adapter.model, own);
    expect(treeOf(spans)).toBe(`${tree}\n${tree}`);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(2);
    const sent = server.requests.map(({ headers }) => headers["traceparent"]?.split("-")[2]);
    expect(new Set(sent).size).toBe(8);
    expect(spans.map(({ id }) => id)).toEqual(expect.arrayContaining(sent));
    expect(chats.map(responseOf)).toEqual(Array.from({ length: 4 }, () => vendor.response));
    const tokens = points.filter((point) => point.name === "gen_ai.client.token.usage");
    expect(tokens.map(({ count }) => count)).toEqual([4, 4]);
  });
});

test("two runs at the same time keep their spans apart", async () => {
  const vendor = vendors["openai, Chat"] as Vendor;
  const sink = await registered();
  const server = await openServer(vendor);
  const adapter = vendor.adapter({ baseURL: server.url, apiKey: "key" });
  const read = readPage(server);
  const outcomes = ["one", "two"].map((prompt) =>
    run({ adapter, prompt, tools: [toolNamed("read", read)], onEvent: sink.onEvent }).outcome(),
  );
  await Promise.all(outcomes);
  const { spans } = await sink.received();
  const tree = expectedTree(adapter.model, []);
  expect(treeOf(spans)).toBe(`${tree}\n${tree}`);
});
