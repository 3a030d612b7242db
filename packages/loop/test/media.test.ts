import type { Adapter } from "@fullstop/core";
import type { TurnEvent } from "@fullstop/core/adapter";
import { run } from "@fullstop/loop";
import { mock } from "@fullstop/provider-mock";
import { describe, expect, test } from "vitest";

/** Replies of turn events, the last one again. Counts the requests. */
function replying(...replies: readonly (readonly TurnEvent[])[]) {
  let asked = 0;
  const adapter: Adapter = {
    ...mock([]),
    open: async () => {
      const events = replies[Math.min(asked++, replies.length - 1)] ?? [];
      return (async function* () {
        yield [...events];
      })();
    },
  };
  return { adapter, asked: () => asked };
}
const prompt = "Draw a cat.";
const ended = (event: TurnEvent): readonly TurnEvent[] => [
  event,
  { type: "stop", native: "stop", provisional: false },
];
const native = (data: unknown, rest: object = {}): TurnEvent => ({ type: "native", data, ...rest });

const image = { type: "image", data: "iVBORw0", mime_type: "image/png" };
const media: readonly (readonly [string, unknown])[] = [
  ["an image of Gemini", { inlineData: { mimeType: "image/png", data: "iVBORw0" } }],
  ["a file of Gemini", { fileData: { mimeType: "video/mp4", fileUri: "gs://a/b.mp4" } }],
  ["an image of Interactions", { type: "model_output", content: [image] }],
  ["an image of Responses", { type: "image_generation_call", id: "ig_1", result: "iVBORw0" }],
  ["a document of Claude", { type: "document", source: { media_type: "text/plain", data: "a" } }],
];

describe("a reply that holds only media is not empty, and is requested once", () => {
  test.each(media)("%s", async (_, data) => {
    const { adapter, asked } = replying(ended(native(data)));
    const outcome = await run({ adapter, prompt }).outcome();
    expect([outcome.status, asked()]).toEqual(["done", 1]);
    expect(outcome).not.toHaveProperty("empty");
    expect(outcome.messages.at(-1)).toMatchObject({ content: [{ type: "native", data }] });
  });
});

describe("a reply without media and text is still empty", () => {
  test.each<readonly [string, TurnEvent]>([
    ["thinking", { type: "thinking", text: "Hm." }],
    ["a signature", native({ text: "", thoughtSignature: "c2ln" })],
    ["an empty image", native({ type: "image_generation_call", id: "ig_1", result: null })],
    ["a search", native({ type: "web_search_call", action: { query: "cats", url: "https://a" } })],
    ["a compaction", native({ type: "compaction", encrypted_content: "gAAA" })],
    [
      "a page that the model fetched",
      native({ source: { media_type: "text/plain", data: "a" } }, { closes: "srv_1" }),
    ],
  ])("%s", async (_, event) => {
    const { adapter, asked } = replying(ended(event), ended({ type: "text", text: "Here." }));
    expect(await run({ adapter, prompt }).outcome()).toMatchObject({
      status: "done",
      text: "Here.",
    });
    expect(asked()).toBe(2);
  });
});
