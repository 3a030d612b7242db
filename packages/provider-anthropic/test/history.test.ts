import type { AssistantMessage, Message } from "@fullstop/core";
import { call, image, result, results, user } from "@tooling/test/blocks";
import { describe, expect, test } from "vitest";
import { assistant, from, messagesOf } from "./requests.ts";

describe("user messages and tool results", () => {
  test("text, images and files become blocks; a line of text replaces what the API refuses", async () => {
    const file = (mediaType: string, data: string, name?: string) =>
      ({ type: "file", mediaType, data, ...(name && { name }) }) as const;
    const content = [
      { type: "text", text: "Look:" },
      { type: "text", text: " " },
      image,
      { type: "image", mediaType: "image/bmp", data: "AAAA" },
      file("application/pdf", "AAAA", "a.pdf"),
      file("text/csv", btoa("a,b"), "t.csv"),
      file("image/gif", "AAAA"),
      file("application/zip", "AAAA", "a.zip"),
      file("text/plain", "not base64!", "b.txt"),
    ] as const;
    expect(await messagesOf({ role: "user", content })).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "Look:" },
          { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
          {
            type: "text",
            text: "[An image of type image/bmp is left out here: it cannot be sent to this model.]",
          },
          {
            type: "document",
            source: { type: "base64", media_type: "application/pdf", data: "AAAA" },
            title: "a.pdf",
          },
          {
            type: "document",
            source: { type: "text", media_type: "text/plain", data: "a,b" },
            title: "t.csv",
          },
          { type: "image", source: { type: "base64", media_type: "image/gif", data: "AAAA" } },
          {
            type: "text",
            text: "[The file a.zip of type application/zip is left out here: it cannot be sent to this model.]",
          },
          {
            type: "text",
            text: "[The file b.txt of type text/plain is left out here: it cannot be sent to this model.]",
          },
        ],
      },
    ]);
  });

  test("results come first, together, in one user message with the messages after them", async () => {
    const [, , after] = await messagesOf(
      user("Go."),
      assistant(call("a"), call("b")),
      results(result("a", [{ type: "text", text: "ok" }, image]), result("b", "")),
      user("Faster."),
      user("Please."),
    );
    expect(after).toEqual({
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: "a",
          content: [
            { type: "text", text: "ok" },
            { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
          ],
        },
        { type: "tool_result", tool_use_id: "b" },
        { type: "text", text: "Faster." },
        { type: "text", text: "Please." },
      ],
    });
  });

  test("a message beside the results of a deferred server call joins the last result, as text if that is an error", async () => {
    const deferred = {
      type: "native",
      data: { type: "server_tool_use", id: "srv_1", name: "code_execution", input: {} },
      opens: "srv_1",
    } as const;
    const failed = { ...result("a", "No."), isError: true } as const;
    const chain = [
      user("Go."),
      assistant(deferred, call("a")),
      results(failed),
      { role: "user", content: [image] },
    ] as const;
    const joined = [
      { type: "text", text: "No." },
      { type: "text", text: "[Not from the tool, but from the user:]" },
      { type: "text", text: "[An image is left out here: an error result holds text only.]" },
    ];
    expect((await messagesOf(...chain)).at(-1).content).toEqual([
      { type: "tool_result", tool_use_id: "a", is_error: true, content: joined },
    ]);
    const ended = [
      ...chain,
      assistant({ type: "text", text: "Done." }),
      user("Again."),
      assistant(call("b")),
      results(result("b")),
      user("Faster."),
    ];
    expect((await messagesOf(...ended)).at(-1).content[1]).toEqual({
      type: "text",
      text: "Faster.",
    });
  });

  test("an error result holds text only, and is never empty", async () => {
    const [, , after] = await messagesOf(
      user("Go."),
      assistant(call("a"), call("b")),
      results(
        { ...result("a", [{ type: "text", text: "No." }, image]), isError: true },
        { ...result("b", ""), isError: true },
      ),
    );
    expect(after.content).toEqual([
      {
        type: "tool_result",
        tool_use_id: "a",
        is_error: true,
        content: [
          { type: "text", text: "No." },
          { type: "text", text: "[An image is left out here: an error result holds text only.]" },
        ],
      },
      {
        type: "tool_result",
        tool_use_id: "b",
        is_error: true,
        content: [{ type: "text", text: "(The tool failed and said nothing.)" }],
      },
    ]);
  });
});

describe("assistant messages", () => {
  test.each([
    ["", {}],
    ['{"a":[1]}', { a: [1] }],
    ['{"a":', { text: '{"a":' }],
    ["[1]", { text: "[1]" }],
  ])("an input of %j is sent as %j", async (inputText, input) => {
    const [, { content }] = await messagesOf(
      user("Go."),
      assistant(call("a", "read", inputText)),
      results(result("a")),
    );
    expect(content).toEqual([{ type: "tool_use", id: "a", name: "read", input }]);
  });

  test("a free-form input is wrapped; foreign ids and names are changed to valid ones", async () => {
    const foreign: AssistantMessage = {
      role: "assistant",
      content: [{ ...call("functions.x:0", "a.b", "{}"), kind: "text" }],
    };
    const [, { content }, answer] = await messagesOf(
      user("Go."),
      foreign,
      results(result("functions.x:0")),
    );
    expect(content[0]).toMatchObject({ name: "a_b", input: { text: "{}" } });
    expect(content[0].id).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(answer.content[0].tool_use_id).toBe(content[0].id);
  });

  test("thinking is sent with its signature, only to its model, and never last or alone", async () => {
    const signed = { type: "thinking", text: "hm", providerData: "sig" } as const;
    const unsigned = { type: "thinking", text: "hm" } as const;
    const spoken = { type: "text", text: "Hi." } as const;
    const thought = { type: "thinking", thinking: "hm", signature: "sig" };
    expect(
      (await messagesOf(user("Go."), assistant(signed, unsigned, spoken, signed), user("On.")))[1]
        .content,
    ).toEqual([thought, spoken]);
    expect(
      (
        await messagesOf(
          user("Go."),
          { ...assistant(signed, spoken), from: { ...from, model: "claude-opus-5" } },
          user("On."),
        )
      )[1].content,
    ).toEqual([spoken]);
    expect(
      await messagesOf(
        user("Go."),
        assistant(signed, { type: "native", data: { type: "redacted_thinking", data: "x" } }),
        user("On."),
      ),
    ).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "Go." },
          { type: "text", text: "On." },
        ],
      },
    ]);
  });

  test("empty text is left out, and so is a message that would be empty", async () => {
    const empty = assistant({ type: "text", text: "\n" });
    expect(await messagesOf(user("Go."), empty, user(""))).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "Go." },
          { type: "text", text: "(An empty message.)" },
        ],
      },
    ]);
  });

  test("a conversation begins and ends with a user message", async () => {
    const hello = assistant({ type: "text", text: "Hello." });
    expect(
      (await messagesOf(hello, hello)).map((message: Message) => [
        message.role,
        message.content.length,
      ]),
    ).toEqual([
      ["user", 1],
      ["assistant", 2],
      ["user", 1],
    ]);
  });

  test("the result of a toolset's tool names the toolset", async () => {
    const member = { ...call("a", "navigate"), providerData: { toolset_name: "browser" } };
    const [, , { content }] = await messagesOf(
      user("Go."),
      assistant(member),
      results(result("a")),
    );
    expect(content[0].toolset_name).toBe("browser");
  });
});
