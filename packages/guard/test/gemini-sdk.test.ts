import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { geminiWire } from "@fullstop/conformance/wires/gemini";
import { type GuardOptions, guard } from "@fullstop/guard";
import { type GenerateContentResponse, GoogleGenAI } from "@google/genai";
import { afterAll, describe, expect, test } from "vitest";
import {
  bodyShape,
  collect,
  end,
  event,
  eventsOf,
  geminiRequest,
  leaks,
  nextRequest,
  played,
  shapes,
} from "./gemini.ts";
import { type PlayedReply, startServer } from "./server.ts";

let reply: PlayedReply = { chunks: [] };
const server = await startServer(() => reply);
afterAll(() => server.close());

const sdk = (options: GuardOptions = {}, vertexai = false, baseUrl = server.url): GoogleGenAI =>
  new GoogleGenAI({
    vertexai,
    apiKey: "key",
    httpOptions: {
      baseUrl,
      fetch: guard(fetch, options),
      retryOptions: { attempts: 1 },
    },
  });
const { contents, tools, generationConfig } = geminiRequest;
const parameters = {
  model: "gemini-3.1-pro",
  contents: contents as { role: string; parts: { text: string }[] }[],
  config: { tools: [...tools], ...generationConfig },
};
const stream = async (client: GoogleGenAI): Promise<readonly GenerateContentResponse[]> =>
  collect(await client.models.generateContentStream(parameters));

const call = event([{ functionCall: { name: "read", args: { path: "/a" } } }]);
const said = event([{ text: "I read." }]);
const textOf = (replies: readonly GenerateContentResponse[]): string =>
  replies.map(({ text = "" }) => text).join("");
const callsOf = (replies: readonly GenerateContentResponse[]): readonly unknown[] =>
  replies.flatMap(({ functionCalls = [] }) => functionCalls);
const endOf = (replies: readonly GenerateContentResponse[]): string | undefined =>
  replies.at(-1)?.candidates?.[0]?.finishReason;

describe.each([
  ["the Developer API", false],
  ["Vertex AI", true],
])("The SDK for %s", (_, vertexai) => {
  test("finds finished calls", async () => {
    reply = played(shapes.events, [said, call, end("STOP")]);
    const replies = await stream(sdk({}, vertexai));
    expect(callsOf(replies)).toMatchObject([{ name: "read", args: { path: "/a" } }]);
    reply = played(bodyShape, [
      event([{ functionCall: { name: "read" } }], { finishReason: "STOP" }),
    ]);
    const whole = await sdk({}, vertexai).models.generateContent(parameters);
    expect(callsOf([whole])).toHaveLength(1);
  });
  test.each([
    ["before", "event: message\r\n$&"],
    ["before", "id: 1\r\n$&"],
    ["behind", "$&\r\n: alive"],
  ])("finds both calls if the event of one has a line %s its data: %j", async (_, lines) => {
    const second = event([{ functionCall: { name: "list", args: {} } }]);
    const body = shapes.events.render([call, second, end("STOP")]);
    reply = { chunks: [body.replace(/data: .*"list".*/, lines)] };
    const replies = await stream(sdk({}, vertexai));
    expect(callsOf(replies)).toMatchObject([{ name: "read" }, { name: "list" }]);
  });
  test("finds a note and an end in place of withheld calls", async () => {
    reply = played(shapes.events, [said, call, end("MAX_TOKENS")]);
    const replies = await stream(sdk({}, vertexai));
    expect(callsOf(replies)).toEqual([]);
    expect(textOf(replies)).toMatch(
      /^I read\.\n\n\[The guard held back read, and nothing of it ran, because .* new conversation\.\]$/,
    );
    expect(endOf(replies)).toBe("MAX_TOKENS");
    reply = played(bodyShape, [
      event([{ functionCall: { name: "read" } }], { finishReason: "MAX_TOKENS" }),
    ]);
    const whole = await sdk({}, vertexai).models.generateContent(parameters);
    expect([callsOf([whole]), endOf([whole])]).toEqual([[], "MAX_TOKENS"]);
    expect(whole.text).toContain("nothing of it ran");
  });
  test("throws for a reply that broke, before and behind a text", async () => {
    reply = played(shapes.events, [call]);
    await expect(stream(sdk({}, vertexai))).rejects.toMatchObject({
      name: "ApiError",
      status: 502,
    });
    for (const fault of [undefined, "reset"] as const) {
      reply = { ...played(shapes.events, [said, call]), ...(fault && { fault }) };
      const seen: GenerateContentResponse[] = [];
      const read = async (): Promise<void> => {
        for await (const one of await sdk({}, vertexai).models.generateContentStream(parameters))
          seen.push(one);
      };
      await expect(read()).rejects.toMatchObject({
        name: "ApiError",
        status: 502,
        message: expect.stringContaining("Held back read; nothing of it ran."),
      });
      expect([textOf(seen), callsOf(seen)]).toEqual(["I read.", []]);
    }
  });
});

test("The SDK reads what becomes of each reply of the corpus", async () => {
  const { fixtures = [] } = geminiWire;
  let withheld = 0;
  for (const fixture of fixtures) {
    reply = played(shapes.events, eventsOf(fixture));
    if (fixture.turn.stopReason === "interrupted" || fixture.turn.stopReason === "error") continue;
    const replies = await stream(sdk());
    if (fixture.turn.stopReason === "tool-use") continue;
    expect(callsOf(replies), fixture.name).toEqual([]);
    if (!leaks(eventsOf(fixture).join(""))) continue;
    withheld++;
    expect(geminiWire.violations(nextRequest(replies)), fixture.name).toEqual([]);
  }
  expect(withheld).toBeGreaterThanOrEqual(10);
});

describe("A chat of the SDK", () => {
  test("keeps the note in its history, and its next request is taken", async () => {
    reply = played(shapes.events, [said, call, end("MAX_TOKENS")]);
    const chat = sdk().chats.create({ model: "gemini-3.1-pro", config: parameters.config });
    await collect(await chat.sendMessageStream({ message: "Read." }));
    expect(JSON.stringify(chat.getHistory(true))).toContain("nothing of it ran");
    await collect(await chat.sendMessageStream({ message: "Go on." }));
    const sent = server.requests.at(-1)?.body ?? "";
    expect(sent).toContain("nothing of it ran");
    expect(leaks(sent)).toBe(false);
  });
  test("keeps a reply during which signs of life came", async () => {
    const release = Promise.withResolvers<void>();
    const slow = createServer((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(shapes.events.render([said, call]));
      void release.promise.then(() => response.end(shapes.events.render([end("STOP")])));
    });
    slow.listen(0, "127.0.0.1");
    await once(slow, "listening");
    const { port } = slow.address() as AddressInfo;
    try {
      const client = sdk({ keepAliveMs: 1 }, false, `http://127.0.0.1:${port}`);
      const chat = client.chats.create({ model: "gemini-3.1-pro", config: parameters.config });
      const replies: GenerateContentResponse[] = [];
      for await (const one of await chat.sendMessageStream({ message: "Read." })) {
        replies.push(one);
        if (replies.length === 5) release.resolve();
      }
      expect(replies.slice(1, 5).every(({ text }) => text === "")).toBe(true);
      expect(callsOf(replies)).toHaveLength(1);
      expect(JSON.stringify(chat.getHistory(true))).toContain('"functionCall"');
    } finally {
      release.resolve();
      slow.closeAllConnections();
      slow.close();
    }
  });
});
