import { type FileBlock, type ImageBlock, readTurn } from "@fullstop/core";
import { mistral } from "@fullstop/provider-mistral";
import { fakeServer } from "@tooling/test/fake-server";
import { expect, test } from "vitest";
import { chunk, frames } from "./chunks.ts";
import { violations } from "./refusals.ts";

const url = "https://files.example/a";
const bytes = (): string => {
  const { upToTerminal, after } = frames([chunk({ content: "Hello." }, { stop: "stop" })]);
  return [...upToTerminal, ...after].map((data) => `data: ${data}\n\n`).join("");
};

async function ask(...content: readonly (ImageBlock | FileBlock)[]) {
  const { fetch, requests } = fakeServer([
    () => new Response(bytes(), { headers: { "content-type": "text/event-stream" } }),
  ]);
  const adapter = mistral("mistral-large-latest", { fetch, apiKey: "key" });
  const turn = await readTurn(adapter, { messages: [{ role: "user", content }] });
  return { turn, body: requests[0]?.body };
}

test("images and documents by their URL and documents by their id become parts", async () => {
  const { body } = await ask(
    { type: "image", url },
    { type: "file", url, name: "a.pdf" },
    { type: "file", url },
    { type: "file", url, mediaType: "image/png" },
    { type: "file", fileId: "f1", provider: "mistral" },
  );
  expect(body.messages[0].content).toEqual([
    { type: "image_url", image_url: { url } },
    { type: "document_url", document_url: url, document_name: "a.pdf" },
    { type: "document_url", document_url: url },
    { type: "image_url", image_url: { url } },
    { type: "file", file_id: "f1" },
  ]);
  expect(violations(body)).toEqual([]);
});

test("an image by its id is an error at once that says what to give", async () => {
  const { turn, body } = await ask({ type: "image", fileId: "f1", provider: "mistral" });
  expect(turn).toMatchObject({
    error: {
      kind: "invalid-request",
      message: expect.stringContaining("give the signed URL of the file"),
    },
  });
  expect(body).toBeUndefined();
});
