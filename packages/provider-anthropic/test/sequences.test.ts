import { type Message, readTurn, type Turn, type TurnRequest } from "@fullstop/core";
import { describe, expect, test } from "vitest";
import {
  block,
  bytes,
  type Event,
  messageDelta,
  messageStart,
  messageStop,
  reply,
  text,
  thinking,
  tool,
} from "./events.ts";
import { serve } from "./server.ts";

const user: Message = { role: "user", content: "Go." };
const ask = (
  events: readonly Event[] | string,
  request: Partial<TurnRequest> = {},
): Promise<Turn> =>
  readTurn(serve(events).adapter(), { messages: [user], maxTokens: 100, ...request });
const names = (turn: Turn): readonly string[] => turn.calls.map((call) => call.name);

const search = (index: number, id: string): readonly Event[] => [
  ...block(
    index,
    { type: "server_tool_use", id, name: "web_search", input: {} },
    { type: "input_json_delta", partial_json: '{"query":"x"}' },
  ),
  ...block(index + 1, { type: "web_search_tool_result", tool_use_id: id, content: [] }),
];
const deferred = (index: number): readonly Event[] =>
  block(index, {
    type: "server_tool_use",
    id: "srv_1",
    name: "code_execution",
    input: { code: "read()" },
  });

describe("difficult replies", () => {
  test("output summed over server tool loops does not count against the cap", async () => {
    const turn = await ask([
      messageStart,
      ...search(0, "srv_1"),
      ...search(2, "srv_2"),
      ...tool(4, "read", '{"path":"a"}'),
      messageDelta("tool_use", { usage: { output_tokens: 5000 } }),
      messageStop,
    ]);
    expect(turn.stopReason).toBe("tool-use");
    expect(turn.usage).toMatchObject({ output: 5000, towardCap: null });
  });

  test("without server tools, output at the cap withholds the call", async () => {
    const turn = await ask([
      messageStart,
      ...tool(0, "read", '{"path":"a"}'),
      messageDelta("tool_use", { usage: { output_tokens: 100 } }),
      messageStop,
    ]);
    expect(turn.stopReason).toBe("length");
    expect(turn.withheld).toMatchObject([{ name: "read", reason: "cap-reached" }]);
  });

  test("a call beside a deferred server tool runs, and only results follow it", async () => {
    const server = serve(
      reply("tool_use", deferred(0), tool(1, "read", '{"path":"a"}')),
      reply("end_turn", text(0, "ok")),
    );
    const turn = await readTurn(server.adapter(), { messages: [user] });
    expect(names(turn)).toEqual(["read"]);
    const messages: Message[] = [
      user,
      turn.message as Message,
      {
        role: "tool",
        content: [{ type: "tool-result", id: "toolu_1", name: "read", content: "42" }],
      },
      { role: "user", content: "Be brief.", by: "loop" },
      { role: "user", content: "And kind." },
    ];
    await readTurn(server.adapter(), { messages });
    const [, assistant, results, ...more] = server.requests[1]?.body.messages ?? [];
    expect(more).toEqual([]);
    expect(assistant.content[0]).toEqual({
      type: "server_tool_use",
      id: "srv_1",
      name: "code_execution",
      input: { code: "read()" },
    });
    expect(results.content.map((param: { type: string }) => param.type)).toEqual(["tool_result"]);
    expect(results.content[0].content.map((part: { text: string }) => part.text)).toEqual([
      "42",
      "[Not from the tool, but from the program that runs it:]",
      "Be brief.",
      "[Not from the tool, but from the user:]",
      "And kind.",
    ]);
  });

  test("thinking whose call was cut leaves no message", async () => {
    const turn = await ask([
      messageStart,
      ...thinking(0, "hm", "sig"),
      ...tool(1, "write", '{"path":"a","con'),
      messageDelta("max_tokens", { usage: { output_tokens: 100 } }),
      messageStop,
    ]);
    expect(turn.stopReason).toBe("length");
    expect(turn.message).toBeUndefined();
    expect(turn.withheld).toHaveLength(1);
  });

  test("a server call that was cut is not sent back", async () => {
    const turn = await ask([
      messageStart,
      ...text(0, "Looking."),
      ...deferred(1),
      messageDelta("max_tokens"),
      messageStop,
    ]);
    expect(turn.message?.content).toEqual([{ type: "text", text: "Looking." }]);
  });

  test("a paused turn is sent back unchanged, with its container", async () => {
    const paused: readonly Event[] = [
      messageStart,
      ...text(0, "Running."),
      ...deferred(1),
      messageDelta("pause_turn", {
        delta: {
          container: { id: "container_1", expires_at: "2026-12-01T00:00:00Z", skills: null },
        },
      }),
      messageStop,
    ];
    const server = serve(
      paused,
      reply("end_turn", text(0, "ok")),
      reply("end_turn", text(0, "ok")),
    );
    const turn = await readTurn(server.adapter(), { messages: [user] });
    expect(turn.stopReason).toBe("pause");
    expect(turn.message?.resume).toBe("container_1");
    const messages = [user, turn.message as Message];
    await readTurn(server.adapter(), { messages });
    expect(server.requests[1]?.body).toMatchObject({
      container: "container_1",
      messages: [
        { role: "user" },
        {
          role: "assistant",
          content: [{ type: "text" }, { type: "server_tool_use", id: "srv_1" }],
        },
      ],
    });
    const skills = [{ type: "anthropic", skill_id: "pdf" } as const];
    await readTurn(server.adapter({ params: { container: { skills } } }), { messages });
    expect(server.requests[2]?.body.container).toEqual({ id: "container_1", skills });
  });

  test("a reply cut before message_stop is interrupted, unless its stop reason is worse", async () => {
    const called = await ask([
      messageStart,
      ...tool(0, "read", '{"path":"a"}'),
      messageDelta("tool_use"),
    ]);
    expect([called.stopReason, called.calls.length, called.withheld.length]).toEqual([
      "interrupted",
      0,
      1,
    ]);
    const cut = await ask([
      messageStart,
      ...tool(0, "read", '{"path":"a"}'),
      messageDelta("max_tokens"),
    ]);
    expect(cut.stopReason).toBe("length");
  });

  test("a reply without its last two line ends is complete", async () => {
    const turn = await ask(
      bytes(reply("tool_use", tool(0, "read", '{"path":"a"}'))).replace(/\n\n$/, ""),
    );
    expect(names(turn)).toEqual(["read"]);
  });

  test("two thinking blocks in a row keep a signature each", async () => {
    const turn = await ask(
      reply(
        "tool_use",
        thinking(0, "one", "sig 1"),
        thinking(1, "two", "sig 2"),
        tool(2, "read", "{}"),
      ),
    );
    expect(turn.message?.content.slice(0, 2)).toEqual([
      { type: "thinking", text: "one", providerData: "sig 1" },
      { type: "thinking", text: "two", providerData: "sig 2" },
    ]);
  });

  test("an option allows a host that never sends message_stop", async () => {
    const events = [messageStart, ...tool(0, "read", '{"path":"a"}'), messageDelta("tool_use")];
    const request = { messages: [user] };
    expect((await readTurn(serve(events).adapter(), request)).stopReason).toBe("interrupted");
    const { stopReason } = await readTurn(
      serve(events).adapter({ messageStop: "optional" }),
      request,
    );
    expect(stopReason).toBe("tool-use");
    const cut = await readTurn(
      serve(events.slice(0, -1)).adapter({ messageStop: "optional" }),
      request,
    );
    expect(cut.stopReason).toBe("interrupted");
  });

  test("the same option allows one that sends message_stop too early, and the error says so", async () => {
    const early = [messageStart, ...tool(0, "read", "{}"), messageStop, messageDelta("tool_use")];
    const request = { messages: [user] };
    expect(await readTurn(serve(early).adapter(), request)).toMatchObject({
      stopReason: "interrupted",
      error: { message: expect.stringContaining("`message_stop` behind the stop reason") },
    });
    const { stopReason } = await readTurn(
      serve(early).adapter({ messageStop: "optional" }),
      request,
    );
    expect(stopReason).toBe("tool-use");
  });

  test("an input that comes with the start of its block is used", async () => {
    const turn = await ask(
      reply(
        "tool_use",
        block(0, { type: "tool_use", id: "t", name: "remove", input: { path: "a", deep: [1] } }),
      ),
    );
    expect(turn.calls[0]?.input).toEqual({ path: "a", deep: [1] });
  });

  test("an empty object before the input of a tool is a placeholder", async () => {
    const withPieces = (...pieces: readonly string[]): Promise<Turn> =>
      ask(
        reply(
          "tool_use",
          block(
            0,
            { type: "tool_use", id: "t", name: "read", input: {} },
            ...pieces.map((json) => ({ type: "input_json_delta", partial_json: json })),
          ),
        ),
      );
    expect((await withPieces("{}", '{"path":', '"a"}')).calls[0]?.input).toEqual({ path: "a" });
    expect((await withPieces("{}")).calls[0]?.input).toEqual({});
    expect(names(await withPieces("{}", '{"path":"a'))).toEqual([]);
    expect(names(await withPieces('{"path":"b"}', '{"path":"a"}'))).toEqual([]);
  });
});
