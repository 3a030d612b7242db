import { openaiChatWire } from "@fullstop/conformance/wires/openai-chat";
import { openaiResponsesWire } from "@fullstop/conformance/wires/openai-responses";
import { type FileBlock, type ImageBlock, type Message, readTurn } from "@fullstop/core";
import { messageEvents, reply } from "@tooling/test/openai-responses";
import { describe, expect, test } from "vitest";
import { done, finishChunk, serve as serveChat, textChunk } from "./chat-server.ts";
import { serve as serveResponses } from "./responses-server.ts";

const url = "https://files.example/a";
const image: ImageBlock = { type: "image", url };
const imageId: ImageBlock = { type: "image", fileId: "file_1", provider: "openai" };
const file: FileBlock = { type: "file", url, name: "a.pdf" };
const fileId: FileBlock = { type: "file", fileId: "file_2", provider: "openai", name: "a.pdf" };

const prompt = (...content: readonly (ImageBlock | FileBlock)[]): readonly Message[] => [
  { role: "user", content },
];
const looked = (...content: readonly (ImageBlock | FileBlock)[]): readonly Message[] => [
  { role: "user", content: "Look." },
  {
    role: "assistant",
    content: [{ type: "tool-call", id: "a", name: "look", inputText: "{}" }],
  },
  { role: "tool", content: [{ type: "tool-result", id: "a", name: "look", content }] },
];

describe("Responses", () => {
  const sent = async (messages: readonly Message[]) => {
    const server = serveResponses(reply(messageEvents(0, "ok")));
    await readTurn(server.adapter(), { messages });
    const body = server.requests[0]?.body;
    expect(openaiResponsesWire.violations(body)).toEqual([]);
    return body.input;
  };
  const parts = [
    { type: "input_image", detail: "auto", image_url: url },
    { type: "input_image", detail: "auto", file_id: "file_1" },
    { type: "input_file", file_url: url },
    { type: "input_file", file_id: "file_2" },
    { type: "input_image", detail: "auto", image_url: url },
  ];
  const blocks = [image, imageId, file, fileId, { ...file, mediaType: "image/png" }] as const;

  test("images and files by their URL and by their id become parts", async () => {
    expect((await sent(prompt(...blocks)))[0].content).toEqual(parts);
  });

  test("a result holds them, too", async () => {
    expect((await sent(looked(...blocks)))[2]).toEqual({
      type: "function_call_output",
      call_id: "a",
      output: parts,
    });
  });
});

describe("Chat Completions", () => {
  const ask = async (messages: readonly Message[]) => {
    const server = serveChat([textChunk("ok"), finishChunk("stop"), done]);
    const turn = await readTurn(server.adapter(), { messages });
    const body = server.requests[0]?.body;
    if (body !== undefined) expect(openaiChatWire.violations(body)).toEqual([]);
    return { turn, messages: body?.messages };
  };
  const parts = [
    { type: "image_url", image_url: { url } },
    { type: "file", file: { file_id: "file_2" } },
  ];

  test("images by their URL and files by their id become parts", async () => {
    expect((await ask(prompt(image, fileId))).messages[0].content).toEqual(parts);
  });

  test("those of a result follow in a user message", async () => {
    const { messages } = await ask(looked(image, fileId));
    expect(messages[2].content).toBe("[What else the tool gave follows in the next message.]");
    expect(messages[3].content).toEqual([
      { type: "text", text: "[What the tool look gave besides its text:]" },
      ...parts,
    ]);
  });

  test.each<[string, ImageBlock | FileBlock, string]>([
    ["an image by its id", imageId, "the host takes no image by a file id in Chat Completions"],
    ["a file by its URL", file, "the host loads only images by their URL in Chat Completions"],
  ])("%s is an error at once: the API has no such part", async (_, block, why) => {
    const { turn, messages } = await ask(prompt(block));
    expect(turn).toMatchObject({
      error: { kind: "invalid-request", message: expect.stringContaining(why) },
    });
    expect(messages).toBeUndefined();
  });
});
