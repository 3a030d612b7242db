import { type Message, readTurn, type TurnRequest } from "@fullstop/core";
import { outputToolName } from "@fullstop/core/adapter";
import type { BedrockOptions } from "@fullstop/provider-bedrock";
import { describe, expect, test } from "vitest";
import { violations } from "./refusals.ts";
import { answer, hello } from "./server.ts";
import { model as claude } from "./subject.ts";

const nova = "amazon.nova-pro-v1:0";
const nova2 = "global.amazon.nova-2-lite-v1:0";
const opus = "eu.anthropic.claude-opus-4-6-v1";
const llama = "us.meta.llama4-maverick-17b-instruct-v1:0";
const mistral = "mistral.mistral-large-2407-v1:0";
const go: Message = { role: "user", content: "Go." };
const read = { name: "read", description: "Reads.", inputSchema: { type: "object" } } as const;
const readSpec = {
  toolSpec: { name: "read", description: "Reads.", inputSchema: { json: { type: "object" } } },
};
const called: readonly Message[] = [
  go,
  {
    role: "assistant",
    content: [
      { type: "text", text: "Reading." },
      { type: "tool-call", id: "tooluse_1", name: "read", inputText: '{"path":"a"}' },
    ],
  },
  {
    role: "tool",
    content: [{ type: "tool-result", id: "tooluse_1", name: "read", content: '{"a":1}' }],
  },
];
const failed: readonly Message[] = [
  ...called.slice(0, 2),
  {
    role: "tool",
    content: [
      { type: "tool-result", id: "tooluse_1", name: "read", content: "No file.", isError: true },
    ],
  },
];

/** The body that is sent. It breaks no rule. */
async function sent(
  request: Partial<TurnRequest> = {},
  model: string = claude,
  options: BedrockOptions = {},
) {
  const { requests, adapter } = answer(hello);
  await readTurn(adapter(options, model), { messages: [go], ...request });
  const [first] = requests;
  expect(violations(first?.body, { path: model })).toEqual([]);
  return first?.body;
}

describe("calls and results", () => {
  test("the API wants the tools of a history also in a request without tools", async () => {
    const { toolConfig } = await sent({ messages: called });
    expect(toolConfig.tools).toMatchObject([{ toolSpec: { name: "read" } }]);
    expect((await sent({ messages: called, tools: [read] })).toolConfig).toEqual({
      tools: [readSpec],
    });
    expect(await sent()).not.toHaveProperty("toolConfig");
  });

  test("`none` leaves the tools out where no call of the history needs them", async () => {
    const none = { tools: [read], toolChoice: "none" } as const;
    expect(await sent(none)).not.toHaveProperty("toolConfig");
    expect((await sent({ ...none, messages: called })).toolConfig).toEqual({ tools: [readSpec] });
  });

  test.each([
    ["auto", undefined],
    ["required", { any: {} }],
    [{ name: "read" }, { tool: { name: "read" } }],
  ] as const)("toolChoice %j", async (toolChoice, expected) => {
    expect((await sent({ tools: [read], toolChoice })).toolConfig.toolChoice).toEqual(expected);
  });

  test("a tool of the service is sent verbatim; a free-form tool is an object", async () => {
    const definition = { systemTool: { name: "nova_grounding" } };
    const tools = [
      { provider: "bedrock", definition },
      { name: "patch", description: "Patches.", inputSchema: "text" },
    ] as const;
    expect((await sent({ tools }, nova2)).toolConfig.tools).toMatchObject([
      definition,
      { toolSpec: { inputSchema: { json: { required: ["text"] } } } },
    ]);
  });

  test("Nova gets only three members at the top of a schema", async () => {
    const inputSchema = { type: "object", title: "Read", additionalProperties: false } as const;
    const tools = [{ ...read, inputSchema }];
    const { json } = (await sent({ tools }, nova)).toolConfig.tools[0].toolSpec.inputSchema;
    expect(json).toEqual({ type: "object", properties: {} });
  });

  const resultIn = async (messages: readonly Message[], model: string) =>
    (await sent({ messages }, model)).messages.at(-1).content[0].toolResult;
  test("a failure has a status where the model knows it", async () => {
    expect(await resultIn(failed, claude)).toMatchObject({
      content: [{ text: "No file." }],
      status: "error",
    });
    expect(await resultIn(failed, llama)).toEqual({
      toolUseId: "tooluse_1",
      content: [{ text: "(The tool failed.)" }, { text: "No file." }],
    });
    expect((await resultIn(failed, mistral)).content).toEqual([{ json: { error: "No file." } }]);
  });

  test("Mistral gets objects", async () => {
    expect((await resultIn(called, mistral)).content).toEqual([{ json: { a: 1 } }]);
    expect((await resultIn(called, claude)).content).toEqual([{ text: '{"a":1}' }]);
  });

  test("Llama gets no text beside calls and results", async () => {
    const { messages } = await sent({ messages: [...called, go] }, llama);
    expect(
      messages.map(({ role, content }: { role: string; content: readonly object[] }) => [
        role,
        ...content.flatMap(Object.keys),
      ]),
    ).toEqual([
      ["user", "text"],
      ["assistant", "text"],
      ["user", "text"],
      ["assistant", "toolUse"],
      ["user", "toolResult"],
      ["assistant", "text"],
      ["user", "text"],
    ]);
  });
});

describe("files", () => {
  test("documents have names that the API accepts, each once, and a text beside them", async () => {
    const pdf = { type: "file", mediaType: "application/pdf", data: "QQ==" } as const;
    const content = [{ ...pdf, name: "my_notes v2.pdf" }, { ...pdf, name: "my notes v2.md" }, pdf];
    const { messages } = await sent({ messages: [{ role: "user", content }] });
    expect(messages[0].content).toEqual([
      { document: { format: "pdf", name: "my notes v2", source: { bytes: "QQ==" } } },
      { document: { format: "pdf", name: "my notes v2 2", source: { bytes: "QQ==" } } },
      { document: { format: "pdf", name: "document", source: { bytes: "QQ==" } } },
      { text: "(A message without text.)" },
    ]);
  });

  test.each([
    ["image/jpeg", { image: { format: "jpeg" } }],
    ["video/mp4", { video: { format: "mp4" } }],
    ["audio/wav", { audio: { format: "wav" } }],
    ["text/csv; charset=utf-8", { document: { format: "csv" } }],
    ["application/json", { document: { format: "txt" } }],
  ])("%s", async (mediaType, expected) => {
    const content = [{ type: "file", mediaType, data: "QQ==" }] as const;
    const { messages } = await sent({ messages: [{ role: "user", content }] }, nova);
    expect(messages[0].content[0]).toMatchObject(expected);
  });

  test("a line of text replaces what cannot be sent", async () => {
    const content = [
      { type: "image", mediaType: "image/tiff", data: "QQ==" },
      { type: "image", mediaType: "image/png", data: "not base64!" },
    ] as const;
    const { messages } = await sent({ messages: [{ role: "user", content }] });
    expect(messages[0].content).toEqual([
      { text: expect.stringContaining("An image of type image/tiff is left out here") },
      { text: expect.stringContaining("An image of type image/png is left out here") },
    ]);
  });
});

describe("effort", () => {
  const thinking = async (effort: TurnRequest["effort"], model: string, more: object = {}) => {
    const { additionalModelRequestFields: fields, outputConfig } = await sent(
      { effort, ...more },
      model,
    );
    return [fields, outputConfig];
  };
  test("Claude 4.6 and later think adaptively", async () => {
    expect(await thinking("high", opus)).toEqual([
      { thinking: { type: "adaptive" } },
      { effort: "high" },
    ]);
    expect(await thinking("none", opus)).toEqual([undefined, { effort: "low" }]);
    expect(await thinking("high", opus, { tools: [read], toolChoice: "required" })).toEqual([
      undefined,
      { effort: "high" },
    ]);
  });
  test("earlier ones have a budget of at most half the cap", async () => {
    const budget = (tokens: number) => [
      { thinking: { type: "enabled", budget_tokens: tokens } },
      undefined,
    ];
    expect(await thinking("medium", claude)).toEqual(budget(8192));
    expect(await thinking("medium", claude, { maxTokens: 4000 })).toEqual(budget(2000));
    expect(await thinking("medium", claude, { maxTokens: 1000 })).toEqual([undefined, undefined]);
    expect(await thinking("none", claude)).toEqual([undefined, undefined]);
  });
  test("Nova 2 takes a high effort only without a cap", async () => {
    const nova2Effort = (maxReasoningEffort: string) => [
      { reasoningConfig: { type: "enabled", maxReasoningEffort } },
      undefined,
    ];
    expect(await thinking("high", nova2)).toEqual(nova2Effort("high"));
    expect(await thinking("high", nova2, { maxTokens: 500 })).toEqual(nova2Effort("medium"));
  });
  test("gpt-oss has its own field; models without reasoning get none", async () => {
    expect(await thinking("low", "openai.gpt-oss-120b-1:0")).toEqual([
      { reasoning_effort: "low" },
      undefined,
    ]);
    expect(await thinking("low", nova)).toEqual([undefined, undefined]);
    expect(await thinking("none", nova2)).toEqual([undefined, undefined]);
  });
  test("fields of `params` stay", async () => {
    const params = { additionalModelRequestFields: { top_k: 4 } };
    const { additionalModelRequestFields } = await sent({ effort: "low" }, opus, { params });
    expect(additionalModelRequestFields).toEqual({ top_k: 4, thinking: { type: "adaptive" } });
  });
});

describe("cache points", () => {
  const point = { cachePoint: { type: "default" } };
  test("Claude: after the instructions and at the end", async () => {
    const body = await sent({ system: "Be brief.", tools: [read], cache: "auto" });
    expect(body.system).toEqual([{ text: "Be brief." }, point]);
    expect(body.messages[0].content).toEqual([{ text: "Go." }, point]);
    expect(body.toolConfig.tools).toEqual([readSpec]);
    const bare = await sent({ tools: [read], cache: "auto" });
    expect(bare.toolConfig.tools).toEqual([readSpec, point]);
  });
  test("Nova has none after tools; other models have none", async () => {
    const body = await sent({ tools: [read], cache: "auto" }, nova);
    expect(body.toolConfig.tools).toEqual(
      [readSpec].map(({ toolSpec }) => ({
        toolSpec: { ...toolSpec, inputSchema: { json: { type: "object", properties: {} } } },
      })),
    );
    expect(body.messages[0].content).toEqual([{ text: "Go." }, point]);
    for (const model of [llama, "arn:aws:bedrock:eu-central-1:1:application-inference-profile/a"])
      expect(JSON.stringify(await sent({ system: "x", cache: "auto" }, model))).not.toContain(
        "cachePoint",
      );
    expect(JSON.stringify(await sent({ system: "x", cache: "off" }))).not.toContain("cachePoint");
  });
});

describe("an object", () => {
  const schema = { type: "object", properties: { city: { type: "string" } } };
  const output = { schema };
  test("is requested by a forced tool where a tool can be forced", async () => {
    const asked = async (model: string) => {
      const tools = [{ ...read, name: outputToolName }];
      const { toolConfig } = await sent({ tools, toolChoice: { name: outputToolName } }, model);
      return toolConfig.toolChoice;
    };
    expect(await asked(nova)).toEqual({ tool: { name: outputToolName } });
    for (const model of [llama, "global.anthropic.claude-opus-5-5-v1"])
      expect(await asked(model)).toBeUndefined();
  });
  test("is requested by a schema as a text, closed", async () => {
    const { outputConfig } = await sent({ output });
    const { type, structure } = outputConfig.textFormat;
    expect([type, JSON.parse(structure.jsonSchema.schema)]).toEqual([
      "json_schema",
      { ...schema, additionalProperties: false },
    ]);
  });
  test.each([
    [claude, "always"],
    ["anthropic.claude-3-7-sonnet-20250219-v1:0", undefined],
    ["openai.gpt-oss-20b-1:0", "without-tools"],
    [nova, undefined],
  ])("%s: %s", (model, expected) => {
    expect(answer().adapter({}, model).outputFormat).toBe(expected);
  });
  test.each([
    [schema, true],
    [{ ...schema, properties: { city: { type: "string", minLength: 3 } } }, false],
    [{ type: "object", properties: { next: { $ref: "#" } } }, false],
    [{ type: "object", additionalProperties: { type: "string" } }, false],
  ])("whether the format takes %j", (candidate, expected) => {
    expect(answer().adapter().formatTakes?.(candidate)).toBe(expected);
  });
});
