import type { Frames, Reply, Wire } from "@fullstop/conformance";
import { violations } from "./refusals.ts";

interface AcmeData {
  readonly say: string;
  readonly [field: string]: unknown;
}
/** An event as the server sends it. */
const data = (event: AcmeData): string => JSON.stringify(event);
const json = (events: readonly AcmeData[]): readonly string[] => events.map(data);
const end = (why: string, out: number): AcmeData => ({ say: "end", why, tokens: { in: 1, out } });

const parts = ({ blocks }: Reply): readonly AcmeData[] =>
  blocks.flatMap((block, n): readonly AcmeData[] =>
    "text" in block
      ? [{ say: "text", text: block.text }]
      : [
          { say: "tool", n, id: block.id, name: block.name },
          { say: "input", n, json: JSON.stringify(block.input) },
          { say: "tool_done", n },
        ],
  );
const frames = (reply: Reply): Frames => ({
  upToTerminal: json([...parts(reply), end(reply.stop, reply.output)]),
});
/** The same reply in one piece, with the parts of the stream. */
const whole = (reply: Reply): string =>
  data({ ...end(reply.stop, reply.output), say: "reply", parts: parts(reply) });

const memo = { say: "memo", id: "memo_1" };
const failure = (code: string, message: string): string =>
  JSON.stringify({ error: { code, message } });

/** The server side of Acme Chat. It follows the vendor's documents and not the decoder, because it must find the mistakes of the decoder. */
export const wire: Wire = {
  name: "acme-chat",
  nativeStops: { stop: "done", "tool-use": "tool", length: "budget", "content-filter": "policy" },
  frames,
  whole,
  streams: ({ body }) => JSON.parse(body).stream,
  unclosed: (reply) => ({
    upToTerminal: json([...parts(reply).slice(0, -1), end(reply.stop, reply.output)]),
  }),
  /** Content after `end` does not count. */
  ends: true,
  errors: [{ frame: data({ say: "failed", code: "busy", text: "Too busy." }), kind: "overloaded" }],
  failures: [
    {
      status: 400,
      body: failure("talk_too_long", "The talk has 9000 tokens of 8000."),
      kind: "context-window",
    },
    { status: 402, body: failure("no_credit", "Top up."), kind: "billing" },
    {
      status: 429,
      headers: { "retry-after": "2" },
      body: failure("slow_down", "Not so fast."),
      kind: "rate-limit",
    },
    { status: 500, body: failure("busy", "Too busy."), kind: "overloaded" },
  ],
  fixtures: [
    {
      name: "a memo, which the next request returns",
      frames: { upToTerminal: json([memo, { say: "text", text: "Noted." }, end("done", 2)]) },
      turn: { stopReason: "stop", calls: [] },
      replays: [memo],
    },
    {
      name: "a complete call with a stop reason that permits no calls",
      frames: frames({
        blocks: [{ name: "read", id: "call_1", input: { path: "a" } }],
        stop: "halted",
        output: 3,
      }),
      turn: { stopReason: "stop", calls: [] },
    },
  ],
  violations,
};
