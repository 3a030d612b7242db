import { anthropicWire } from "@fullstop/conformance/wires/anthropic";
import { type ImageBlock, type Message, readTurn } from "@fullstop/core";
import { call, result, results, user } from "@tooling/test/blocks";
import { expect, test } from "vitest";
import { assistant, messagesOf, sent } from "./requests.ts";
import { serve } from "./server.ts";

const url = "https://files.example/a";
const byUrl: ImageBlock = { type: "image", url };
const byId: ImageBlock = { type: "image", fileId: "file_1", provider: "anthropic" };

test("images and documents by their URL and by their id become sources", async () => {
  const messages: readonly Message[] = [
    {
      role: "user",
      content: [
        byUrl,
        byId,
        { type: "file", url, name: "a.pdf" },
        { type: "file", url, mediaType: "application/pdf" },
        { type: "file", url, mediaType: "image/png", name: "a.png" },
        { type: "file", fileId: "file_2", provider: "anthropic", name: "notes.txt" },
      ],
    },
  ];
  const body = await sent({ messages });
  expect(body.messages[0].content).toEqual([
    { type: "image", source: { type: "url", url } },
    { type: "image", source: { type: "file", file_id: "file_1" } },
    { type: "document", source: { type: "url", url }, title: "a.pdf" },
    { type: "document", source: { type: "url", url } },
    { type: "image", source: { type: "url", url } },
    { type: "document", source: { type: "file", file_id: "file_2" }, title: "notes.txt" },
  ]);
  expect(anthropicWire.violations(body)).toEqual([]);
});

test("a result holds them, too", async () => {
  const messages = [user("Look."), assistant(call("a")), results(result("a", [byUrl, byId]))];
  expect((await messagesOf(...messages))[2].content[0]).toMatchObject({
    type: "tool_result",
    content: [
      { type: "image", source: { type: "url", url } },
      { type: "image", source: { type: "file", file_id: "file_1" } },
    ],
  });
});

test("a text file by its URL is an error at once: the API loads only PDF files", async () => {
  const server = serve();
  const turn = await readTurn(server.adapter(), {
    messages: [{ role: "user", content: [{ type: "file", url, mediaType: "text/csv" }] }],
  });
  expect(turn).toMatchObject({
    stopReason: "error",
    error: {
      kind: "invalid-request",
      message: expect.stringContaining(
        "Claude loads only images and PDF files by their URL, not text/csv",
      ),
    },
  });
  expect(server.requests).toEqual([]);
});
