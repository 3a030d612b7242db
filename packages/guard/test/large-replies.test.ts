import { guard } from "@fullstop/guard";
import { isFull } from "@tooling/test/full";
import { describe, expect, test } from "vitest";

/** `pnpm test:all`: a cost that grows with the square would take many minutes. */
const size = (count: number): number => (isFull ? count : count / 1000);

async function read(path: string, request: object, reply: string): Promise<string> {
  const headers = { "content-type": "text/event-stream" };
  const send = guard(async () => new Response(reply, { headers }), { keepAliveMs: 600_000 });
  const response = await send(`http://host.example${path}`, {
    method: "POST",
    body: JSON.stringify(request),
  });
  return response.text();
}
const sse = (events: readonly object[]): string =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);

test("The items of the last event may have any order", async () => {
  const items = numbers(size(150_000)).map((at) => ({
    type: "function_call",
    id: `fc_${at}`,
    call_id: `call_${at}`,
    name: "write_file",
    arguments: "{}",
    status: "completed",
  }));
  const response = { id: "resp_1", object: "response", status: "in_progress", output: [] };
  const reply = sse([
    { type: "response.created", response },
    ...items.map((item, output_index) => ({
      type: "response.output_item.done",
      output_index,
      item,
    })),
    {
      type: "response.completed",
      response: { ...response, status: "completed", output: items.toReversed() },
    },
  ]);
  const text = await read("/v1/responses", { model: "gpt-5.5", input: "Go." }, reply);
  expect(text === reply).toBe(true);
});

test("Many choices may lose their calls", async () => {
  const call = { index: 0, id: "c", type: "function", function: { name: "f", arguments: "{" } };
  const choices = numbers(size(300_000)).map((index) => ({
    index,
    delta: { role: "assistant", tool_calls: [call] },
    finish_reason: null,
  }));
  const reply = sse([
    { id: "1", choices },
    { id: "1", choices: [{ index: 0, delta: {}, finish_reason: "length" }] },
  ]);
  const request = { model: "m", messages: [], n: choices.length };
  const text = await read("/v1/chat/completions", request, `${reply}data: [DONE]\n\n`);
  expect(text).toContain('"finish_reason":"length"');
  expect(text).not.toContain("tool_calls");
});

describe("A text of 17 Mi characters, in few events, goes through", () => {
  const piece = "x".repeat(1024 * 1024);
  const pieces = Array.from({ length: 17 }, () => piece);
  const streamOf = (deltas: readonly object[], reason: string): string =>
    sse([
      ...deltas.map((delta) => ({ id: "1", choices: [{ index: 0, delta, finish_reason: null }] })),
      { id: "1", choices: [{ index: 0, delta: {}, finish_reason: reason }] },
    ]).concat("data: [DONE]\n\n");
  const callOf = (input: string, named = {}): object => ({
    tool_calls: [{ index: 0, ...named, function: { ...named, arguments: input } }],
  });
  test.each([
    [
      "an answer",
      streamOf(
        ["Go: ", ...pieces].map((content) => ({ content })),
        "stop",
      ),
    ],
    [
      "the input of a call",
      streamOf(
        [
          callOf('{"path":"', { id: "c", type: "function", name: "f" }),
          ...pieces.map((text) => callOf(text)),
          callOf('"}'),
        ],
        "tool_calls",
      ),
    ],
  ])("%s", async (_, reply) => {
    const text = await read("/v1/chat/completions", { model: "m", messages: [] }, reply);
    expect(text === reply).toBe(true);
  });
});
