import type { AssistantMessage, Message } from "@fullstop/core";
import { openai } from "@fullstop/provider-openai";
import { assistantOf, call, image, read, result, results, user } from "@tooling/test/blocks";
import type { SentRequest as Sent } from "@tooling/test/fake-server";
import { messageEvents, reply } from "@tooling/test/openai-responses";
import { describe, expect, test } from "vitest";
import { serve } from "./responses-server.ts";
import { sender } from "./sdk-tests.ts";

const model = "gpt-5.5";
const from = { provider: "openai", protocol: "openai-responses", model };
const assistant = assistantOf(from);

const sent = sender(() => serve(reply(messageEvents(0, "ok"))));
const inputOf = async (...messages: readonly Message[]): Promise<Sent["body"]> =>
  (await sent({ messages })).input;

describe("content of users and tools", () => {
  test("text, images and files become parts; a note replaces what the API does not accept", async () => {
    const file = (mediaType: string, data: string, name?: string) =>
      ({ type: "file", mediaType, data, ...(name && { name }) }) as const;
    const content = [
      { type: "text", text: "Look:" },
      image,
      { type: "image", mediaType: "image/bmp", data: "AAAA" },
      file("application/pdf", "AAAA", "a.pdf"),
      file("text/csv", "QQ=="),
      file("image/gif", "AAAA"),
      file("video/mp4", "AAAA", "a.mp4"),
    ] as const;
    expect(await inputOf({ role: "user", content })).toEqual([
      {
        type: "message",
        role: "user",
        content: [
          { type: "input_text", text: "Look:" },
          { type: "input_image", detail: "auto", image_url: "data:image/png;base64,AAAA" },
          {
            type: "input_text",
            text: "[The image without a name of type image/bmp is left out here: it cannot be sent to this model.]",
          },
          { type: "input_file", filename: "a.pdf", file_data: "data:application/pdf;base64,AAAA" },
          { type: "input_file", filename: "file.csv", file_data: "data:text/csv;base64,QQ==" },
          { type: "input_image", detail: "auto", image_url: "data:image/gif;base64,AAAA" },
          {
            type: "input_text",
            text: "[The file a.mp4 of type video/mp4 is left out here: it cannot be sent to this model.]",
          },
        ],
      },
    ]);
  });

  test("results are strings, or parts if they hold more than text; a free-form tool has its own type", async () => {
    const text = (value: string) => ({ type: "text", text: value }) as const;
    const items = await inputOf(
      user("Go."),
      assistant(call("a"), call("b"), { ...call("c", "note", "x"), kind: "text" }),
      results(result("a", [text("one"), text("two")]), result("b", [text("see"), image]), {
        ...result("c", ""),
        isError: true,
      }),
    );
    expect(items.slice(4)).toEqual([
      { type: "function_call_output", call_id: "a", output: "one\ntwo" },
      {
        type: "function_call_output",
        call_id: "b",
        output: [
          { type: "input_text", text: "see" },
          { type: "input_image", detail: "auto", image_url: "data:image/png;base64,AAAA" },
        ],
      },
      {
        type: "custom_tool_call_output",
        call_id: "c",
        output: "(The tool failed and said nothing.)",
      },
    ]);
  });

  test("an empty message has a part, and an empty conversation has an item", async () => {
    const empty = { type: "message", role: "user", content: [{ type: "input_text", text: "" }] };
    expect(await inputOf({ role: "user", content: [] })).toEqual([empty]);
    expect(await inputOf()).toEqual([empty]);
  });
});

describe("content of the model", () => {
  test.each([
    ["", "{}"],
    [' {"a" : [1]}', ' {"a" : [1]}'],
    ['{"a":', '{"text":"{\\"a\\":"}'],
    ["[1]", '{"text":"[1]"}'],
  ])("an input of %j goes back as %j", async (inputText, json) => {
    const [, item] = await inputOf(
      user("Go."),
      assistant(call("a", "read", inputText)),
      results(result("a")),
    );
    expect(item).toEqual({ type: "function_call", call_id: "a", name: "read", arguments: json });
  });

  test("ids and names of other providers are adapted; their reasoning and items are left out", async () => {
    const foreign: AssistantMessage = {
      role: "assistant",
      content: [
        { type: "thinking", text: "hm", providerData: "sig" },
        { type: "native", data: { type: "server_tool_use" } },
        { ...call(`functions.x:${"9".repeat(80)}`, "a.b"), providerData: { id: "toolu_1" } },
      ],
    };
    const items = await inputOf(
      user("Go."),
      foreign,
      results(result(`functions.x:${"9".repeat(80)}`)),
    );
    expect(items.length).toBe(3);
    expect(items[1]).toEqual({
      type: "function_call",
      call_id: items[2].call_id,
      name: "a_b",
      arguments: "{}",
    });
    expect(items[1].call_id).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  });

  test("empty text and reasoning without provider data are left out, and so is a message of nothing else", async () => {
    const nothing = assistant(
      { type: "text", text: "" },
      { type: "thinking", text: "hm" },
      { type: "thinking", text: "hm", providerData: "sig" },
    );
    expect(await inputOf(user("Go."), nothing, user("On."))).toHaveLength(2);
  });
});

describe("tools", () => {
  const native = { provider: "openai", definition: { type: "web_search" } };
  const foreign = { provider: "anthropic", definition: { type: "web_search_20260318" } };
  const note = { name: "note", description: "Notes.", inputSchema: "text" } as const;

  test("are listed in the form of the API", async () => {
    expect(
      (
        await sent({
          tools: [read, note, { ...read, name: "fs.read", inputSchema: {} }, native, foreign],
        })
      ).tools,
    ).toEqual([
      {
        type: "function",
        name: "read",
        description: "Reads.",
        parameters: read.inputSchema,
        strict: false,
      },
      { type: "custom", name: "note", description: "Notes." },
      {
        type: "function",
        name: "fs.read",
        description: "Reads.",
        parameters: { type: "object", properties: {} },
        strict: false,
      },
      native.definition,
    ]);
  });

  test.each([
    ["auto", "auto"],
    ["none", "none"],
    ["required", "required"],
    [{ name: "read" }, { type: "function", name: "read" }],
    [{ name: "note" }, { type: "custom", name: "note" }],
    [{ name: "fs.read" }, { type: "function", name: "fs.read" }],
    [undefined, undefined],
  ] as const)("a choice of %j is %j", async (toolChoice, expected) => {
    expect(
      (await sent({ tools: [read, note, { ...read, name: "fs.read" }], toolChoice })).tool_choice,
    ).toEqual(expected);
    expect(await sent({ toolChoice })).not.toHaveProperty("tool_choice");
  });
});

describe("parameters", () => {
  test("by default nothing is stored, and reasoning comes encrypted", async () => {
    expect(await sent({ system: "Be brief." })).toMatchObject({
      instructions: "Be brief.",
      store: false,
      include: ["reasoning.encrypted_content"],
      stream: true,
    });
    const params = {
      store: true,
      include: ["message.output_text.logprobs"],
      parallel_tool_calls: false,
    } as const;
    expect(await sent({}, { params: { ...params, include: [...params.include] } })).toMatchObject({
      store: true,
      include: ["message.output_text.logprobs", "reasoning.encrypted_content"],
      parallel_tool_calls: false,
    });
    expect(await sent({}, {}, "gpt-4.1")).not.toHaveProperty("include");
  });

  test("the cap is that of the request, else that of the option, else none; the ceiling is that of the model", async () => {
    expect((await sent({ maxTokens: 70 })).max_output_tokens).toBe(70);
    expect((await sent({}, { maxTokens: { default: 90 } })).max_output_tokens).toBe(90);
    expect(await sent({})).not.toHaveProperty("max_output_tokens");
    expect(openai(model).maxTokens).toEqual({ ceiling: 128_000 });
    expect(openai("gpt-4o-mini").maxTokens).toEqual({ ceiling: 16_384 });
    expect(openai(model, { maxTokens: { default: 9, ceiling: 99 } }).maxTokens).toEqual({
      default: 9,
      ceiling: 99,
    });
  });

  test.each([
    ["gpt-5.5", "high", { effort: "high" }],
    ["gpt-5.5", "none", { effort: "none" }],
    ["gpt-5-mini", "none", { effort: "minimal" }],
    ["gpt-5-codex", "none", { effort: "low" }],
    ["gpt-5-pro", "none", { effort: "high" }],
    ["o4-mini", "none", { effort: "low" }],
    ["o4-mini", "medium", { effort: "medium" }],
    ["gpt-4.1", "high", undefined],
    ["gpt-5-chat-latest", "low", undefined],
    ["gpt-5.5", undefined, undefined],
  ] as const)("%s with effort %s", async (name, effort, expected) => {
    expect((await sent({ effort }, {}, name)).reasoning).toEqual(expected);
  });

  test("effort is added to the `reasoning` of the parameters, and caching can be turned off", async () => {
    const params = {
      reasoning: { summary: "auto", effort: "high" },
      prompt_cache_options: { ttl: "30m" },
    } as const;
    expect(await sent({ effort: "low" }, { params })).toMatchObject({
      reasoning: { summary: "auto", effort: "low" },
      prompt_cache_options: { ttl: "30m" },
    });
    expect((await sent({ cache: "off" }, { params })).prompt_cache_options).toEqual({
      mode: "explicit",
    });
  });
});
