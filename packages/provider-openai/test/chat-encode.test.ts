import type { Message } from "@fullstop/core";
import { assistantOf, call, image, read, result, results, user } from "@tooling/test/blocks";
import type { SentRequest as Sent } from "@tooling/test/fake-server";
import { describe, expect, test } from "vitest";
import { done, finishChunk, serve, textChunk } from "./chat-server.ts";
import { sender } from "./sdk-tests.ts";

const model = "gpt-5.2";
const from = { provider: "openai", protocol: "openai-chat", model };
const assistant = assistantOf(from);
const imagePart = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
const patch = { name: "patch", description: "Patches.", inputSchema: "text" } as const;

const sent = sender(() => serve([textChunk("ok"), finishChunk("stop"), done]));
const messagesOf = async (...messages: readonly Message[]): Promise<Sent["body"]> =>
  (await sent({ messages })).messages;

describe("content of users and tools", () => {
  test("text, images and files become parts; a note replaces what the API does not accept", async () => {
    const file = (mediaType: string, data: string, name?: string) =>
      ({ type: "file", mediaType, data, ...(name && { name }) }) as const;
    const content = [
      { type: "text", text: "Look:" },
      image,
      { type: "image", mediaType: "image/bmp", data: "AAAA" },
      file("application/pdf", "AAAA", "a.pdf"),
      file("text/csv", btoa("a,b"), "t.csv"),
      file("application/zip", "AAAA", "a.zip"),
    ] as const;
    expect((await messagesOf({ role: "user", content }))[0].content).toEqual([
      { type: "text", text: "Look:" },
      imagePart,
      {
        type: "text",
        text: "[An image of type image/bmp is left out here: it cannot be sent to this model.]",
      },
      { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,AAAA" } },
      { type: "text", text: "[The file t.csv:]\na,b" },
      {
        type: "text",
        text: "[The file a.zip of type application/zip is left out here: it cannot be sent to this model.]",
      },
    ]);
  });

  test("results follow their calls, each in a message; their images follow in a user message", async () => {
    const [, , ...after] = await messagesOf(
      user("Go."),
      assistant(call("a"), call("b")),
      results(result("a", [{ type: "text", text: "ok" }, image]), result("b", "")),
      user("Faster."),
    );
    expect(after).toEqual([
      {
        role: "tool",
        tool_call_id: "a",
        content: "ok\n\n[What else the tool gave follows in the next message.]",
      },
      { role: "tool", tool_call_id: "b", content: "" },
      {
        role: "user",
        content: [
          { type: "text", text: "[What the tool read gave in call 1 of 2 besides its text:]" },
          imagePart,
          { type: "text", text: "Faster." },
        ],
      },
    ]);
  });

  test("the images of parallel calls say to which call they belong", async () => {
    const [, , , , last] = await messagesOf(
      user("Go."),
      assistant(call("a"), call("b")),
      results(result("a", [image]), result("b", [image])),
    );
    const about = (at: number) => ({
      type: "text",
      text: `[What the tool read gave in call ${at} of 2 besides its text:]`,
    });
    expect(last).toEqual({ role: "user", content: [about(1), imagePart, about(2), imagePart] });
  });

  test("adjacent messages of one role are merged, and the conversation begins and ends with the user", async () => {
    expect(
      await messagesOf(
        assistant({ type: "text", text: "Hi." }),
        assistant({ type: "text", text: "There." }),
      ),
    ).toEqual([
      { role: "user", content: "(The conversation begins with the assistant's message.)" },
      { role: "assistant", content: "Hi.\n\nThere." },
      { role: "user", content: "(No new message. Please go on.)" },
    ]);
    expect(await messagesOf(user("A"), user("B"))).toEqual([{ role: "user", content: "A\n\nB" }]);
  });

  test("the system prompt comes first, and a blank one is left out", async () => {
    expect((await sent({ system: "Be brief." })).messages[0]).toEqual({
      role: "system",
      content: "Be brief.",
    });
    expect((await sent({ system: " " })).messages).toEqual([{ role: "user", content: "Go." }]);
  });
});

describe("content of the model", () => {
  test("calls go back with the text of the model, wrapped in an object if it is not one", async () => {
    const written = [
      ["a", '{ "path" : "x" }'],
      ["b", ""],
      ["c", "[1]"],
      ["d", '{"cut'],
    ] as const;
    const [, message] = await messagesOf(
      user("Go."),
      assistant(...written.map(([id, inputText]) => call(id, "read", inputText))),
      results(...written.map(([id]) => result(id))),
    );
    expect(message.content).toBeNull();
    expect(
      message.tool_calls.map((one: { function: { arguments: string } }) => one.function.arguments),
    ).toEqual(['{ "path" : "x" }', "{}", '{"text":"[1]"}', '{"text":"{\\"cut"}']);
  });

  test("a free-form input is a custom call", async () => {
    const [, message] = await messagesOf(
      user("Go."),
      assistant({ ...call("a", "patch", "*** Begin"), kind: "text" }),
      results(result("a")),
    );
    expect(message.tool_calls).toEqual([
      { id: "a", type: "custom", custom: { name: "patch", input: "*** Begin" } },
    ]);
  });

  test("text blocks of this protocol are joined; those of other protocols stay paragraphs", async () => {
    const parted = [
      { type: "text", text: "Let " },
      { type: "text", text: "me." },
    ] as const;
    expect((await messagesOf(user("Go."), assistant(...parted), user("On.")))[1].content).toBe(
      "Let me.",
    );
    const foreign: Message = { role: "assistant", content: parted };
    expect((await messagesOf(user("Go."), foreign, user("On.")))[1].content).toBe("Let \n\nme.");
  });

  test("names and ids of other providers are adapted", async () => {
    const id = `fc_${"a".repeat(60)}`;
    const [, message, answer] = await messagesOf(
      user("Go."),
      { role: "assistant", content: [call(id, "fs.read:1")] },
      results(result(id)),
    );
    expect(message.tool_calls[0].function.name).toBe("fs_read_1");
    expect(message.tool_calls[0].id).toHaveLength(40);
    expect(answer.tool_call_id).toBe(message.tool_calls[0].id);
  });

  test("the signature of a call goes back with it", async () => {
    const extra_content = { google: { thought_signature: "Cv" } };
    const [, message] = await messagesOf(
      user("Go."),
      assistant({ ...call("a"), providerData: { extra_content } }),
      results(result("a")),
    );
    expect(message.tool_calls[0]).toMatchObject({ id: "a", extra_content });
  });
});

describe("tools and parameters", () => {
  test("tools, free-form tools and tool choices are encoded", async () => {
    const tools = [read, patch];
    const body = await sent(
      { tools, toolChoice: "required" },
      { params: { parallel_tool_calls: false } },
    );
    expect(body.tools).toEqual([
      {
        type: "function",
        function: { name: "read", description: "Reads.", parameters: read.inputSchema },
      },
      { type: "custom", custom: { name: "patch", description: "Patches." } },
    ]);
    expect([body.tool_choice, body.parallel_tool_calls]).toEqual(["required", false]);
    expect((await sent({ tools, toolChoice: { name: "read" } })).tool_choice).toEqual({
      type: "function",
      function: { name: "read" },
    });
    const dotted = await sent({
      tools: [{ ...read, name: "fs.read" }],
      toolChoice: { name: "fs.read" },
    });
    expect([dotted.tools[0].function.name, dotted.tool_choice.function.name]).toEqual([
      "fs.read",
      "fs.read",
    ]);
    expect((await sent({ tools, toolChoice: { name: "patch" } })).tool_choice).toEqual({
      type: "custom",
      custom: { name: "patch" },
    });
  });

  test("parameters about tools are left out without tools", async () => {
    const body = await sent(
      { toolChoice: "none" },
      { params: { parallel_tool_calls: false, tool_choice: "auto" } },
    );
    for (const key of ["tools", "tool_choice", "parallel_tool_calls"])
      expect(body).not.toHaveProperty(key);
  });

  test("a native tool is sent unchanged", async () => {
    const definition = { type: "function", function: { name: "x", strict: true } };
    expect((await sent({ tools: [{ provider: "openai", definition }] })).tools).toEqual([
      definition,
    ]);
  });

  test("the cap is that of the request, else that of the adapter, else none", async () => {
    expect(
      (await sent({ maxTokens: 77 }, { maxTokens: { default: 5 } })).max_completion_tokens,
    ).toBe(77);
    expect((await sent({}, { maxTokens: { default: 5 } })).max_completion_tokens).toBe(5);
    const body = await sent({});
    for (const key of ["max_completion_tokens", "max_tokens"]) expect(body).not.toHaveProperty(key);
  });

  test("your own parameters are sent, stream options included", async () => {
    const body = await sent(
      {},
      { params: { temperature: 0, seed: 7, stream_options: { include_obfuscation: false } } },
    );
    expect(body).toMatchObject({
      temperature: 0,
      seed: 7,
      stream_options: { include_obfuscation: false, include_usage: true },
    });
  });

  test.each([
    ["gpt-5.2", "none", "none"],
    ["gpt-5.2", "high", "high"],
    ["gpt-5-mini", "none", "minimal"],
    ["o4-mini", "none", "low"],
    ["o4-mini", "medium", "medium"],
  ] as const)("%s with the effort %s is asked for %s", async (name, effort, expected) => {
    expect((await sent({ effort }, {}, name)).reasoning_effort).toBe(expected);
  });
});
