import { describe, expect, test } from "vitest";
import type { EventBatches, Origin, TurnEvent } from "../src/adapter/index.ts";
import {
  type Adapter,
  type AssistantMessage,
  type Message,
  readTurn,
  type TurnRequest,
} from "../src/index.ts";
import { acme } from "./acme.ts";
import { here, sent } from "./prepared-request.ts";
import { input, read, settle, stop, usage } from "./reply.ts";

const elsewhere: Origin = { provider: "other", protocol: "other", model: "two" };

interface Said {
  readonly id: string;
  readonly nativeId?: string;
}
/** Turns of one call each, with their results. */
const history = (said: readonly Said[], from: Origin | undefined = here): readonly Message[] =>
  said.flatMap(({ id, ...native }): Message[] => [
    { role: "user", content: "Go." },
    {
      role: "assistant",
      content: [{ type: "tool-call", id, ...native, name: "read", inputText: "{}" }],
      ...(from && { from }),
    },
    { role: "tool", content: [{ type: "tool-result", id, name: "read", content: `of ${id}` }] },
  ]);
const callIds = ({ messages }: TurnRequest): readonly string[] =>
  messages.flatMap((message) =>
    message.role === "assistant"
      ? message.content.flatMap((block) => (block.type === "tool-call" ? [block.id] : []))
      : [],
  );
const resultIds = ({ messages }: TurnRequest): readonly string[] =>
  messages.flatMap((message) =>
    message.role === "tool" ? message.content.map(({ id }) => id) : [],
  );

describe("the cap", () => {
  test("is that of the request, else of the adapter, else none", async () => {
    expect((await sent({ maxTokens: 5 }, { maxTokens: { default: 9 } })).maxTokens).toBe(5);
    expect((await sent({}, { maxTokens: { default: 9 } })).maxTokens).toBe(9);
    expect(await sent({}, { maxTokens: { ceiling: 9 } })).not.toHaveProperty("maxTokens");
  });

  test("that was sent is compared with usage", async () => {
    const open: Adapter["open"] = async () =>
      (async function* () {
        yield [read, usage(9), stop("tool")];
      })() as EventBatches<TurnEvent>;
    const request = { messages: [] };
    expect((await readTurn(acme({ open, maxTokens: { default: 9 } }), request)).stopReason).toBe(
      "length",
    );
    expect((await readTurn(acme({ open, maxTokens: { default: 10 } }), request)).stopReason).toBe(
      "tool-use",
    );
  });
});

describe("call ids", () => {
  const anthropic = { callIds: { maxLength: 64, allowed: /^[a-zA-Z0-9_-]+$/ } };
  const chat = { callIds: { maxLength: 40, allowed: /^.+$/s } };
  const nine = { callIds: { maxLength: 9, allowed: /^[a-zA-Z0-9]+$/ } };
  const long = "x".repeat(70);
  const difficult = [
    "plain",
    "functions.read:0",
    long,
    `${long}1`,
    `${long}2`,
    "é😀",
    "::::",
    "",
    "a b",
    "a:b",
  ];

  test.each([
    ["64 of a pattern", anthropic],
    ["40 of anything", chat],
    ["9 letters and digits", nine],
  ])(
    "of another provider are fitted to %s, stay unique, and results follow them",
    async (_, adapter) => {
      const request = await sent(
        {
          messages: history(
            difficult.map((id) => ({ id })),
            elsewhere,
          ),
        },
        adapter,
      );
      const ids = callIds(request);
      expect(new Set(ids).size).toBe(difficult.length);
      for (const id of ids) {
        expect(id.length).toBeLessThanOrEqual(adapter.callIds.maxLength);
        expect(id).toMatch(adapter.callIds.allowed);
      }
      expect(resultIds(request)).toEqual(ids);
    },
  );

  test("that fit stay, and the same id is always fitted in the same way", async () => {
    expect(
      callIds(
        await sent({ messages: history([{ id: "toolu_1" }, { id: "a-b" }], elsewhere) }, anthropic),
      ),
    ).toEqual(["toolu_1", "a-b"]);
    const twice = await Promise.all(
      [1, 2].map(() => sent({ messages: history([{ id: long }], elsewhere) }, anthropic)),
    );
    expect(callIds(twice[0] as TurnRequest)).toEqual(callIds(twice[1] as TurnRequest));
    expect(callIds(await sent({ messages: history([{ id: long }]) }))).toEqual([long]);
  });

  test("of a host that reuses them are unique in the request", async () => {
    const messages: Message[] = [];
    for (let turn = 0; turn < 3; turn++) {
      messages.push({ role: "user", content: "Go." });
      const { message, calls } = settle([input("read", `{"n":${turn}}`, 0), stop("tool")], {
        messages,
      });
      messages.push(message as AssistantMessage, {
        role: "tool",
        content: calls.map(({ id, name }) => ({
          type: "tool-result",
          id,
          name,
          content: `${turn}`,
        })),
      });
    }
    const request = await sent({ messages }, anthropic);
    expect(callIds(request)).toEqual(["id-0", "call_4_0", "call_7_0"]);
    expect(resultIds(request)).toEqual(callIds(request));
  });

  test("are sent back unchanged to their own provider only", async () => {
    const messages = history([{ id: "call_1_0", nativeId: "functions.read:0" }]);
    expect(callIds(await sent({ messages }, anthropic))).toEqual(["functions.read:0"]);
    expect(resultIds(await sent({ messages }, anthropic))).toEqual(["functions.read:0"]);
    for (const other of [{ provider: "other" }, { protocol: "other" }, { model: "other" }]) {
      expect(callIds(await sent({ messages }, { ...anthropic, ...other }))).toEqual(["call_1_0"]);
    }
  });

  test("of a reply are unique in the caller's history, not only in the request", async () => {
    const open: Adapter["open"] = async () =>
      (async function* () {
        yield [input("read", "{}", "ours"), stop("tool")];
      })() as EventBatches<TurnEvent>;
    const { calls } = await readTurn(acme({ open }), {
      messages: history([{ id: "id-ours", nativeId: "theirs" }]),
    });
    expect(calls.map(({ id }) => id)).toEqual(["call_3_0"]);
  });

  test("of an earlier turn are not confused with those of a later one", async () => {
    const request = await sent({
      messages: history([
        { id: "b", nativeId: "a" },
        { id: "a", nativeId: "c" },
      ]),
    });
    expect(callIds(request)).toEqual(["a", "c"]);
    expect(resultIds(request)).toEqual(["a", "c"]);
    const swapped = await sent({
      messages: history([
        { id: "a", nativeId: "n" },
        { id: "n", nativeId: "n" },
      ]),
    });
    expect(new Set(callIds(swapped)).size).toBe(2);
    expect(resultIds(swapped)).toEqual(callIds(swapped));
  });
});

describe("data of one provider", () => {
  const message = (from?: Origin): AssistantMessage => ({
    role: "assistant",
    content: [
      { type: "thinking", text: "Hm.", providerData: "S" },
      { type: "native", data: { n: 1 }, opens: "s" },
      { type: "text", text: "Hi.", providerData: { t: 1 } },
      {
        type: "tool-call",
        id: "a",
        nativeId: "n",
        name: "read",
        inputText: "{}",
        providerData: "C",
      },
    ],
    resume: { token: 1 },
    ...(from && { from }),
  });
  const answer: Message = {
    role: "tool",
    content: [{ type: "tool-result", id: "a", name: "read", content: "x" }],
  };

  test("is sent back to it verbatim", async () => {
    const { messages } = await sent({ messages: [message(here), answer] });
    expect(messages[0]).toEqual({
      ...message(here),
      content: [...message().content.slice(0, 3), { ...message().content[3], id: "n" }],
    });
  });

  test.each([
    ["another provider", elsewhere],
    ["another protocol", { ...here, protocol: "other" }],
    ["another model", { ...here, model: "two" }],
    ["nobody in particular", undefined],
  ])("does not go on when %s wrote it", async (_, from) => {
    const [local] = (await sent({ messages: [message(from), answer] })).messages;
    expect(local).toMatchObject({
      role: "assistant",
      content: [
        { type: "text", text: "Hi." },
        { type: "tool-call", id: "a", name: "read", inputText: "{}" },
      ],
    });
    expect(JSON.stringify(local)).not.toMatch(/seal|native"|resume|Hm/);
  });

  test("leaves no empty message", async () => {
    const thought: Message = {
      role: "assistant",
      content: [{ type: "thinking", text: "Hm.", providerData: "S" }],
      from: elsewhere,
    };
    expect(
      (await sent({ messages: [{ role: "user", content: "Go." }, thought] })).messages,
    ).toEqual([{ role: "user", content: "Go." }]);
  });

  test("is sent without a result whose server call is missing, and without both if one comes twice", async () => {
    const natives = [
      { opens: "s" },
      { closes: "s" },
      { closes: "t" },
      { opens: "u" },
      { closes: "u" },
      { closes: "u" },
    ];
    const reply: AssistantMessage = {
      role: "assistant",
      content: [
        ...natives.map((pair, n) => ({ type: "native" as const, data: { n }, ...pair })),
        { type: "text", text: "Found." },
      ],
      from: here,
    };
    const { messages } = await sent({
      messages: [{ role: "user", content: "Go." }, reply, { role: "user", content: "More." }],
    });
    expect(messages[1]?.content).toEqual([
      ...reply.content.slice(0, 2),
      { type: "text", text: "Found." },
    ]);
  });

  test("a provider's own tools are sent only to it", async () => {
    const own = { provider: "acme", definition: { type: "bash" }, name: "bash" };
    const foreign = { provider: "other", definition: { type: "web" } };
    const spec = { name: "read", description: "Reads.", inputSchema: { type: "object" } };
    expect((await sent({ tools: [own, spec, foreign] })).tools).toEqual([own, spec]);
    expect(await sent({})).not.toHaveProperty("tools");
  });

  test("the caller's request is not changed", async () => {
    const request: TurnRequest = {
      system: "S",
      messages: [message(elsewhere), answer],
      tools: [],
      effort: "low",
      cache: "off",
      toolChoice: "none",
    };
    const before = structuredClone(request);
    expect(await sent(request)).toMatchObject({
      system: "S",
      effort: "low",
      cache: "off",
      toolChoice: "none",
    });
    expect(request).toEqual(before);
  });
});
