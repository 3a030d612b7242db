import { guard } from "@fullstop/guard";
import { expect, test } from "vitest";
import { callBlock, messageEnd, messageStart, textBlock } from "./messages.ts";
import { readAll } from "./server.ts";

/** A reply that stays open, and that no signal ends. */
function openReply(text: string) {
  const ended = Promise.withResolvers<string>();
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
    cancel: () => ended.resolve("ended"),
  });
  const headers = { "content-type": "text/event-stream" };
  const fetch = guard(async () => new Response(body, { headers }), { closeMs: 20 });
  const ask = (signal?: AbortSignal): Promise<Response> =>
    fetch("http://provider.test/v1/messages", {
      method: "POST",
      body: '{"stream":true,"max_tokens":1024,"messages":[]}',
      signal: signal ?? null,
    });
  return { ask, ended: ended.promise };
}
const call = callBlock(1, "toolu_1", '{"path":"a"}');

test("a body that follows no signal ends if the client leaves", async () => {
  const { ask, ended } = openReply(messageStart + textBlock(0, "Hi.") + call);
  const reader = (await ask()).body?.getReader();
  await reader?.read();
  const waiting = reader?.read();
  await new Promise(setImmediate);
  await reader?.cancel();
  expect((await waiting)?.done).toBe(true);
  expect(await ended).toBe("ended");
});

test("a body that follows no signal ends if the caller aborts before the first text", async () => {
  const { ask, ended } = openReply(messageStart + call);
  const caller = new AbortController();
  const asked = ask(caller.signal);
  setImmediate(() => caller.abort(new Error("The user left.")));
  await expect(asked).rejects.toThrow("The user left.");
  expect(await ended).toBe("ended");
});

test.each([
  ["an error", ""],
  ["an error behind its text", textBlock(0, "Hi.")],
])("a body that follows no signal ends if its reply becomes %s", async (_, text) => {
  const lacksBlock = messageStart + text + callBlock(2, "toolu_1", "{}") + messageEnd("tool_use");
  const { ask, ended } = openReply(lacksBlock);
  expect((await readAll(await ask())).text).not.toContain("toolu_1");
  expect(await ended).toBe("ended");
});
