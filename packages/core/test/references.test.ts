import { describe, expect, test } from "vitest";
import type { MediaReference } from "../src/adapter/index.ts";
import { type Adapter, type ImageBlock, type Message, readTurn } from "../src/index.ts";
import { acme } from "./acme.ts";
import { sent } from "./prepared-request.ts";

const byUrl: ImageBlock = { type: "image", url: "https://img.example/cat.png?signature=s3cret" };
const byId: ImageBlock = { type: "image", fileId: "file_1", provider: "other" };
const says = (content: Exclude<Message, { role: "tool" }>["content"]): Message =>
  ({ role: "user", content }) as Message;
const reply: Message = { role: "assistant", content: [{ type: "text", text: "A cat." }] };
const call: Message = {
  role: "assistant",
  content: [{ type: "tool-call", id: "a", name: "look", inputText: "{}" }],
};
const seen = (block: ImageBlock): Message => ({
  role: "tool",
  content: [{ type: "tool-result", id: "a", name: "look", content: [block] }],
});
const loadsAll: Partial<Adapter> = { refuseReference: () => undefined };
const loadsNone: Partial<Adapter> = { refuseReference: () => "Acme loads no URLs" };

async function failure(messages: readonly Message[], adapter: Partial<Adapter> = {}) {
  let requests = 0;
  const open: Adapter["open"] = async () => {
    requests++;
    throw new Error("The request must not be sent.");
  };
  const turn = await readTurn(acme({ ...adapter, open }), { messages });
  expect(requests).toBe(0);
  expect(turn.stopReason).toBe("error");
  return "error" in turn ? turn.error : undefined;
}

describe("an image or a file that the provider loads by itself", () => {
  test("reaches the adapter unchanged, in a message and in a result", async () => {
    const messages = [says([byUrl]), call, seen(byUrl)];
    expect((await sent({ messages }, loadsAll)).messages).toEqual(messages);
  });

  test("the adapter is asked about each block, and knows where it is", async () => {
    const asked: [MediaReference, string][] = [];
    const refuseReference: NonNullable<Adapter["refuseReference"]> = (block, place) => {
      asked.push([block, place]);
      return undefined;
    };
    await sent({ messages: [says([byUrl]), call, seen(byUrl)] }, { refuseReference });
    expect(asked).toEqual([
      [byUrl, "user"],
      [byUrl, "tool"],
    ]);
  });

  test("an id reaches the provider that knows it", async () => {
    const own: ImageBlock = { type: "image", fileId: "file_1", provider: "acme" };
    expect((await sent({ messages: [says([own])] }, loadsAll)).messages).toEqual([says([own])]);
  });
});

describe("one that it cannot load, in a message that no model has answered", () => {
  test.each<[string, readonly Message[]]>([
    ["in a user message", [says([byUrl])]],
    ["in a result", [says("Look."), call, seen(byUrl)]],
  ])("is an error that says what to do, and no request: %s", async (_, messages) => {
    const error = await failure(messages, loadsNone);
    expect(error?.kind).toBe("invalid-request");
    expect(error?.message).toBe(
      "The image https://img.example/cat.png cannot be sent: Acme loads no URLs. You can load it, and give its bytes in base64 as `data`, with its `mediaType`.",
    );
  });

  test("the signature of a URL is not in the error", async () => {
    const error = await failure([says([byUrl])], loadsNone);
    expect(JSON.stringify(error)).not.toContain("s3cret");
  });

  test("an id of another provider is an error that names both", async () => {
    expect((await failure([says([byId])], loadsAll))?.message).toMatch(
      /^The image with the id "file_1" cannot be sent: only "other" knows this file id, and the request goes to "acme"\./,
    );
  });

  test("an adapter that knows neither URLs nor ids never gets one", async () => {
    expect((await failure([says([byUrl])]))?.message).toContain(
      'the adapter of "acme" sends neither URLs nor file ids',
    );
  });
});

describe("one that it cannot load, in a message that a model has answered", () => {
  test("becomes a sentence, so the conversation can go on with another provider", async () => {
    const messages = [says([byUrl, byId]), call, seen(byUrl), reply, says("And now?")];
    expect((await sent({ messages }, loadsNone)).messages).toEqual([
      says([
        {
          type: "text",
          text: "[The image https://img.example/cat.png is left out here: Acme loads no URLs.]",
        },
        {
          type: "text",
          text: '[The image with the id "file_1" is left out here: only "other" knows this file id, and the request goes to "acme".]',
        },
      ]),
      call,
      {
        role: "tool",
        content: [
          {
            type: "tool-result",
            id: "a",
            name: "look",
            content: [
              {
                type: "text",
                text: "[The image https://img.example/cat.png is left out here: Acme loads no URLs.]",
              },
            ],
          },
        ],
      },
      reply,
      says("And now?"),
    ]);
  });

  test("and the history of the caller keeps the image", async () => {
    const messages = [says([byId]), reply, says("And now?")];
    const before = JSON.stringify(messages);
    await sent({ messages }, loadsNone);
    expect(JSON.stringify(messages)).toBe(before);
  });
});
