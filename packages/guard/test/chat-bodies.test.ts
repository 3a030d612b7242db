import { readTurn } from "@fullstop/core";
import { openaiChat } from "@fullstop/provider-openai";
import { afterAll, describe, expect, test } from "vitest";
import {
  bodyOf,
  callOf,
  choicesChunk,
  done,
  holdsCall,
  openDesk,
  said,
  streamed,
  whole,
} from "./chat.ts";

const desk = await openDesk();
afterAll(() => desk.close());

describe("last chunks of gateways", () => {
  const head = choicesChunk({ index: 0, delta: { role: "assistant" }, finish_reason: null });
  const call = callOf("call_1", "/srv/a");
  const piece = choicesChunk({ index: 0, delta: { tool_calls: [{ index: 0, ...call }] } });
  const repeated = (entry: object): string =>
    choicesChunk({
      index: 0,
      message: { role: "assistant", content: null, tool_calls: [entry] },
      finish_reason: "tool_calls",
    });
  test("that repeat the whole message leave each call once", async () => {
    const { text, report } = await desk.ask(streamed(head, piece, repeated(call), done));
    expect(report.turn.calls).toHaveLength(1);
    expect(text.match(/"call_1"/g)).toHaveLength(1);
    const other = callOf("call_1", "/srv/b");
    const differs = await desk.ask(streamed(head, piece, repeated(other), done));
    expect([differs.report.action, holdsCall(differs.text)]).toEqual(["failed", false]);
  });
  test("that name the host's own end as a stop sequence forbid nothing", async () => {
    const end = choicesChunk({
      index: 0,
      delta: {},
      finish_reason: "tool_calls",
      stop_reason: "<|im_end|>",
    });
    const usage = 'data: {"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":12}}\n\n';
    const reply = streamed(head, piece, end, usage, done);
    const origin = "http://localhost:8000";
    const plain = await desk.ask(reply, { origin });
    expect([plain.report.action, plain.text]).toEqual(["passed", reply.chunks.join("")]);
    const asked = await desk.ask(reply, { origin, request: { stop: ["<|im_end|>"] } });
    expect(holdsCall(asked.text)).toBe(false);
  });
});

describe("JSON bodies", () => {
  const read = { tool_calls: [callOf("call_1", "/srv/a")] };
  const cutCall = { id: "call_1", type: "function", function: { name: "read", arguments: '{"pa' } };
  const usage = { cached: "12345678901234567890" };
  const withNumber = (body: string): string =>
    body.replace('"usage":{', `"usage":{"cached":${usage.cached},`);

  test("pass byte for byte if the calls are clear", async () => {
    for (const message of [read, { content: "Hello." }, { function_call: said }]) {
      const reply = whole(` ${bodyOf(message, "stop").replaceAll(",", " ,\n")}\n`);
      expect((await desk.ask(reply)).text).toBe(reply.chunks[0]);
    }
  });
  test("may have the end of a stream behind them", async () => {
    const text = `${bodyOf(read, "tool_calls")}\n\n${done}`;
    expect(await desk.ask(whole(text))).toMatchObject({ status: 200, text });
    const cut = await desk.ask(whole(`${bodyOf(read, "length")}\n\n${done}`));
    expect([cut.status, holdsCall(cut.text)]).toEqual([200, false]);
    const torn = await desk.ask(whole(`${bodyOf(read, "tool_calls").slice(0, -20)}\n\n${done}`));
    expect(holdsCall(torn.text)).toBe(false);
  });
  test("lose calls that must not run, and keep large numbers", async () => {
    const body = withNumber(bodyOf({ content: "Reading.", tool_calls: [cutCall] }, "length"));
    const { text } = await desk.ask(whole(body));
    expect(holdsCall(text)).toBe(false);
    expect(text).toContain(`"cached":${usage.cached}`);
    expect(JSON.parse(text)).toMatchObject({
      choices: [
        {
          finish_reason: "length",
          message: { content: expect.stringMatching(/^Reading\.\n\n\[/) },
        },
      ],
    });
    expect(holdsCall((await desk.ask(whole(`[${body}]`))).text)).toBe(false);
    const silent = await desk.ask(whole(bodyOf({ tool_calls: [cutCall] }, "length")), {
      note: false,
    });
    expect(JSON.parse(silent.text)).toMatchObject({ choices: [{ message: { content: "" } }] });
  });
  test("say each granted call once", async () => {
    const other = { index: 1, message: read, finish_reason: "tool_calls" };
    const object = {
      id: "call_1",
      type: "function",
      function: { name: "read", arguments: { path: "/srv/a" } },
    };
    for (const body of [
      bodyOf({ ...read, function_call: said }, "stop"),
      bodyOf({ tool_calls: [...read.tool_calls, ...read.tool_calls] }, "tool_calls"),
      bodyOf(read, "tool_calls", other),
      bodyOf({ tool_calls: [object] }, "tool_calls"),
    ]) {
      const { choices } = JSON.parse((await desk.ask(whole(body))).text);
      expect(choices).toEqual([
        expect.objectContaining({
          finish_reason: "tool_calls",
          message: expect.objectContaining(read),
        }),
      ]);
      expect(choices[0].message).not.toHaveProperty("function_call");
    }
  });
  test("have inputs that are texts", async () => {
    const list = { id: "call_1", type: "function", function: { name: "list", arguments: {} } };
    const { text } = await desk.ask(whole(bodyOf({ tool_calls: [list] }, "tool_calls")));
    expect(JSON.parse(text).choices[0].message.tool_calls).toEqual([
      { ...list, function: { name: "list", arguments: "{}" } },
    ]);
  });
  test("are in the strict form with `normalizeCalls`", async () => {
    const reply = whole(
      bodyOf({ tool_calls: [{ function: { name: "list", arguments: "" } }] }, "stop"),
    );
    expect((await desk.ask(reply)).report.action).toBe("passed");
    const { text } = await desk.ask(reply, { normalizeCalls: true });
    expect(JSON.parse(text).choices[0]).toMatchObject({
      finish_reason: "tool_calls",
      message: {
        tool_calls: [
          {
            id: expect.stringMatching(/^call_/),
            type: "function",
            function: { name: "list", arguments: "{}" },
          },
        ],
      },
    });
  });
});

test("the adapter reads what the guard makes of a stream whose only chunk is a whole message", async () => {
  const message = { role: "assistant", content: null, tool_calls: [callOf("call_1", "/srv/a")] };
  const reply = streamed(choicesChunk({ index: 0, message, finish_reason: "stop" }), done);
  const { text, report } = await desk.ask(reply);
  expect(report.action).toBe("rewritten");
  const headers = { "content-type": "text/event-stream" };
  const adapter = openaiChat("gpt-5.2", {
    apiKey: "k",
    fetch: async () => new Response(text, { headers }),
  });
  const turn = await readTurn(adapter, { messages: [{ role: "user", content: "Go." }] });
  expect(turn.calls).toMatchObject([{ id: "call_1", name: "read", input: { path: "/srv/a" } }]);
});
