import { growthOf, pumped, pumps } from "@tooling/test/growth";
import { expect, test } from "vitest";
import { openRaw, rawRequest } from "./raw.ts";
import { ask, messagesRequest } from "./replies.ts";
import { openFront, openUpstream } from "./servers.ts";

const bodyWith = (text: string): string =>
  JSON.stringify({
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude-sonnet-5-5",
    content: [{ type: "text", text }],
    stop_reason: "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 9, output_tokens: 20 },
  });

/** A gateway whose upstream answers with this text. */
async function openEcho() {
  let text = "";
  const upstream = await openUpstream((response) =>
    response.writeHead(200, { "content-type": "application/json" }).end(bodyWith(text)),
  );
  const gateway = await openFront(upstream, {
    guard: { reask: true },
    limits: { maxHead: 256 * 1024 },
  });
  return {
    gateway,
    answerWith: (written: string) => {
      text = written;
    },
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
    },
  };
}
const isHealthy = async (url: string): Promise<boolean> => (await fetch(`${url}/healthz`)).ok;

test.each(pumps)("texts of %j cost a gateway in proportion to their length", async (pump) => {
  await using echo = await openEcho();
  const growth = await growthOf(async (length) => {
    const text = pumped(pump, length);
    echo.answerWith(text);
    const body = JSON.stringify({ ...messagesRequest, stream: false, system: text, model: text });
    const reply = ask(echo.gateway.url, { body });
    expect(await isHealthy(echo.gateway.url)).toBe(true);
    await (await reply).text();
  });
  expect(growth).toBe("linear");
});

test.each(["\t", " ", ",", "a", "a,", "/"])(
  "a head of %j costs a gateway in proportion to its length",
  async (pump) => {
    await using echo = await openEcho();
    const growth = await growthOf(async (length) => {
      const value = pumped(pump, length);
      using raw = await openRaw(
        echo.gateway.port,
        rawRequest("GET /up/v1/models HTTP/1.1", [`connection: x${value}, close`]),
      );
      expect(await isHealthy(echo.gateway.url)).toBe(true);
      await expect.poll(raw.end).toBeDefined();
      expect(raw.text()).toContain("HTTP/1.1 200");
    });
    expect(growth).toBe("linear");
  },
);
