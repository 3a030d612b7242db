import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { chunks, jsonAnswer, render } from "../../src/harness/bytes.ts";
import { inProcess } from "../../src/harness/host.ts";
import { tryParseJson } from "../../src/harness/json.ts";
import { allRepliesFor } from "../../src/harness/scenarios.ts";
import { openaiChatWire as wire } from "../../src/wires/openai-chat/index.ts";
import { sdkOptions } from "../sdk-options.ts";
import { messagesOf } from "./messages.ts";

const ask = {
  model: "gpt-5.2",
  messages: [{ role: "user", content: "Go." }],
} satisfies OpenAI.ChatCompletionCreateParams;
const replies = allRepliesFor(wire);

const client = (host = inProcess()) => ({ host, sdk: new OpenAI(sdkOptions(host)) });
/** What the SDK read, as the reply would say it. */
const blocks = ({
  content,
  tool_calls: calls = [],
}: OpenAI.ChatCompletionMessage): readonly unknown[] => [
  ...(content ? [{ text: content }] : []),
  ...calls.map((call) =>
    call.type === "function"
      ? {
          name: call.function.name,
          id: call.id,
          input: call.function.arguments === "" ? {} : tryParseJson(call.function.arguments),
        }
      : call,
  ),
];

describe("the official SDK accepts the replies of the wire", () => {
  test.for(replies)("$name, streamed", async ({ reply }) => {
    const { host, sdk } = client();
    host.answer({ chunks: chunks(render(wire, wire.frames(reply)).bytes, 64) });
    const stream = sdk.chat.completions.stream({ ...ask, stream_options: { include_usage: true } });
    const completion = await stream
      .finalChatCompletion()
      .catch((thrown: unknown) => refused(thrown, reply.stop));
    if (completion === undefined) return;
    const [choice] = completion.choices;
    expect(blocks(choice?.message as OpenAI.ChatCompletionMessage)).toEqual(reply.blocks);
    expect(choice?.finish_reason).toBe(reply.stop);
    expect(completion.usage?.completion_tokens).toBe(reply.output);
  });

  test.for(replies)("$name, whole", async ({ reply }) => {
    const { host, sdk } = client();
    host.answer(jsonAnswer(wire.whole?.(reply) ?? ""));
    const completion = await sdk.chat.completions.create(ask);
    const [choice] = completion.choices;
    expect(blocks(choice?.message as OpenAI.ChatCompletionMessage)).toEqual(reply.blocks);
    expect(choice?.finish_reason).toBe(reply.stop);
    expect(completion.usage?.completion_tokens).toBe(reply.output);
  });

  test("an error inside a reply is the SDK's own error", async () => {
    const { host, sdk } = client();
    host.answer({
      chunks: [render(wire, { upToTerminal: [wire.errors?.[0]?.frame ?? ""] }).bytes],
    });
    await expect(sdk.chat.completions.stream(ask).finalChatCompletion()).rejects.toThrow(
      "The server had an error",
    );
  });
});

/** The SDK's helper throws for replies that were cut or filtered; it read their end, then. */
function refused(thrown: unknown, stop: string): undefined {
  expect(["length", "content_filter"]).toContain(stop);
  expect(String(thrown)).toMatch(/length limit|content filter/);
}

describe("the rules of a request", () => {
  const user = { role: "user", content: "Go." };
  const calling = (...ids: readonly string[]) => ({
    role: "assistant",
    content: null,
    tool_calls: ids.map((id) => ({
      id,
      type: "function",
      function: { name: "read", arguments: "{}" },
    })),
  });
  const result = (id: string) => ({ role: "tool", tool_call_id: id, content: "ok" });
  const broken = (...messages: readonly object[]): string =>
    messagesOf(wire.violations({ model: "m", messages }));

  test("a valid request breaks no rule", () => {
    expect(broken(user, calling("a", "b"), result("a"), result("b"), user)).toBe("");
    expect(
      wire.violations({
        model: "m",
        messages: [user],
        stream: true,
        stream_options: { include_usage: true },
        max_tokens: 1,
      }),
    ).toEqual([]);
  });

  test.each([
    ["a call without its result", [user, calling("a"), user], "must be followed by tool messages"],
    [
      "a result apart from its call",
      [user, calling("a"), user, result("a")],
      "must be followed by tool messages",
    ],
    ["a result without a call", [user, result("a")], "must be a response to a preceding message"],
    [
      "a result of another call",
      [user, calling("a"), result("a"), result("b")],
      "is not among the calls before it",
    ],
    [
      "two results for one call",
      [user, calling("a"), result("a"), result("a")],
      "several results for one call",
    ],
    ["one id twice", [user, calling("a", "a"), result("a")], "duplicate tool call ids"],
    [
      "an id that is too long",
      [user, calling("a".repeat(41)), result("a".repeat(41))],
      "maximum length 40",
    ],
    [
      "no content and no calls",
      [user, { role: "assistant", content: null }],
      "expected content or tool_calls",
    ],
    [
      "an empty list of calls",
      [user, { ...calling(), content: "Hi." }],
      "tool_calls: [] is too short",
    ],
    [
      "arguments that are no object",
      [user, withArguments("[1]"), result("a")],
      "must be JSON of an object",
    ],
    ["empty arguments", [user, withArguments(""), result("a")], "must be JSON of an object"],
    [
      "an image in a result",
      [
        user,
        calling("a"),
        { ...result("a"), content: [{ type: "image_url", image_url: { url: "data:image/png;" } }] },
      ],
      "not allowed for the role tool",
    ],
    ["an unknown role", [{ role: "robot", content: "" }], "unexpected role robot"],
    ["no messages", [], "messages: [] is too short"],
  ])("%s", (_, messages, sentence) => {
    expect(broken(...messages)).toContain(sentence);
  });

  test.each([
    [{ tool_choice: "auto" }, "tool_choice is only allowed"],
    [{ parallel_tool_calls: false }, "parallel_tool_calls is only allowed"],
    [{ max_tokens: 1, max_completion_tokens: 1 }, "cannot be used together"],
    [{ max_tokens: 0 }, "at least 1"],
    [{ stream_options: {} }, "stream_options is only allowed"],
    [{ tools: [{ type: "function", function: { name: "a b" } }] }, "must match"],
    [{ tools: [] }, "tools: [] is too short"],
    [
      {
        tools: [{ type: "function", function: { name: "a" } }],
        tool_choice: { type: "function", function: { name: "b" } },
      },
      "b is not among the tools",
    ],
  ])("%o", (more, sentence) => {
    expect(messagesOf(wire.violations({ model: "m", messages: [user], ...more }))).toContain(
      sentence,
    );
  });
});

function withArguments(written: string): object {
  return {
    role: "assistant",
    content: null,
    tool_calls: [{ id: "a", type: "function", function: { name: "read", arguments: written } }],
  };
}
