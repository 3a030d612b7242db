import { type AssistantMessage, type Message, readTurn, type TurnRequest } from "@fullstop/core";
import type { GoogleOptions } from "@fullstop/provider-google";
import type { SentRequest } from "@tooling/test/fake-server";
import { describe, expect, test } from "vitest";
import { call, type Part, reply, text } from "./chunks.ts";
import { serve } from "./server.ts";

const user: Message = { role: "user", content: "Go." };
const from = { provider: "google", protocol: "gemini-generate-content", model: "gemini-3.1-pro" };
const foreign = { ...from, provider: "anthropic" };

interface Asked extends Partial<TurnRequest> {
  readonly options?: GoogleOptions;
  readonly model?: string;
}
async function sent({ options, model, ...request }: Asked): Promise<SentRequest["body"]> {
  const { requests, adapter } = serve(reply("STOP", text("Yes.")));
  await readTurn(adapter(options, model), { messages: [user], ...request });
  return requests[0]?.body;
}
const contents = async (
  messages: readonly Message[],
  model?: string,
): Promise<readonly { role: string; parts: readonly Part[] }[]> =>
  (await sent({ messages, ...(model !== undefined && { model }) })).contents;

const called = (...blocks: AssistantMessage["content"]): AssistantMessage => ({
  role: "assistant",
  from,
  content: blocks,
});
const block = (id: string, more: object = {}): AssistantMessage["content"][number] => ({
  type: "tool-call",
  id,
  name: "read",
  inputText: '{"path":"a"}',
  ...more,
});
const answer = (...ids: readonly string[]): Message => ({
  role: "tool",
  content: ids.map((id) => ({ type: "tool-result", id, name: "read", content: `of ${id}` })),
});

describe("a request", () => {
  test("contains only the requested parameters", async () => {
    expect(await sent({ system: "Be brief." })).toEqual({
      contents: [{ role: "user", parts: [{ text: "Go." }] }],
      systemInstruction: { role: "user", parts: [{ text: "Be brief." }] },
      generationConfig: { maxOutputTokens: 32_000 },
    });
    expect((await sent({ system: "" })).systemInstruction).toBeUndefined();
  });

  test("has the cap of the request, of the option, or a default that the model accepts", async () => {
    const cap = async (asked: Asked): Promise<number> =>
      (await sent(asked)).generationConfig.maxOutputTokens;
    expect(await cap({ maxTokens: 7 })).toBe(7);
    expect(await cap({ options: { maxTokens: { default: 100_000 } } })).toBe(100_000);
    expect(await cap({ options: { maxTokens: { ceiling: 500 } } })).toBe(500);
    expect(await cap({ model: "gemini-2.0-flash" })).toBe(8192);
    expect(serve().adapter().maxTokens).toEqual({ default: 32_000, ceiling: 65_536 });
    expect(serve().adapter({ maxTokens: { default: 100_000 } }).maxTokens).toEqual({
      default: 100_000,
      ceiling: 100_000,
    });
  });

  test("carries the parameters of the factory", async () => {
    const params = {
      temperature: 0,
      thinkingConfig: { includeThoughts: true },
      cachedContent: "cachedContents/1",
    };
    const body = await sent({ options: { params } });
    expect(body).toMatchObject({
      generationConfig: { temperature: 0, thinkingConfig: { includeThoughts: true } },
      cachedContent: "cachedContents/1",
    });
  });

  const read = {
    name: "read",
    description: "Reads.",
    inputSchema: { type: "object", properties: { path: { type: "string" } } },
  } as const;
  test("offers tools as JSON Schema, in one tool, beside those of Google", async () => {
    const search = { provider: "google", definition: { googleSearch: {} } };
    const others = { provider: "anthropic", definition: { type: "web_search_20250305" } };
    const body = await sent({
      tools: [read, search, { name: "run", description: "Runs.", inputSchema: "text" }, others],
    });
    expect(body.toolConfig).toBeUndefined();
    expect(body.tools).toEqual([
      {
        functionDeclarations: [
          { name: "read", description: "Reads.", parametersJsonSchema: read.inputSchema },
          {
            name: "run",
            description: "Runs.",
            parametersJsonSchema: {
              type: "object",
              properties: { text: { type: "string" } },
              required: ["text"],
              additionalProperties: false,
            },
          },
        ],
      },
      { googleSearch: {} },
    ]);
    expect((await sent({ tools: [search] })).tools).toEqual([{ googleSearch: {} }]);
  });

  test.each([
    ["auto", { mode: "AUTO" }],
    ["none", { mode: "NONE" }],
    ["required", { mode: "ANY" }],
    [{ name: "read" }, { mode: "ANY", allowedFunctionNames: ["read"] }],
  ] as const)("chooses tools: %j", async (toolChoice, functionCallingConfig) => {
    const params = { toolConfig: { includeServerSideToolInvocations: true } };
    const body = await sent({ tools: [read], toolChoice, options: { params } });
    expect(body.toolConfig).toEqual({
      functionCallingConfig,
      includeServerSideToolInvocations: true,
    });
    expect((await sent({ toolChoice, options: { params } })).toolConfig).toBeUndefined();
  });

  test.each([
    ["gemini-3.1-pro", ["LOW", "LOW", "MEDIUM", "HIGH"]],
    ["gemini-3-pro-preview", ["LOW", "LOW", "HIGH", "HIGH"]],
    ["gemini-3-flash-preview", ["MINIMAL", "LOW", "MEDIUM", "HIGH"]],
    ["gemini-3.5-flash-lite", ["MINIMAL", "LOW", "MEDIUM", "HIGH"]],
    ["gemini-3.8-flash", ["LOW", "LOW", "MEDIUM", "HIGH"]],
    ["publishers/google/models/gemini-4-argon", ["LOW", "LOW", "MEDIUM", "HIGH"]],
    ["gemini-2.5-pro", [128, 2048, 8192, 16_000]],
    ["gemini-2.5-flash", [0, 2048, 8192, 16_000]],
    ["gemini-pro-latest", ["LOW", "LOW", "MEDIUM", "HIGH"]],
    ["gemini-2.0-flash", [undefined, undefined, undefined, undefined]],
    ["gemma-3-27b-it", [undefined, undefined, undefined, undefined]],
  ])("asks %s to think as much as the effort says", async (model, amounts) => {
    const efforts = ["none", "low", "medium", "high"] as const;
    const bodies = await Promise.all(
      efforts.map((effort) => sent({ model, effort, maxTokens: 32_000 })),
    );
    const configs = bodies.map((body) => body.generationConfig.thinkingConfig);
    expect(configs.map((config) => config?.thinkingLevel ?? config?.thinkingBudget)).toEqual(
      amounts,
    );
  });

  test("a small cap has no room for a budget", async () => {
    expect(
      (await sent({ model: "gemini-2.5-flash", effort: "low", maxTokens: 1000 })).generationConfig,
    ).toEqual({ maxOutputTokens: 1000 });
  });

  test("an effort takes the place of another level or budget, and leaves the rest", async () => {
    const params = { thinkingConfig: { includeThoughts: true, thinkingBudget: 5 } };
    const body = await sent({ effort: "low", options: { params } });
    expect(body.generationConfig.thinkingConfig).toEqual({
      includeThoughts: true,
      thinkingLevel: "LOW",
    });
  });
});

describe("a history", () => {
  test("results of parallel calls share one content, in order, before later messages", async () => {
    const note: Message = { role: "user", content: "Be brief.", by: "loop" };
    const [, model, results] = await contents([
      user,
      called(block("a", { providerData: "c2ln" }), block("b")),
      answer("a", "b"),
      note,
    ]);
    expect(model).toEqual({
      role: "model",
      parts: [
        call("read", { path: "a" }, { thoughtSignature: "c2ln" }),
        call("read", { path: "a" }),
      ],
    });
    expect(results?.parts).toEqual([
      { functionResponse: { name: "read", response: { output: "of a" } } },
      { functionResponse: { name: "read", response: { output: "of b" } } },
      { text: "Be brief." },
    ]);
  });

  test("ids that this model gave go back, on the call and its result; others do not", async () => {
    const own = await contents([
      user,
      called(block("x", { nativeId: "x" }), block("call_1_1", { nativeId: "x" })),
      answer("x", "call_1_1"),
    ]);
    expect(own[1]?.parts).toMatchObject([
      { functionCall: { id: "x" } },
      { functionCall: { name: "read" } },
    ]);
    expect(own[1]?.parts[1]).not.toHaveProperty("functionCall.id");
    expect(own[2]?.parts[0]).toMatchObject({ functionResponse: { id: "x" } });
    const others = await contents([
      user,
      { ...called(block("x", { nativeId: "x" })), from: foreign },
      answer("x"),
    ]);
    expect(JSON.stringify(others)).not.toContain('"id"');
  });

  test("failed results say so under error, and media go beside the text where the model takes them", async () => {
    const media = [
      { type: "text", text: "Seen." },
      { type: "image", mediaType: "image/png", data: "AAAA" },
      { type: "file", mediaType: "video/mp4", data: "AAAA", name: "a.mp4" },
    ] as const;
    const messages: Message[] = [
      user,
      called(block("a"), block("b"), block("c")),
      {
        role: "tool",
        content: [
          { type: "tool-result", id: "a", name: "read", content: media },
          { type: "tool-result", id: "b", name: "read", content: "No such file.", isError: true },
          { type: "tool-result", id: "c", name: "read", content: "", isError: true },
        ],
      },
    ];
    const film =
      "[The file a.mp4 of type video/mp4 is left out here: it cannot be sent to this model.]";
    const image = "[An image of type image/png is left out here: it cannot be sent to this model.]";
    expect((await contents(messages))[2]?.parts).toEqual([
      {
        functionResponse: {
          name: "read",
          response: { output: `Seen.\n${film}` },
          parts: [{ inlineData: { mimeType: "image/png", data: "AAAA" } }],
        },
      },
      { functionResponse: { name: "read", response: { error: "No such file." } } },
      {
        functionResponse: {
          name: "read",
          response: { error: "(The tool failed and said nothing.)" },
        },
      },
    ]);
    expect((await contents(messages, "gemini-2.5-flash"))[2]?.parts[0]).toEqual({
      functionResponse: { name: "read", response: { output: `Seen.\n${image}\n${film}` } },
    });
  });

  test("images and files are sent, or a line of text that replaces them", async () => {
    const content = [
      { type: "image", mediaType: "image/webp", data: "AAAA" },
      { type: "file", mediaType: "application/pdf", data: "AAAA" },
      { type: "file", mediaType: "application/ld+json", data: "e30=" },
      { type: "file", mediaType: "application/zip", data: "AAAA" },
      { type: "text", text: "" },
    ] as const;
    expect((await contents([{ role: "user", content }]))[0]?.parts).toEqual([
      { inlineData: { mimeType: "image/webp", data: "AAAA" } },
      { inlineData: { mimeType: "application/pdf", data: "AAAA" } },
      { inlineData: { mimeType: "text/plain", data: "e30=" } },
      {
        text: "[The file without a name of type application/zip is left out here: it cannot be sent to this model.]",
      },
    ]);
    expect((await contents([{ role: "user", content: "" }]))[0]?.parts).toEqual([
      { text: "(An empty message.)" },
    ]);
  });

  test("calls that Gemini did not sign are vouched for, the first of each step since the user spoke, where the model asks for it", async () => {
    const turns = (name: string): readonly Message[] => [
      { role: "user", content: name },
      { ...called(block(`${name}1`), block(`${name}2`)), from: foreign },
      answer(`${name}1`, `${name}2`),
      called(block(`${name}3`, { providerData: "c2ln" }), block(`${name}4`)),
      answer(`${name}3`, `${name}4`),
    ];
    const signatures = async (model: string): Promise<readonly unknown[]> => {
      const all = await contents(
        [...turns("first"), called({ type: "text", text: "Done." }), ...turns("second")],
        model,
      );
      return all.flatMap(({ parts }) =>
        parts.filter((part) => part["functionCall"]).map((part) => part["thoughtSignature"]),
      );
    };
    const skip = "skip_thought_signature_validator";
    expect(await signatures("gemini-3.1-pro")).toEqual([
      undefined,
      undefined,
      "c2ln",
      undefined,
      skip,
      undefined,
      "c2ln",
      undefined,
    ]);
    for (const model of ["gemini-2.5-pro", "projects/p/locations/l/endpoints/7"])
      expect(await signatures(model)).toEqual(Array(8).fill(undefined));
  });

  test("inputs that are not a JSON object, and names that the API refuses, are changed", async () => {
    const odd = [
      block("a", { inputText: "ls", kind: "text" }),
      block("b", { inputText: "[1]", name: "3d.rotate" }),
      block("c", { inputText: "{", name: "über" }),
      block("d", { inputText: " ", name: "x".repeat(70) }),
    ];
    const [, model, results] = await contents([user, called(...odd), answer("a", "b", "c", "d")]);
    expect(model?.parts.map((part) => part["functionCall"])).toEqual([
      { name: "read", args: { text: "ls" } },
      { name: "_3d.rotate", args: { text: "[1]" } },
      { name: "_ber", args: { text: "{" } },
      { name: "x".repeat(64), args: {} },
    ]);
    expect(
      results?.parts.map((part) => (part["functionResponse"] as { name: string }).name),
    ).toEqual(["read", "_3d.rotate", "_ber", "x".repeat(64)]);
  });

  test("begins and ends with the user, and omits parts that the API cannot read", async () => {
    const messages: Message[] = [
      called(
        { type: "text", text: "Hello." },
        { type: "thinking", text: "Hm." },
        { type: "text", text: "" },
        { type: "native", data: { xLater: {} } },
      ),
      called({ type: "native", data: { xLater: {} } }),
    ];
    expect(await contents(messages)).toEqual([
      { role: "user", parts: [{ text: "(The conversation begins with the model's message.)" }] },
      { role: "model", parts: [{ text: "Hello." }] },
      { role: "user", parts: [{ text: "(No new message. Please go on.)" }] },
    ]);
  });
});
