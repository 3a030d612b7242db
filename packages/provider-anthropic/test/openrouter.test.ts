import Anthropic from "@anthropic-ai/sdk";
import { type Answer, type Serving, serve } from "@fullstop/conformance/server";
import { conform } from "@fullstop/conformance/vitest";
import { type Message, type ProviderError, readTurn, type Turn } from "@fullstop/core";
import { anthropic } from "@fullstop/provider-anthropic";
import { isFull } from "@tooling/test/full";
import { places } from "@tooling/test/sample";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  block,
  bytes,
  type Event,
  messageDelta,
  messageStart,
  messageStop,
  text,
  thinking,
  tool,
} from "./events.ts";
import { openrouterWire } from "./openrouter-wire.ts";

const model = "anthropic/claude-opus-5";
const user: Message = { role: "user", content: "Go." };

/** All families but `wire`: the connection is that of the vendor's API. */
const all = ["call", "error", "request", "stop", "turn"];
/** What the host writes in its own way: ends, errors and requests. Its calls are Anthropic's. */
const asked = isFull ? all : ["error", "request", "stop"];
for (const only of asked)
  conform(
    {
      wire: openrouterWire,
      adapter: ({ fetch, baseURL }) =>
        anthropic(model, {
          client: new Anthropic({
            baseURL: baseURL ?? "https://openrouter.ai/api",
            authToken: "key",
            apiKey: null,
            fetch,
          }),
        }),
    },
    { only, sample: places(12), sockets: false },
  );

let answer: Answer = { chunks: [] };
let serving: Serving;
beforeAll(async () => {
  serving = await serve(() => answer);
});
afterAll(() => serving.close());

const encoder = new TextEncoder();
const stream = (body: string): Answer => ({ chunks: [encoder.encode(body)] });
async function ask(next: Answer, messages: readonly Message[] = [user]): Promise<Turn> {
  answer = next;
  const client = new Anthropic({ baseURL: `${serving.url}/api`, authToken: "mine", apiKey: null });
  return readTurn(anthropic(model, { client }), { messages, maxTokens: 1000 });
}
const lastRequest = () => serving.requests.at(-1);
const errorOf = (turn: Turn): ProviderError | undefined =>
  "error" in turn ? turn.error : undefined;
const called: readonly Event[] = [
  messageStart,
  ...thinking(0, "Hm.", "sig"),
  ...tool(1, "read", '{"path":"a"}'),
  messageDelta("tool_use"),
  messageStop,
];

test("the key is in `authorization`, and no other key is sent", async () => {
  expect((await ask(stream(bytes(called)))).calls.map(({ input }) => input)).toEqual([
    { path: "a" },
  ]);
  expect(lastRequest()?.path).toBe("/api/v1/messages");
  const { authorization, "x-api-key": key } = lastRequest()?.headers ?? ({} as never);
  expect([authorization, key]).toEqual(["Bearer mine", undefined]);
});

test("comments between events, and `[DONE]` after them, change nothing", async () => {
  const comment = ": OPENROUTER PROCESSING\n\n";
  const body = called.map((event) => comment + bytes([event])).join("");
  for (const end of ["", "data: [DONE]\n\n", "event: data\ndata: [DONE]\n\n"]) {
    const turn = await ask(stream(body + end));
    expect([end, turn.stopReason, turn.calls.length]).toEqual([end, "tool-use", 1]);
  }
  const cut = await ask(stream(`${comment}${bytes(called.slice(0, -2))}data: [DONE]\n\n`));
  expect([cut.stopReason, cut.calls.length]).toEqual(["interrupted", 0]);
});

test("an error inside a reply is known by its `error_type`", async () => {
  for (const [errorType, kind] of [
    ["provider_overloaded", "overloaded"],
    ["context_length_exceeded", "context-window"],
    ["token_limit_exceeded", "billing"],
    ["provider_unavailable", "overloaded"],
  ] as const) {
    const error = { type: "overloaded_error", message: "No.", error_type: errorType };
    const turn = await ask(stream(bytes([...called.slice(0, -2), { type: "error", error }])));
    expect([errorType, errorOf(turn)?.kind, turn.calls.length]).toEqual([errorType, kind, 0]);
  }
});

test("signed thinking and steps of its server tools go back unchanged", async () => {
  const step = { type: "server_tool_use", id: "srvtoolu_1", name: "openrouter:shell", input: {} };
  const result = {
    type: "openrouter_shell_tool_result",
    tool_use_id: "srvtoolu_1",
    content: { output: [{ stdout: "ok", stderr: "", outcome: { type: "exit", exit_code: 0 } }] },
  };
  const turn = await ask(
    stream(
      bytes([
        messageStart,
        ...thinking(0, "Hm.", "sig"),
        ...block(1, step),
        ...block(2, result),
        ...text(3, "Done."),
        messageDelta("end_turn"),
        messageStop,
      ]),
    ),
  );
  expect(turn.stopReason).toBe("stop");
  await ask(stream(bytes(called)), [user, turn.message as Message, user]);
  const { messages } = JSON.parse(lastRequest()?.body ?? "{}") as {
    messages: { content: unknown }[];
  };
  expect(messages[1]?.content).toMatchObject([
    { type: "thinking", thinking: "Hm.", signature: "sig" },
    step,
    result,
    { type: "text", text: "Done." },
  ]);
});
