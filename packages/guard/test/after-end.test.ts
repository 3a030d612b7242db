import { type GuardOptions, type GuardReport, guard } from "@fullstop/guard";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { callDelta, chunk, done, opening } from "./chat.ts";
import { callBlock, messageEnd, messageStart, textBlock } from "./messages.ts";
import { readAll, startServer } from "./server.ts";

/** Each protocol finds its own members. */
const request = '{"stream":true,"max_tokens":1024,"messages":[],"input":"Go."}';

/** What a client gets of a reply that comes in these packets, and what was decided. */
async function pass(
  path: string,
  packets: readonly string[],
  options: GuardOptions = {},
): Promise<readonly unknown[]> {
  const reports: GuardReport[] = [];
  const body = new ReadableStream<string>({
    start(controller) {
      for (const packet of packets) controller.enqueue(packet);
      controller.close();
    },
  }).pipeThrough(new TextEncoderStream());
  const headers = { "content-type": "text/event-stream" };
  const fetch = guard(async () => new Response(body, { headers }), {
    ...options,
    onReply: (report) => void reports.push(report),
  });
  const reply = await fetch(`http://provider.test${path}`, { method: "POST", body: request });
  const text = (await readAll(reply)).text.replaceAll(/msg_[0-9a-f]{32}/g, "msg_new");
  return [reply.status, text, ...reports.flatMap(({ action, turn }) => [action, turn.stopReason])];
}

const event = (native: { readonly type: string }): string =>
  `event: ${native.type}\ndata: ${JSON.stringify(native)}\n\n`;
const item = { type: "function_call", id: "fc_1", call_id: "call_1", name: "read" };
const response = (status: string): object => ({
  id: "resp_1",
  object: "response",
  status,
  output: [{ ...item, arguments: '{"path":"a"}', status: "completed" }],
  usage: { input_tokens: 1, output_tokens: 9 },
});
const input = '{"path":"a"}';
const nothing = ": a comment\n\n";
const unreadable = "data: {\n\n";

interface Ended {
  readonly path: string;
  readonly replies: Readonly<Record<string, string>>;
  readonly more: Readonly<Record<string, string>>;
}
const protocols: readonly Ended[] = [
  {
    path: "/v1/messages",
    replies: {
      finished: messageStart + callBlock(0, "toolu_1", input) + messageEnd("tool_use"),
      cut: messageStart + callBlock(0, "toolu_1", '{"p') + messageEnd("max_tokens", 1024),
      text: messageStart + textBlock(0, "Done.") + messageEnd("end_turn"),
    },
    more: {
      "a call": callBlock(1, "toolu_2", input),
      text: textBlock(1, "More."),
      "another end": messageEnd("max_tokens", 1024),
      "another reply": messageStart + textBlock(0, "Again.") + messageEnd("end_turn"),
      "an error": event({ type: "error", error: { type: "api_error", message: "x" } } as never),
      "what cannot be read": unreadable,
      "what cannot be read, and a call": unreadable + callBlock(1, "toolu_1", input),
      nothing,
    },
  },
  {
    path: "/v1/chat/completions",
    replies: {
      finished: opening + chunk(callDelta(0, "call_1", "/a")) + chunk({}, "tool_calls") + done,
      text: opening + chunk({ content: "Done." }) + chunk({}, "stop") + done,
    },
    more: {
      "a call": chunk(callDelta(0, "call_2", "/b")),
      text: chunk({ content: "More." }),
      "another end": chunk({}, "length") + done,
      "what cannot be read, and a call": unreadable + chunk(callDelta(0, "call_1", "/b")),
    },
  },
  {
    path: "/v1/responses",
    replies: {
      finished:
        event({ type: "response.output_item.done", output_index: 0, item } as never).replace(
          '"name"',
          `"arguments":${JSON.stringify(input)},"status":"completed","name"`,
        ) + event({ type: "response.completed", response: response("completed") } as never),
    },
    more: {
      "another end": event({
        type: "response.incomplete",
        response: response("incomplete"),
      } as never),
      "an error": event({ type: "error", message: "x" } as never),
    },
  },
];

describe.each(protocols)("$path: what follows the end of a reply", ({ path, replies, more }) => {
  const cases = Object.entries(replies).flatMap(([name, reply]) =>
    Object.entries(more).map(([what, text]) => [what, name, reply, text] as const),
  );
  test.each(cases)(
    "(%s after %s) counts the same in its packet, in the next, and event by event",
    async (...one) => {
      const [, name, reply, text] = one;
      const together = await pass(path, [reply + text]);
      expect(together).toEqual(await pass(path, [reply, text]));
      expect(together).toEqual(await pass(path, (reply + text).split(/(?<=\n\n)/)));
      if (name === "text") expect(together[0]).toBe(200);
      if (name === "finished" && text === nothing)
        expect(together).toEqual([200, reply + text, "passed", "tool-use"]);
      else expect(together[1]).not.toMatch(/toolu_1|call_1/);
    },
  );
});

/** rynfar/meridian#770, Sunnyender-org/cursor-sdk2api#26: gateways close the message first. */
test("a reply that failed, and was closed before the error, gives out no call", async () => {
  const closed = messageStart + callBlock(0, "toolu_1", input) + messageEnd("end_turn", 0);
  const error = { type: "api_error", message: "upstream idle for 90001ms" };
  const failed = event({ type: "error", error } as never);
  const expected = [502, expect.stringContaining(error.message), "failed", "error"];
  expect(await pass("/v1/messages", [closed + failed])).toEqual(expected);
  expect(await pass("/v1/messages", [closed, failed])).toEqual(expected);
});

test("after an error, no call goes out behind an event that cannot be read", async () => {
  const error = event({ type: "error", error: { type: "api_error", message: "x" } } as never);
  const call = callBlock(0, "toolu_1", input) + messageEnd("tool_use");
  const [, text] = await pass("/v1/messages", [error + unreadable + call]);
  expect(text).not.toContain("toolu_1");
});

test("with `closeMs: 0` the calls go out at the end, however the bytes are split", async () => {
  const closed = messageStart + callBlock(0, "toolu_1", input) + messageEnd("tool_use");
  const failed = event({ type: "error", error: { type: "api_error", message: "x" } } as never);
  const expected = [200, closed + failed, "passed", "tool-use"];
  const atOnce = { closeMs: 0 };
  expect(await pass("/v1/messages", [closed + failed], atOnce)).toEqual(expected);
  expect(await pass("/v1/messages", [closed, failed], atOnce)).toEqual(expected);
});

test("the calls of a reply go out 2 seconds after its end if its stream stays open", async () => {
  const text = messageStart + textBlock(0, "I read it.");
  const closed = text + callBlock(1, "toolu_1", input) + messageEnd("tool_use");
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(closed)),
  });
  const headers = { "content-type": "text/event-stream" };
  const fetch = guard(async () => new Response(body, { headers }), { keepAliveMs: 600_000 });
  const reply = await fetch("http://provider.test/v1/messages", { method: "POST", body: request });
  const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toBe(text);
  expect((await reader?.read())?.value).toBe(closed.slice(text.length));
  await reader?.cancel();
});

test("a client gets signs of life while its calls wait behind the end of the reply", async () => {
  let close = (): void => undefined;
  const closed = messageStart + callBlock(0, "toolu_1", input) + messageEnd("tool_use");
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(closed));
      close = () => controller.close();
    },
  });
  const headers = { "content-type": "text/event-stream" };
  const options = { keepAliveMs: 5, closeMs: 600_000 };
  const fetch = guard(async () => new Response(body, { headers }), options);
  const reply = await fetch("http://provider.test/v1/messages", { method: "POST", body: request });
  const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let count = 0; count < 2; count++) expect((await reader?.read())?.value).toContain("ping");
  close();
  let last: string | undefined = "ping";
  while (last?.includes("ping")) last = (await reader?.read())?.value;
  expect(last).toBe(closed);
});

test.each([
  ["becomes an error", "", {}, 502],
  ["ends with an error behind its text", textBlock(0, "Hi."), {}, 200],
  ["is requested again", "", { retries: 1 }, 200],
])(
  "a reply that lacks a block %s, also if its stream stays open",
  async (_, text, options, status) => {
    const lacking = messageStart + text + callBlock(2, "toolu_1", input) + messageEnd("tool_use");
    const finished = messageStart + callBlock(0, "toolu_1", input) + messageEnd("tool_use");
    const server = await startServer((_request, index) =>
      index === 1 ? { chunks: [finished] } : { chunks: [lacking], fault: "stall" },
    );
    onTestFinished(() => server.close());
    const upstream: typeof fetch = (_url, init) => fetch(server.url, init);
    const guarded = guard(upstream, { ...options, closeMs: 20 });
    const reply = await guarded("http://provider.test/v1/messages", {
      method: "POST",
      body: request,
    });
    expect(reply.status).toBe(status);
    await readAll(reply);
    await vi.waitFor(() => expect(server.abandoned()).toBe(1));
  },
  20_000,
);

describe("text or reasoning behind the `finish_reason` of Chat", () => {
  const call = chunk(callDelta(0, "call_1", "/a"));
  const late = [chunk({ content: "\n" }), chunk({ reasoning_content: "Done." })];
  const path = "/v1/chat/completions";
  test.each(late)("leaves a finished reply as it came: %s", async (text) => {
    for (const strict of [false, true])
      for (const last of [done, ""]) {
        const calls = [opening, call, chunk({}, "tool_calls"), text, last];
        expect(await pass(path, calls, { strict })).toEqual([
          200,
          calls.join(""),
          "passed",
          "tool-use",
        ]);
        const answer = [opening, chunk({ content: "Hi." }), chunk({}, "stop"), text, last];
        expect(await pass(path, answer, { strict })).toEqual([
          200,
          answer.join(""),
          "passed",
          "stop",
        ]);
      }
  });
  test.each(late)("does not end a reply whose call came later: %s", async (text) => {
    const early = [opening, chunk({ content: "Hi." }), chunk({}, "stop"), call, text, done];
    expect((await pass(path, early)).slice(2)).toEqual(["failed", "interrupted"]);
  });
});
