import { type FileBlock, type ImageBlock, type Message, readTurn, type Turn } from "@fullstop/core";
import { expect, test } from "vitest";
import { violations } from "./refusals.ts";
import { answer, hello } from "./server.ts";

type Media = ImageBlock | FileBlock;
const url = "s3://bucket/a.pdf";
const mediaType = "application/pdf";
const prompt = (...content: readonly Media[]): readonly Message[] => [{ role: "user", content }];
const looked = (...content: readonly Media[]): readonly Message[] => [
  { role: "user", content: "Look." },
  { role: "assistant", content: [{ type: "tool-call", id: "a", name: "look", inputText: "{}" }] },
  { role: "tool", content: [{ type: "tool-result", id: "a", name: "look", content }] },
];

async function ask(messages: readonly Message[]) {
  const { requests, adapter } = answer(hello);
  const turn = await readTurn(adapter(), { messages });
  const body = requests[0]?.body;
  if (body !== undefined) expect(violations(body)).toEqual([]);
  return { turn, messages: body?.messages };
}
const errorOf = (turn: Turn): string | undefined =>
  "error" in turn && turn.error.kind === "invalid-request" ? turn.error.message : undefined;

test("a file in S3 is loaded by its address, as a URL or as a file id", async () => {
  const s3Location = { uri: url };
  const { messages } = await ask(
    prompt(
      { type: "file", url, mediaType },
      { type: "file", fileId: url, provider: "bedrock", mediaType },
      { type: "image", url: "s3://bucket/a.png", mediaType: "image/png" },
    ),
  );
  expect(messages[0].content).toMatchObject([
    { document: { format: "pdf", source: { s3Location } } },
    { document: { format: "pdf", source: { s3Location } } },
    { image: { format: "png", source: { s3Location: { uri: "s3://bucket/a.png" } } } },
    { text: expect.any(String) },
  ]);
  const result = (await ask(looked({ type: "file", url, mediaType }))).messages[2].content[0];
  expect(result.toolResult.content).toMatchObject([{ document: { source: { s3Location } } }]);
});

test.each<[string, readonly Message[], string]>([
  [
    "another address",
    prompt({ type: "image", url: "https://files.example/a.png", mediaType: "image/png" }),
    "Amazon Bedrock loads only files in S3",
  ],
  [
    "no media type",
    prompt({ type: "image", url: "s3://bucket/a.png" }),
    "Amazon Bedrock needs the `mediaType` of a file in S3",
  ],
  [
    "a type that no model takes",
    looked({ type: "file", url: "s3://bucket/a.zip", mediaType: "application/zip" }),
    "Amazon Bedrock does not take files of type application/zip",
  ],
  [
    "a file of another provider",
    prompt({ type: "file", fileId: "file_1", provider: "anthropic" }),
    'only "anthropic" knows this file id',
  ],
])("an error before the request: %s", async (_, messages, sentence) => {
  const { turn, messages: sent } = await ask(messages);
  expect([errorOf(turn), sent]).toEqual([expect.stringContaining(sentence), undefined]);
});
