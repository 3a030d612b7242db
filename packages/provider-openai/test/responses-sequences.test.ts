import { explain, type Message, readTurn, type Turn, type TurnRequest } from "@fullstop/core";
import { jsonResponse } from "@tooling/test/fake-server";
import {
  added,
  call,
  callEvents,
  completed,
  created,
  done,
  type Event,
  ended,
  type Item,
  message,
  messageEvents,
  reasoning,
  reasoningEvents,
  reply,
} from "@tooling/test/openai-responses";
import { describe, expect, test } from "vitest";
import { serve } from "./responses-server.ts";

const user: Message = { role: "user", content: "Go." };
const ask = (events: readonly Event[], request: Partial<TurnRequest> = {}): Promise<Turn> =>
  readTurn(serve(events).adapter(), { messages: [user], maxTokens: 100, ...request });
const read = call("read", '{"path":"a"}');
const ranRead = { stopReason: "tool-use", calls: [{ name: "read", input: { path: "a" } }] };
/** Its pieces and its whole text, but not the item. */
const undone = (item: Item): readonly Event[] => callEvents(0, item).slice(0, -1);

describe("a piece of an input in an event of an unknown type", () => {
  const pieces = (type: string | null | undefined, item: Item, rest: object): readonly Event[] => {
    const kind =
      item.type === "function_call" ? "function_call_arguments" : "custom_tool_call_input";
    const [first = "", odd = "", last = ""] = ['{"path":"a"', ',"all":true', "}"];
    const piece = (delta: string): Event => ({
      type: `response.${kind}.delta`,
      output_index: 0,
      delta,
    });
    return [
      created,
      added(0, { ...item, status: "in_progress", arguments: "", input: "" } as Item),
      piece(first),
      { ...piece(odd), type, ...rest } as Event,
      piece(last),
    ];
  };
  const types = [undefined, null, "response.function_call_arguments.piece"];
  const places = [{}, { output_index: undefined }];
  const cases = types.flatMap((type) => places.map((place) => [type, place] as const));

  test("withholds the call if no other event has the whole input", async () => {
    const blank = { ...read, arguments: "" } as Item;
    for (const [type, place] of cases) {
      const turn = await ask([...pieces(type, read, place), done(0, blank), completed]);
      expect([turn.stopReason, turn.calls]).toEqual(["interrupted", []]);
    }
  });

  test("takes no call away if the whole input comes, and no other piece", async () => {
    for (const [type, place] of cases) {
      const events = pieces(type, read, place);
      expect(
        await ask([...events.slice(0, 2), ...events.slice(3, 4), done(0, read), completed]),
      ).toMatchObject(ranRead);
    }
  });
});

describe("sequences of Responses events", () => {
  test("a call in the complete response is closed, even if its item was never done", async () => {
    const whole = ended("completed", { output: [read] });
    expect(await ask([created, ...undone(read), whole])).toMatchObject(ranRead);
    expect(await ask([created, whole])).toMatchObject(ranRead);
    const half = ended("completed", { output: [{ ...read, status: "incomplete" }] });
    expect(await ask([created, ...undone(read), half])).toMatchObject({
      stopReason: "malformed-tool-call",
      calls: [],
    });
  });

  test("a call that is done without a status is closed", async () => {
    const { status: _, ...item } = read;
    expect(
      await ask([created, added(0, item as Item), done(0, item as Item), completed]),
    ).toMatchObject(ranRead);
  });

  test("a call whose arguments are done, but not its item, is closed by the end of the reply; a call with another status is not", async () => {
    expect(await ask([created, ...undone(read), completed])).toMatchObject(ranRead);
    const cut = ended("incomplete", { incomplete_details: { reason: "max_output_tokens" } });
    expect(await ask([created, ...undone(read), cut], { maxTokens: 20 })).toMatchObject({
      stopReason: "length",
      calls: [],
    });
    const open = await ask([created, ...undone(read).slice(0, -1), completed]);
    expect(open).toMatchObject({
      stopReason: "malformed-tool-call",
      withheld: [{ name: "read", reason: "not-closed", inputText: '{"path":"a"}' }],
    });
    for (const status of ["in_progress", "incomplete"]) {
      const turn = await ask([created, ...undone(read), done(0, { ...read, status }), completed]);
      expect(turn).toMatchObject({ stopReason: "malformed-tool-call", calls: [] });
    }
  });

  test("an incomplete response keeps neither its completed call nor the reasoning before it", async () => {
    const cut = ended("incomplete", { incomplete_details: { reason: "max_output_tokens" } });
    const turn = await ask(
      [
        created,
        ...messageEvents(0, "So."),
        ...reasoningEvents(1, reasoning("hm"), "hm"),
        ...callEvents(2, read),
        cut,
      ],
      { maxTokens: 20 },
    );
    expect(turn).toMatchObject({ stopReason: "length", withheld: [{ name: "read" }] });
    expect(turn.message?.content).toEqual([{ type: "text", text: "So." }]);
    const alone = await ask(
      [created, ...reasoningEvents(0, reasoning("hm"), "hm"), ...callEvents(1, read), cut],
      { maxTokens: 20 },
    );
    expect(alone.message).toBeUndefined();
  });

  test("a new type of call without an answer is an error; one that the server answers is not", async () => {
    const item = { type: "hologram_call", call_id: "c", depth: 3 };
    const open = await ask(reply([done(0, item)]));
    expect(open).toMatchObject({
      stopReason: "error",
      error: { kind: "invalid-request", code: "unsupported_item" },
    });
    expect(explain(open).person).toContain('waits for an answer to its "hologram_call"');
    const answered = await ask(
      reply(
        [done(0, item)],
        [done(1, { type: "hologram_call_output", call_id: "c" })],
        messageEvents(2, "Done."),
      ),
    );
    expect([answered.stopReason, answered.message?.content.length]).toEqual(["stop", 3]);
  });

  test("a shell call in a container of the server is not a call", async () => {
    const shell = {
      type: "shell_call",
      call_id: "c",
      status: "completed",
      environment: { type: "container_reference" },
    };
    const turn = await ask(
      reply(
        [done(0, shell)],
        [done(1, { type: "shell_call_output", call_id: "c" })],
        messageEvents(2, "Done."),
      ),
    );
    expect([turn.stopReason, turn.message?.content.length]).toEqual(["stop", 3]);
  });

  test("a cancelled response is an error of that kind", async () => {
    const whole = { ...(completed["response"] as object), status: "cancelled", output: [read] };
    const turn = await readTurn(serve(() => jsonResponse(whole)).adapter({ stream: false }), {
      messages: [user],
    });
    expect(turn).toMatchObject({ stopReason: "error", calls: [], error: { kind: "cancelled" } });
  });

  test("a request that is refused because the context window is full ends with `context-window`", async () => {
    const error = {
      type: "invalid_request_error",
      code: "context_length_exceeded",
      message: "Your input exceeds the context window.",
    };
    const turn = await readTurn(serve(() => jsonResponse({ error }, { status: 400 })).adapter(), {
      messages: [user],
    });
    expect(turn).toMatchObject({
      stopReason: "context-window",
      error: { kind: "context-window", status: 400 },
    });
  });

  test("item ids may change with every event", async () => {
    const events = [...callEvents(0, read), ...callEvents(1, call("list", "{}"))].map(
      (event, n) => ({
        ...event,
        item_id: `rotated_${n}`,
        ...("item" in event && { item: { ...(event["item"] as object), id: `rotated_${n}` } }),
      }),
    );
    const turn = await ask([
      created,
      ...events,
      ended("completed", { output: [read, call("list", "{}")] }),
    ]);
    expect(turn.calls.map(({ name }) => name)).toEqual(["read", "list"]);
  });

  test("output at the cap withholds a call, even if the status is `completed`", async () => {
    const turn = await ask(reply(callEvents(0, read)), { maxTokens: 20 });
    expect(turn).toMatchObject({ stopReason: "length", withheld: [{ reason: "cap-reached" }] });
  });

  test("the text of a custom tool is never parsed", async () => {
    const item = { type: "custom_tool_call", call_id: "c", name: "note", input: '{"half": ' };
    const turn = await ask(reply([added(0, { ...item, input: "" }), done(0, item)]));
    expect(turn).toMatchObject({
      stopReason: "tool-use",
      calls: [{ name: "note", input: { text: '{"half": ' } }],
    });
  });

  test.each([
    ["a text", "rm", " "],
    ["white space", " ", "rm"],
    ["white space", " ", "  "],
    ["nothing", "", "{}"],
  ])(
    "of a custom tool, %s that is done as %j and then as %j contradicts itself",
    async (...inputs) => {
      const [, first, last] = inputs;
      const item = { type: "custom_tool_call", call_id: "c", name: "note", input: first };
      const turn = await ask(reply([done(0, item), done(0, { ...item, input: last })]));
      expect(turn).toMatchObject({ stopReason: "interrupted", calls: [] });
    },
  );

  test("a custom tool gets white space as it is", async () => {
    const item = { type: "custom_tool_call", call_id: "c", name: "note", input: " " };
    expect(await ask(reply([added(0, { ...item, input: "" }), done(0, item)]))).toMatchObject({
      calls: [{ input: { text: " " } }],
    });
  });

  test("a message without deltas is read from its item", async () => {
    expect((await ask([created, done(0, message("Hello.")), completed])).text).toBe("Hello.");
    expect((await ask([created, ended("completed", { output: [message("Hello.")] })])).text).toBe(
      "Hello.",
    );
  });
});

describe("a call or an input under another name is an error", () => {
  const { arguments: _, ...rest } = call("list", "") as Item & { readonly arguments: string };
  const written = message("Hi.");
  test.each<[string, object]>([
    ["`tool_use`", { type: "tool_use", id: "x", name: "list", input: { path: "a" } }],
    ["`tool_calls`", { ...written, tool_calls: [{ function: { name: "list" } }] }],
    ["`tool_call`", { ...written, content: [{ type: "tool_call", name: "list" }] }],
    ["`input`", { ...rest, input: '{"path":"a"}' }],
    ["`parameters`", { ...rest, arguments: "", parameters: { path: "a" } }],
  ])("%s", async (name, item) => {
    const error = { message: expect.stringContaining(`in ${name}`) };
    const found = { stopReason: "interrupted", calls: [], error };
    for (const events of [
      [created, done(0, item as Item), completed],
      [created, ended("completed", { output: [item as Item] })],
    ])
      expect(await ask(events)).toMatchObject(found);
  });

  test("but not if the input came in pieces, or if the other name is blank", async () => {
    const item = { ...read, arguments: undefined, parameters: {}, tool_calls: [] } as Item;
    const events = [...callEvents(0, read).slice(0, -1), done(0, item)];
    expect(await ask([created, ...events, completed])).toMatchObject(ranRead);
  });
});
