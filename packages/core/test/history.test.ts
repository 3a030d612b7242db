import { runs } from "@tooling/test/property";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  appendMessage,
  type Flaw,
  type Message,
  repairHistory,
  type ToolCallBlock,
  type ToolResultBlock,
  validateHistory,
} from "../src/index.ts";

const user: Message = { role: "user", content: "Go." };
const call = (id: string, name = "read"): ToolCallBlock => ({
  type: "tool-call",
  id,
  name,
  inputText: "{}",
});
const asks = (...ids: readonly string[]): Message => ({
  role: "assistant",
  content: ids.map((id) => call(id)),
});
const says: Message = { role: "assistant", content: [{ type: "text", text: "Hi." }] };
const result = (id: string): ToolResultBlock => ({
  type: "tool-result",
  id,
  name: "read",
  content: `of ${id}`,
});
const answers = (...ids: readonly string[]): Message => ({
  role: "tool",
  content: ids.map(result),
});

const idsOf = (message: Message | undefined): readonly string[] =>
  [...(message?.content ?? [])].flatMap((block) =>
    typeof block === "object" && "id" in block ? [block.id] : [],
  );

const valid: readonly (readonly Message[])[] = [
  [],
  [user],
  [user, says, user, user],
  [user, asks("a"), answers("a"), says],
  [user, asks("a", "b"), answers("a", "b"), asks("c"), answers("c")],
];
const flawed: readonly (readonly [string, readonly Message[], readonly Flaw[]])[] = [
  [
    "a call at the end without its result",
    [user, asks("a")],
    [{ at: 1, rule: "call-without-result", id: "a" }],
  ],
  [
    "a call before a user's message",
    [asks("a"), user],
    [{ at: 0, rule: "call-without-result", id: "a" }],
  ],
  [
    "one of two calls unanswered",
    [asks("a", "b"), answers("b")],
    [{ at: 0, rule: "call-without-result", id: "a" }],
  ],
  [
    "a result without a call",
    [user, answers("a")],
    [{ at: 1, rule: "result-without-call", id: "a" }],
  ],
  [
    "one result too many",
    [asks("a"), answers("a", "b")],
    [{ at: 1, rule: "result-without-call", id: "b" }],
  ],
  [
    "a result given twice",
    [asks("a"), answers("a", "a")],
    [{ at: 1, rule: "result-without-call", id: "a" }],
  ],
  [
    "results in another order",
    [asks("a", "b"), answers("b", "a")],
    [{ at: 1, rule: "results-out-of-order" }],
  ],
  [
    "an id used again",
    [asks("a"), answers("a"), asks("a"), answers("a")],
    [{ at: 2, rule: "duplicate-call-id", id: "a" }],
  ],
  [
    "a call without a name",
    [{ role: "assistant", content: [call("a", " ")] }, answers("a")],
    [{ at: 0, rule: "call-without-name", id: "a" }],
  ],
  [
    "an assistant message without content",
    [{ role: "assistant", content: [] }],
    [{ at: 0, rule: "empty-message" }],
  ],
  [
    "a tool message without results",
    [{ role: "tool", content: [] }],
    [{ at: 0, rule: "empty-message" }],
  ],
];

describe("a history", () => {
  test.each(
    valid.map((messages) => [messages.map(({ role }) => role).join(", "), messages] as const),
  )("is valid: %s", (_, messages) => {
    expect(validateHistory(messages)).toEqual([]);
    const repair = repairHistory(messages);
    expect(repair.messages).toBe(messages);
    expect(repair.repaired).toEqual([]);
    const written: Message[] = [];
    for (const message of messages) appendMessage(written, message);
    expect(written).toEqual(messages);
  });

  test.each(flawed)("is not valid: %s", (_, messages, flaws) => {
    expect(validateHistory(messages)).toEqual(flaws);
    expect(repairHistory(messages).repaired).toEqual(flaws);
    expect(validateHistory(repairHistory(messages).messages)).toEqual([]);
  });
});

test.each([
  ["a text", "text", 0, "Invalid messages: expected an array."],
  ["nothing", undefined, 0, "Invalid messages: expected an array."],
  [
    "a list with another value",
    [{ role: "user", content: "Go." }, null],
    1,
    "Invalid messages: message 1 is not an object.",
  ],
])("%s is not a history, and a sentence says so", (_, value, at, sentence) => {
  const messages = value as readonly Message[];
  expect(validateHistory(messages)).toEqual([{ at, rule: "not-messages", sentence }]);
  expect(() => repairHistory(messages)).toThrow(TypeError);
});

describe("a history that is being written", () => {
  test.each(flawed.filter(([, , [flaw]]) => flaw?.rule !== "call-without-result"))(
    "refuses %s",
    (_, messages) => {
      const written: Message[] = [];
      const write = (): void => {
        for (const message of messages) appendMessage(written, message);
      };
      expect(write).toThrow(TypeError);
      expect(written).toEqual(messages.slice(0, written.length));
    },
  );

  test("requires the results of its calls first, and the error says so", () => {
    const written = [user, asks("a", "b")];
    for (const message of [
      user,
      says,
      asks("c"),
      answers("a"),
      answers("b", "a"),
      answers("a", "b", "c"),
      answers("a", "c"),
    ]) {
      expect(() => appendMessage(written, message)).toThrow(/expects results for \[a, b\]/);
    }
    expect(written).toHaveLength(2);
    appendMessage(written, answers("a", "b"));
    expect(validateHistory(written)).toEqual([]);
  });
});

describe("a repair", () => {
  test("gives a call without a result an error result that says so", () => {
    const { messages } = repairHistory([user, asks("a", "b"), answers("b"), user]);
    expect(messages).toMatchObject([
      user,
      asks("a", "b"),
      { role: "tool", content: [{ id: "a", name: "read", isError: true }, result("b")] },
      user,
    ]);
    expect(JSON.stringify(messages[2])).toMatch(/may or may not have run/);
  });

  test("keeps existing results unchanged", () => {
    const image = {
      type: "tool-result",
      id: "a",
      name: "read",
      content: [{ type: "text", text: "x" }],
      isError: true,
    } as const;
    const { messages } = repairHistory([
      asks("b"),
      asks("a"),
      { role: "tool", content: [image, result("z")] },
    ]);
    expect(messages[3]).toEqual({ role: "tool", content: [image] });
  });

  test("puts results into the order of their calls", () => {
    expect(repairHistory([asks("a", "b"), answers("b", "a")]).messages).toEqual([
      asks("a", "b"),
      answers("a", "b"),
    ]);
  });

  test("changes a repeated id in the call and in its result", () => {
    const { messages } = repairHistory([
      asks("a"),
      answers("a"),
      asks("a", "a_2"),
      answers("a", "a_2"),
    ]);
    expect(validateHistory(messages)).toEqual([]);
    expect(messages[3]).toMatchObject({ content: [{ content: "of a" }, { content: "of a_2" }] });
    expect(idsOf(messages[3])).toEqual(idsOf(messages[2]));
  });

  test("does not change its argument", () => {
    for (const [, messages] of flawed) {
      const before = structuredClone(messages);
      repairHistory(messages);
      expect(messages).toEqual(before);
    }
  });

  const id = fc.constantFrom("a", "b", "c", "a_2");
  const block = fc.oneof(
    fc.tuple(id, fc.constantFrom("read", "", " ")).map(([of, name]) => call(of, name)),
    fc.constant({ type: "text" as const, text: "Hi." }),
  );
  const message: fc.Arbitrary<Message> = fc.oneof(
    fc.constant(user),
    fc.array(block, { maxLength: 3 }).map((content): Message => ({ role: "assistant", content })),
    fc
      .array(id.map(result), { maxLength: 3 })
      .map((content): Message => ({ role: "tool", content })),
  );

  test("makes any history valid, and a second repair changes nothing", () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 8 }), (messages) => {
        const { messages: repaired, repaired: flaws } = repairHistory(messages);
        expect(validateHistory(repaired)).toEqual([]);
        expect(repairHistory(repaired).messages).toBe(repaired);
        expect(flaws).toEqual(validateHistory(messages));
        if (flaws.length === 0) expect(repaired).toBe(messages);
        const texts = (all: readonly Message[]): number =>
          all
            .flatMap(({ content }) => [...content])
            .filter((one) => typeof one === "object" && one.type === "text").length;
        expect(texts(repaired)).toBe(texts(messages));
      }),
      { numRuns: runs(2000) },
    );
  });

  test("a history is valid exactly if it can be written message by message", () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 5 }), (messages) => {
        const written: Message[] = [];
        let refused = false;
        for (const one of messages) {
          try {
            appendMessage(written, one);
          } catch {
            refused = true;
            break;
          }
        }
        const open = validateHistory(messages).filter(
          ({ at, rule }) => rule !== "call-without-result" || at < messages.length - 1,
        );
        expect(refused).toBe(open.length > 0);
      }),
      { numRuns: runs(2000) },
    );
  });
});

describe("results of calls", () => {
  test("a repair keeps a result that is in a later message", () => {
    const split = repairHistory([
      { role: "assistant", content: [call("a"), call("b")] },
      { role: "tool", content: [result("a")] },
      { role: "tool", content: [result("b")] },
    ]);
    expect(JSON.stringify(split.messages)).not.toMatch(/No result was recorded/);
    const between = repairHistory([
      { role: "assistant", content: [call("a")] },
      { role: "user", content: "Wait." },
      { role: "tool", content: [result("a")] },
    ]);
    expect(JSON.stringify(between.messages)).not.toMatch(/No result was recorded/);
  });
  test("results are compared one by one, not as a joined text", () => {
    const history: Message[] = [{ role: "assistant", content: [call("a"), call("b")] }];
    expect(() => appendMessage(history, { role: "tool", content: [result("a\nb")] })).toThrow(
      TypeError,
    );
    expect(() => appendMessage([], { role: "tool", content: [result("")] })).toThrow(TypeError);
  });
});
