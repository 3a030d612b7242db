import { type GuardReport, guard } from "@fullstop/guard";
import { describe, expect, test } from "vitest";
import { callDelta, chunk, done, opening } from "./chat.ts";
import { callBlock, messageEnd, messageStart, textBlock } from "./messages.ts";

/** Each protocol finds its own members. */
const request = '{"stream":true,"max_tokens":1024,"messages":[],"input":"Go."}';

/** What a client gets of a reply that comes in these packets, and what was decided. */
async function pass(path: string, packets: readonly string[]): Promise<readonly unknown[]> {
  const reports: GuardReport[] = [];
  const body = new ReadableStream<string>({
    start(controller) {
      for (const packet of packets) controller.enqueue(packet);
      controller.close();
    },
  }).pipeThrough(new TextEncoderStream());
  const headers = { "content-type": "text/event-stream" };
  const fetch = guard(async () => new Response(body, { headers }), {
    onReply: (report) => void reports.push(report),
  });
  const reply = await fetch(`http://provider.test${path}`, { method: "POST", body: request });
  const text = await reply.text().catch(String);
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
      "what cannot be read": "data: {\n\n",
      nothing: ": a comment\n\n",
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
    "(%s after %s) counts the same in its packet and in the next",
    async (...one) => {
      const [, name, reply, text] = one;
      const together = await pass(path, [reply + text]);
      expect(together).toEqual(await pass(path, [reply, text]));
      expect(together[0]).toBe(200);
      if (name === "finished") expect(together[1]).toContain(reply);
    },
  );
});
