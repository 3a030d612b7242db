import { geminiWire } from "@fullstop/conformance/wires/gemini";
import { type FileBlock, type ImageBlock, type Message, readTurn, type Turn } from "@fullstop/core";
import type { GoogleOptions } from "@fullstop/provider-google";
import { GoogleGenAI } from "@google/genai";
import { expect, test } from "vitest";
import { reply, text } from "./chunks.ts";
import { serve } from "./server.ts";

type Media = ImageBlock | FileBlock;
const url = "https://files.example/a.png";
const files = "https://generativelanguage.googleapis.com/v1beta/files/abc";
const prompt = (...content: readonly Media[]): readonly Message[] => [{ role: "user", content }];
const looked = (...content: readonly Media[]): readonly Message[] => [
  { role: "user", content: "Look." },
  {
    role: "assistant",
    content: [{ type: "tool-call", id: "a", name: "look", inputText: "{}" }],
  },
  { role: "tool", content: [{ type: "tool-result", id: "a", name: "look", content }] },
];

async function ask(
  messages: readonly Message[],
  { model, vertexai = false }: { readonly model?: string; readonly vertexai?: boolean } = {},
) {
  const { requests, adapter, fetch } = serve(reply("STOP", text("Yes.")));
  const options: GoogleOptions = vertexai
    ? { client: new GoogleGenAI({ vertexai: true, apiKey: "key", httpOptions: { fetch } }) }
    : {};
  const turn = await readTurn(adapter(options, model), { messages });
  const body = requests[0]?.body;
  if (body !== undefined) expect(geminiWire.violations(body)).toEqual([]);
  return { turn, contents: body?.contents };
}
const errorOf = (turn: Turn): string | undefined =>
  "error" in turn && turn.error.kind === "invalid-request" ? turn.error.message : undefined;

test("an image or a file by its URL, its uri or its name becomes fileData", async () => {
  const blocks: readonly Media[] = [
    { type: "image", url },
    { type: "image", url, mediaType: "image/png" },
    { type: "file", fileId: files, provider: "google", mediaType: "video/mp4" },
    { type: "file", fileId: "files/abc", provider: "google", mediaType: "application/json" },
  ];
  expect((await ask(prompt(...blocks))).contents[0].parts).toEqual([
    { fileData: { fileUri: url } },
    { fileData: { fileUri: url, mimeType: "image/png" } },
    { fileData: { fileUri: files, mimeType: "video/mp4" } },
    { fileData: { fileUri: files, mimeType: "text/plain" } },
  ]);
});

test("Vertex AI gets the address of a bucket, and takes files in results", async () => {
  const stored: FileBlock = {
    type: "file",
    fileId: "gs://bucket/a.pdf",
    provider: "google",
    mediaType: "application/pdf",
  };
  const fileData = { fileUri: "gs://bucket/a.pdf", mimeType: "application/pdf" };
  const { contents } = await ask(looked(stored), { vertexai: true });
  expect(contents[2].parts[0].functionResponse.parts).toEqual([{ fileData }]);
  expect((await ask(prompt(stored), { vertexai: true })).contents[0].parts).toEqual([{ fileData }]);
});

test.each<[string, readonly Message[], Parameters<typeof ask>[1], string]>([
  [
    "no media type for Vertex AI",
    prompt({ type: "image", url }),
    { vertexai: true },
    "Vertex AI needs the `mediaType`",
  ],
  [
    "a URL in a result of the Gemini API",
    looked({ type: "image", url, mediaType: "image/png" }),
    {},
    "the Gemini API takes the images and files in the result of a tool only as bytes",
  ],
  [
    "a URL in a result before Gemini 3",
    looked({ type: "image", url, mediaType: "image/png" }),
    { model: "gemini-2.5-pro", vertexai: true },
    "before Gemini 3 the result of a tool holds text only",
  ],
])("what the API cannot load is an error at once: %s", async (_, messages, options, why) => {
  const { turn, contents } = await ask(messages, options);
  expect(errorOf(turn)).toContain(why);
  expect(contents).toBeUndefined();
});
