import { getEventListeners } from "node:events";
import { type GuardReport, guard } from "@fullstop/guard";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { callBlock, messageEnd, messageStart, messagesRequest } from "./messages.ts";
import { type PlayedReply, startServer, type TestServer } from "./server.ts";

const call = messageStart + callBlock(0, "toolu_1", '{"path":"a.txt"}');
const finished = call + messageEnd("tool_use");
const withoutStop = finished.slice(0, finished.indexOf("event: message_stop"));

let server: TestServer;
let played: PlayedReply;
beforeEach(async () => {
  played = { chunks: [finished] };
  server = await startServer(() => played);
});
afterEach(() => server.close());

const postTo = (send: typeof fetch, model: string, signal?: AbortSignal): Promise<Response> =>
  send(`${server.url}/v1/messages`, {
    method: "POST",
    body: JSON.stringify({ ...messagesRequest, model }),
    ...(signal && { signal }),
  });

describe("one guard for many requests", () => {
  test("leaves no listener on the signal that they share", async () => {
    const { signal } = new AbortController();
    const send = guard();
    await (await postTo(send, "a", signal)).text();
    await (await postTo(send, "a", signal)).body?.cancel();
    played = { chunks: [call] };
    await (await postTo(send, "a", signal)).text();
    await expect(
      postTo(
        guard(() => Promise.reject(new Error())),
        "a",
        signal,
      ),
    ).rejects.toThrow();
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });
  test("ends the body of an error when its signal aborts", async () => {
    const caller = new AbortController();
    played = { status: 529, chunks: ["{"], fault: "stall" };
    const refused = await postTo(guard(), "a", caller.signal);
    caller.abort(new Error("enough"));
    // The `fetch` of Node 22 says only that it was aborted.
    await expect(refused.text()).rejects.toThrow(/enough|aborted/);
  });
  test("sends no request if their signal has aborted", async () => {
    const caller = new AbortController();
    const send = guard();
    await (await postTo(send, "a", caller.signal)).text();
    caller.abort(new Error("enough"));
    await expect(postTo(send, "a", caller.signal)).rejects.toThrow("enough");
  });
  test("reads each reply by the facts about its request, and reports its model", async () => {
    played = { chunks: [withoutStop] };
    const reports: GuardReport[] = [];
    const optional = { messageStop: "optional" } as const;
    const send = guard(fetch, {
      host: ({ model }) => (model === "optional" ? optional : undefined),
      onReply: (report) => reports.push(report),
    });
    for (const model of ["optional", "strict", "optional", "other"])
      await (await postTo(send, model)).text();
    expect(reports.map(({ turn }) => turn.stopReason)).toEqual([
      "tool-use",
      "interrupted",
      "tool-use",
      "interrupted",
    ]);
    expect(reports.map(({ model, turn }) => turn.message?.from?.model ?? model)).toEqual([
      "optional",
      "strict",
      "optional",
      "other",
    ]);
  });
});
