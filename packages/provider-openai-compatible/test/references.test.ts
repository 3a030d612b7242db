import { type FileBlock, type ImageBlock, readTurn } from "@fullstop/core";
import { type DialectName, dialects } from "@fullstop/provider-openai-compatible";
import { describe, expect, test } from "vitest";
import { done, serve } from "./server.ts";

const url = "https://files.example/a.png";
const finished = [{ choices: [{ index: 0, delta: { content: "ok" }, finish_reason: "stop" }] }];

async function ask(dialect: DialectName, block: ImageBlock | FileBlock) {
  const server = serve([...finished, done]);
  const turn = await readTurn(server.adapter(dialect), {
    messages: [{ role: "user", content: [block] }],
  });
  return { turn, parts: server.requests[0]?.body.messages[0].content };
}

/** Hosts that load no URLs. */
const bytesOnly: readonly DialectName[] = ["cerebras", "kimi", "lmstudio", "ollama"];
const others = Object.keys(dialects).filter(
  (name): name is DialectName => !bytesOnly.includes(name as DialectName),
);

describe("an image by its URL", () => {
  test.each(others)("%s loads it", async (dialect) => {
    expect((await ask(dialect, { type: "image", url })).parts).toEqual([
      { type: "image_url", image_url: { url } },
    ]);
  });

  test.each(bytesOnly)("%s does not: an error at once says what to do", async (dialect) => {
    const { turn, parts } = await ask(dialect, { type: "image", url });
    expect(turn).toMatchObject({
      error: {
        kind: "invalid-request",
        message: expect.stringMatching(/as bytes.*You can load it, and give its bytes in base64/),
      },
    });
    expect(parts).toBeUndefined();
  });
});

test("Kimi gets the id of an image that was uploaded to it", async () => {
  const block: ImageBlock = { type: "image", fileId: "f1", provider: "kimi" };
  expect((await ask("kimi", block)).parts).toEqual([
    { type: "image_url", image_url: { url: "ms://f1" } },
  ]);
});

test("a dialect of your own says what its host loads", async () => {
  const server = serve([...finished, done]);
  const adapter = server.adapter({ name: "mine", reference: () => "mine loads nothing" });
  const turn = await readTurn(adapter, {
    messages: [{ role: "user", content: [{ type: "image", url }] }],
  });
  expect(turn).toMatchObject({
    error: { message: expect.stringContaining("mine loads nothing") },
  });
});
