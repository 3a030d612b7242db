import { guard } from "@fullstop/guard";
import OpenAI from "openai";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type ReceivedRequest, startServer, type TestServer } from "./server.ts";

const received: ReceivedRequest[] = [];
let server: TestServer;
beforeAll(async () => {
  server = await startServer((request) => {
    received.push(request);
    return { chunks: ['{"id":"file-1","text":"Hello."}'], headers: json };
  });
});
beforeEach(() => void received.splice(0));
afterAll(() => server.close());
const json = { "content-type": "application/json" };

describe("a body whose content type `fetch` adds", () => {
  const upload = (): FormData => {
    const form = new FormData();
    form.append("purpose", "batch");
    form.append("file", new Blob(["tool_use"], { type: "text/plain" }), "a.txt");
    return form;
  };
  test.each([
    ["/v1/files", upload(), /^multipart\/form-data; ?boundary=/],
    ["/v1/chat/completions", upload(), /^multipart\/form-data; ?boundary=/],
    ["/v1/files", new URLSearchParams({ a: "1" }), /^application\/x-www-form-urlencoded/],
    ["/v1/messages", new URLSearchParams({ a: "1" }), /^application\/x-www-form-urlencoded/],
    ["/v1/files", new Blob(["a"], { type: "audio/wav" }), /^audio\/wav$/],
  ])("reaches %s with it", async (path, body, type) => {
    await guard()(`${server.url}${path}`, { method: "POST", body });
    expect(received[0]?.headers["content-type"]).toMatch(type);
    const [, boundary] = /boundary=(.*)$/.exec(received[0]?.headers["content-type"] ?? "") ?? [];
    if (boundary !== undefined) expect(received[0]?.body).toContain(`--${boundary}--`);
  });
  test("is sent by OpenAI's SDK as without the guard", async () => {
    const client = new OpenAI({ apiKey: "k", baseURL: `${server.url}/v1`, fetch: guard() });
    const file = new File(["RIFF"], "a.wav", { type: "audio/wav" });
    await client.files.create({ file, purpose: "batch" });
    await client.audio.transcriptions.create({ file, model: "whisper-1" });
    for (const { headers, body } of received) {
      expect(headers["content-type"]).toMatch(/^multipart\/form-data; ?boundary=/);
      expect(body).toContain('filename="a.wav"');
    }
    expect(received.map(({ path }) => path)).toEqual(["/v1/files", "/v1/audio/transcriptions"]);
  });
});
