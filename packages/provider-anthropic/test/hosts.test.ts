import { createGate, type Message, readTurn, type Turn } from "@fullstop/core";
import { type AnthropicOptions, anthropic } from "@fullstop/provider-anthropic";
import { jsonResponse } from "@tooling/test/fake-server";
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
  usage,
} from "./events.ts";
import { serve } from "./server.ts";

const messages: readonly Message[] = [{ role: "user", content: "Go." }];
const read = (events: readonly unknown[] | string, options?: AnthropicOptions): Promise<Turn> =>
  readTurn(serve(events as readonly Event[]).adapter(options), { messages, maxTokens: 1000 });
const outline = ({ stopReason, calls }: Turn): readonly string[] => [
  stopReason,
  ...calls.map(({ name }) => name),
];
const ending = [messageDelta("tool_use"), messageStop];
const called = tool(0, "read", '{"path":"a"}');

test("an event that is named `error` is an error, whatever its data is", async () => {
  const whole = bytes([messageStart, ...called, ...ending]);
  const at = whole.indexOf("event: message_delta");
  for (const data of [
    '{"message":"upstream died"}',
    "{}",
    '{"error":{"message":"upstream died"}}',
    "Bad gateway",
  ]) {
    const turn = await read(
      `${whole.slice(0, at)}event: error\ndata: ${data}\n\n${whole.slice(at)}`,
    );
    expect([data, ...outline(turn)]).toEqual([data, "error"]);
  }
});

test("a sign of life may have any data: Anthropic's SDK does not read it", async () => {
  const whole = bytes([messageStart, ...called, ...ending]);
  for (const name of ["ping", "heartbeat", "keepalive", "keep-alive"])
    for (const data of ["alive", "1", "[1]", "{}", '"[DONE]"', "{"]) {
      const sign = `event: ${name}\ndata: ${data}\n\n`;
      const turn = await read(sign + whole.replaceAll("event: ", `${sign}event: `) + sign);
      expect([name, data, ...outline(turn)]).toEqual([name, data, "tool-use", "read"]);
    }
});

test("no call runs without the piece of an input into whose frame a proxy wrote a sign of life", async () => {
  const pieces = ['{"path":"a"', ',"all":true', "}"].map((partial_json) => ({
    type: "input_json_delta",
    partial_json,
  }));
  const start = { type: "tool_use", id: "toolu_0", name: "read", input: {} };
  const whole = bytes([messageStart, ...block(0, start, ...pieces), ...ending]);
  const at = whole.indexOf("\n\n", whole.indexOf("all")) + 1;
  for (const sign of ["alive", "{}", '{"type":"ping"}'])
    expect(
      outline(await read(`${whole.slice(0, at)}event: ping\ndata: ${sign}\n\n${whole.slice(at)}`)),
    ).toEqual(["interrupted"]);
});

test("indices may be texts, also of some events only", async () => {
  const asText = (event: Event): Event =>
    "index" in event ? { ...event, index: String(event["index"]) } : event;
  const blocks = [...called, ...tool(1, "list", "{}")];
  for (const events of [blocks.map(asText), blocks.map((one, at) => (at % 2 ? asText(one) : one))])
    expect(outline(await read([messageStart, ...events, ...ending]))).toEqual([
      "tool-use",
      "read",
      "list",
    ]);
  for (const index of [" ", "", null]) {
    const damaged = called.map((one, at) => (at === called.length - 1 ? { ...one, index } : one));
    expect(outline(await read([messageStart, ...damaged, ...ending]))).toEqual(["interrupted"]);
  }
  const gap = [...called, ...tool(2, "list", "{}")].map(asText);
  expect(outline(await read([messageStart, ...gap, ...ending]))).toEqual(["interrupted"]);
});

describe("missing blocks", () => {
  const gaps: readonly (readonly [string, readonly Event[]])[] = [
    ["a gap between two calls", [...called, ...tool(2, "list", "{}")]],
    ["a gap before the only call", tool(1, "read", '{"path":"a"}')],
    ["a gap before text", [...called, ...text(2, "Reading.")]],
    [
      "the end of a block that never started",
      [...called, { type: "content_block_stop", index: 1 }],
    ],
    [
      "a server call that never ended",
      [
        ...called,
        ...block(1, { type: "server_tool_use", id: "s", name: "web_search", input: {} }).slice(
          0,
          1,
        ),
      ],
    ],
  ];
  test.each(gaps)(
    "%s: no call runs, and the error names the option that allows it",
    async (_, blocks) => {
      const events = [messageStart, ...blocks, ...ending];
      const turn = await read(events);
      expect([turn.stopReason, turn.calls.length, turn.withheld[0]?.reason]).toEqual([
        "interrupted",
        0,
        "malformed-frame",
      ]);
      expect("error" in turn && turn.error.message).toContain('`blocks: "loose"`');
      const names = blocks.flatMap(({ content_block: started }) => {
        const { type, name } = (started ?? {}) as { type?: string; name?: string };
        return type === "tool_use" && name !== undefined ? [name] : [];
      });
      expect(outline(await read(events, { blocks: "loose" }))).toEqual(["tool-use", ...names]);
    },
  );

  test("a reply without calls may have gaps: no call can be missing", async () => {
    const events = [
      messageStart,
      ...thinking(0, "Hm."),
      ...text(2, "Hello."),
      { type: "content_block_stop", index: 5 },
    ];
    expect(outline(await read([...events, messageDelta("end_turn"), messageStop]))).toEqual([
      "stop",
    ]);
  });

  test("a repeated end, a reused index and unfinished text are not gaps", async () => {
    const twice = [...called, { type: "content_block_stop", index: 0 }];
    const again = [
      ...block(0, { type: "web_search_tool_result", tool_use_id: "s", content: [] }),
      ...text(0, "So."),
      ...tool(1, "read", "{}"),
    ];
    const open = [...text(0, "So.").slice(0, -1), ...tool(1, "read", "{}")];
    for (const blocks of [twice, again, open])
      expect(outline(await read([messageStart, ...blocks, ...ending]))).toEqual([
        "tool-use",
        "read",
      ]);
  });
});

describe("the start of a reply", () => {
  const start = (message: object): Event => ({
    ...messageStart,
    message: { ...(messageStart["message"] as object), ...message },
  });
  test("may be repeated before any content, with the same id", async () => {
    const richer = start({ service_tier: "standard", usage: { ...usage, input_tokens: 12 } });
    const turn = await read([messageStart, richer, messageStart, ...called, ...ending]);
    expect([outline(turn), turn.usage.input]).toEqual([["tool-use", "read"], 12]);
  });
  test.each<[string, readonly Event[]]>([
    ["after content", [messageStart, ...called, messageStart]],
    ["under another id", [messageStart, start({ id: "msg_2" }), ...called]],
    ["for another model", [messageStart, start({ model: "claude-other" }), ...called]],
    ["without an id", [start({ id: "" }), start({ id: "" }), ...called]],
  ])("that is repeated %s interrupts it", async (_, events) => {
    expect(outline(await read([...events, ...ending]))).toEqual(["interrupted"]);
  });
});

describe("a named stop sequence", () => {
  const whole = (
    stop_reason: string | null,
    stop_sequence: unknown,
    input: object = {},
  ): Response =>
    jsonResponse({
      ...(messageStart["message"] as object),
      stop_reason,
      stop_sequence,
      usage: { ...usage, output_tokens: 20 },
      content: [{ type: "tool_use", id: "toolu_1", name: "write_file", input }],
    });
  const ask = (answer: Response): Promise<Turn> =>
    readTurn(serve(() => answer).adapter({ stream: false }), { messages, maxTokens: 30 });

  test("is the reason of the reply's end, unless `stop_reason` is worse", async () => {
    for (const [stopReason, reason] of [
      ["tool_use", "stop"],
      ["end_turn", "stop"],
      [null, "stop"],
      ["stop_sequence", "stop"],
      ["max_tokens", "length"],
      ["refusal", "refusal"],
    ] as const) {
      const turn = await ask(whole(stopReason, " vast"));
      expect([stopReason, turn.stopReason, turn.calls.length]).toEqual([stopReason, reason, 0]);
    }
    const streamed = [
      messageStart,
      ...called,
      messageDelta("tool_use", { delta: { stop_sequence: " vast" } }),
      messageStop,
    ];
    expect(await read(streamed)).toMatchObject({
      stopReason: "stop",
      native: { stop: "stop_sequence", detail: " vast" },
      withheld: [{ reason: "stop-sequence" }],
    });
  });

  test("does not count if it is null, missing or empty", async () => {
    for (const none of [null, undefined, ""])
      expect(outline(await ask(whole("tool_use", none)))).toEqual(["tool-use", "write_file"]);
  });
});

test("a reply without content may say `null`, as Ollama 0.17.4 does for a cut call", async () => {
  const reply = { id: "msg_1", type: "message", role: "assistant", model: "m", content: null };
  const usage = { input_tokens: 235, output_tokens: 12 };
  const answer = jsonResponse({ ...reply, stop_reason: "max_tokens", usage });
  const model = serve(() => answer).adapter({ stream: false });
  const turn = await readTurn(model, { messages, maxTokens: 12 });
  expect(turn).toMatchObject({ stopReason: "length", text: "", usage: { input: 235, output: 12 } });
});

describe("inputs that come in one piece", () => {
  const withInput = (json: string): string =>
    JSON.stringify({
      ...(messageStart["message"] as object),
      stop_reason: "tool_use",
      usage: { ...usage, output_tokens: 20 },
      content: [{ type: "tool_use", id: "toolu_1", name: "read", input: "INPUT" }],
    }).replace('"INPUT"', json);
  const ask = (json: string): Promise<Turn> => {
    const answer = () =>
      new Response(withInput(json), { headers: { "content-type": "application/json" } });
    return readTurn(serve(answer).adapter({ stream: false }), { messages, maxTokens: 1000 });
  };

  test("keep the digits of their numbers, and are withheld like streamed ones", async () => {
    for (const json of [
      '{"id":9007199254740993}',
      '{"a":{"b":[12345678901234567890]}}',
      '{"id":1e999}',
    ]) {
      const inPieces = await read(reply("tool_use", tool(0, "read", json)));
      for (const turn of [await ask(json), inPieces]) {
        expect(turn).toMatchObject({
          stopReason: "malformed-tool-call",
          withheld: [{ inputText: json, reason: "number-too-large" }],
        });
      }
    }
  });

  test("run with numbers that a double can hold, streamed or not", async () => {
    for (const json of ['{"id":1e21}', '{"id":9007199254740992}', '{"id":0.1}']) {
      const inPieces = await read(reply("tool_use", tool(0, "read", json)));
      for (const turn of [await ask(json), inPieces])
        expect(turn.calls[0]?.input).toEqual(JSON.parse(json));
    }
  });

  test("are not trusted if another parser may have rounded them", () => {
    const gate = createGate(anthropic("claude-sonnet-5-5"), { maxTokens: 1000 });
    gate.push(JSON.parse(withInput('{"id":9007199254740993}')));
    expect(gate.end()).toMatchObject({ stopReason: "interrupted", calls: [] });
  });

  test("are empty if the block starts with an empty text and no delta comes", async () => {
    const empty = block(0, { type: "tool_use", id: "toolu_1", name: "list", input: "" });
    expect((await read(reply("tool_use", empty))).calls).toMatchObject([
      { name: "list", input: {} },
    ]);
    const filled = block(
      0,
      { type: "tool_use", id: "toolu_1", name: "list", input: "" },
      { type: "input_json_delta", partial_json: '{"a":1}' },
    );
    expect((await read(reply("tool_use", filled))).calls).toMatchObject([
      { name: "list", input: { a: 1 } },
    ]);
  });

  test("may be a text that contains JSON", async () => {
    for (const input of ['{"path":"a"}', '{"path":"a"', '"a"']) {
      const start = block(0, { type: "tool_use", id: "toolu_1", name: "read", input });
      for (const turn of [await ask(JSON.stringify(input)), await read(reply("tool_use", start))])
        expect(turn.calls.map((call) => call.input)).toEqual(
          input.endsWith("}") ? [{ path: "a" }] : [],
        );
    }
  });

  test("are not empty if the block has an empty list", async () => {
    const list = block(0, { type: "tool_use", id: "toolu_1", name: "list", input: [] });
    expect(await read(reply("tool_use", list))).toMatchObject({
      calls: [],
      withheld: [{ reason: "not-an-object" }],
    });
  });

  test("may be repeated as deltas, with keys in another order; a different input contradicts them", async () => {
    const start = {
      type: "tool_use",
      id: "toolu_1",
      name: "list",
      input: { a: 1, b: { c: 2, d: 3 } },
    };
    const same = block(0, start, {
      type: "input_json_delta",
      partial_json: '{"b":{"d":3,"c":2},"a":1}',
    });
    const other = block(0, start, { type: "input_json_delta", partial_json: '{"a":2}' });
    expect(outline(await read(reply("tool_use", same)))).toEqual(["tool-use", "list"]);
    expect(outline(await read(reply("tool_use", other)))).toEqual(["interrupted"]);
  });

  test("are compared at any depth", async () => {
    const levels = 10_000;
    const deep = (value: number): string =>
      `${'{"a":['.repeat(levels)}${value}${"]}".repeat(levels)}`;
    const body = (again: string): string =>
      bytes([
        messageStart,
        ...block(
          0,
          { type: "tool_use", id: "t", name: "list", input: "<input>" },
          { type: "input_json_delta", partial_json: again },
        ),
        ...ending,
      ]).replace('"<input>"', deep(1));
    expect(outline(await read(body(deep(1))))).toEqual(["tool-use", "list"]);
    expect(outline(await read(body(deep(2))))).toEqual(["interrupted"]);
  });
});

describe("a request body for the gate", () => {
  const list = {
    name: "list",
    description: "Lists.",
    input_schema: { type: "object", required: ["of"], properties: { of: {} } },
  };
  const settle = (body: object, events: readonly Event[]): Turn => {
    const gate = createGate(anthropic("claude-sonnet-5-5"), { body });
    for (const event of events) gate.push(event);
    return gate.end();
  };

  test("its cap and its schemas are read", () => {
    const tools = [list, { type: "web_search_20250305", name: "web_search" }];
    expect(
      outline(settle({ max_tokens: 20, tools }, reply("tool_use", tool(0, "read", "{}")))),
    ).toEqual(["length"]);
    const empty = settle({ max_tokens: 1000, tools }, reply("tool_use", tool(0, "list", "")));
    expect(empty.withheld).toMatchObject([{ reason: "input-missing" }]);
    expect(
      outline(
        settle({ max_tokens: 1000, tools }, reply("tool_use", tool(0, "list", '{"of":"a"}'))),
      ),
    ).toEqual(["tool-use", "list"]);
  });

  test("a gate without the cap is refused", () => {
    for (const body of [undefined, {}, null, "x", { max_tokens: "20" }, { tools: [null] }])
      expect(() => createGate(anthropic("claude-sonnet-5-5"), { body })).toThrow("cap");
  });

  test("a cap in `params` is refused when the adapter is created", () => {
    const params = { max_tokens: 20 } as AnthropicOptions["params"];
    expect(() => anthropic("claude-sonnet-5-5", { params })).toThrow("maxTokens");
  });

  test("with `mislabelsTruncation`, a call without a usage does not run", async () => {
    const uncounted = [
      { type: "message_start", message: { id: "msg_1" } },
      ...called,
      { type: "message_delta", delta: { stop_reason: "tool_use" } },
      messageStop,
    ];
    expect(outline(await read(uncounted))).toEqual(["tool-use", "read"]);
    const turn = await read(bytes(uncounted), { mislabelsTruncation: true });
    expect([outline(turn), turn.withheld[0]?.reason]).toEqual([["length"], "cap-unproven"]);
  });

  test("if `message_stop` is missing, the error names the option, but only if it can help", async () => {
    const turn = await read([messageStart, ...called, messageDelta("tool_use")]);
    expect("error" in turn && turn.error.message).toContain('messageStop: "optional"');
    const cut = await read([messageStart, ...called]);
    expect("error" in cut && cut.error.message).not.toContain("messageStop");
  });
});
