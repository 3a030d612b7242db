import { type FileBlock, type ImageBlock, type Message, readTurn } from "@fullstop/core";
import { expect, test } from "vitest";
import { last, text } from "./chunks.ts";
import { violations } from "./refusals.ts";
import { serveOllama } from "./server.ts";

type Media = ImageBlock | FileBlock;
const png = btoa("an image");

async function ask(messages: readonly Message[]) {
  const { requests, adapter } = serveOllama([text("Yes."), last("stop")]);
  const turn = await readTurn(adapter(), { messages });
  const body = requests[0]?.body;
  if (body !== undefined) expect(violations(body)).toEqual([]);
  return { turn, messages: body?.messages };
}
const prompt = (...content: readonly Media[]) => ask([{ role: "user", content }]);

test("images become `images`, text files text, and a line names what is left out", async () => {
  const { messages } = await prompt(
    { type: "image", mediaType: "image/png", data: png },
    { type: "file", mediaType: "image/jpeg", data: png },
    { type: "file", name: "a.md", mediaType: "text/markdown", data: btoa("# A") },
    { type: "file", name: "a.pdf", mediaType: "application/pdf", data: png },
    { type: "image", mediaType: "image/tiff", data: png },
  );
  expect(messages).toEqual([
    {
      role: "user",
      content: [
        "[The file a.md:]\n# A",
        "[The file a.pdf of type application/pdf is left out here: it cannot be sent to this model.]",
        "[An image of type image/tiff is left out here: it cannot be sent to this model.]",
      ].join("\n\n"),
      images: [png, png],
    },
  ]);
});

test("the images of a result follow in a message of the user", async () => {
  const { messages } = await ask([
    { role: "user", content: "Look." },
    {
      role: "assistant",
      content: [{ type: "tool-call", id: "a", name: "look", inputText: "{}" }],
    },
    {
      role: "tool",
      content: [
        {
          type: "tool-result",
          id: "a",
          name: "look",
          content: [{ type: "image", mediaType: "image/png", data: png }],
        },
      ],
    },
  ]);
  expect(messages.slice(2)).toEqual([
    {
      role: "tool",
      content: "[The images that the tool gave follow in the next message.]",
      tool_name: "look",
      tool_call_id: "a",
    },
    { role: "user", content: "[The images of the tool look:]", images: [png] },
  ]);
});

test.each<Media>([
  { type: "image", url: "https://files.example/a.png" },
  { type: "file", fileId: "f1", provider: "ollama" },
])("an image or a file that the server would have to load is an error at once", async (block) => {
  const { turn, messages } = await prompt(block);
  expect(turn).toMatchObject({
    error: {
      kind: "invalid-request",
      message: expect.stringContaining("Ollama takes images only as bytes"),
    },
  });
  expect(messages).toBeUndefined();
});
