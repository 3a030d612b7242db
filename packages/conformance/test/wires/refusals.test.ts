import { expect, test } from "vitest";
import { anthropicWire } from "../../src/wires/anthropic/index.ts";
import { testViolations } from "./messages.ts";

const tools = [{ name: "read", description: "Reads.", input_schema: { type: "object" } }];
const user = (...content: readonly object[]): object => ({ role: "user", content });
const assistant = (...content: readonly object[]): object => ({ role: "assistant", content });
const text = (said: string): object => ({ type: "text", text: said });
const use = (id: string): object => ({ type: "tool_use", id, name: "read", input: {} });
const result = (id: string, rest: object = {}): object => ({
  type: "tool_result",
  tool_use_id: id,
  content: "done",
  ...rest,
});
const thinking = { type: "thinking", thinking: "Hm.", signature: "sig" };
const server = (id: string): object => ({
  type: "server_tool_use",
  id,
  name: "web_search",
  input: {},
});
const found = (id: string): object => ({
  type: "web_search_tool_result",
  tool_use_id: id,
  content: [],
});
const body = (messages: readonly object[], rest: object = {}): object => ({
  model: "claude-sonnet-5-5",
  max_tokens: 10,
  tools,
  messages,
  ...rest,
});
const hi = user(text("Hi."));

const valid: Readonly<Record<string, object>> = {
  "a question": body([hi]),
  "a question as plain text, without tools": body([{ role: "user", content: "Hi." }], {
    tools: undefined,
  }),
  "a call with its result and a note behind it": body([
    hi,
    assistant(thinking, use("a")),
    user(result("a"), text("And?")),
  ]),
  "a note in a message of its own behind the result": body([
    hi,
    assistant(use("a")),
    user(result("a")),
    user(text("And?")),
  ]),
  "a paused turn sent back": body([hi, assistant(server("s"))]),
  "a server call that is answered by the next reply": body([
    hi,
    assistant(server("s"), use("a")),
    user(result("a")),
    assistant(found("s"), text("Yes.")),
    hi,
  ]),
};
const invalid: Readonly<Record<string, readonly [request: unknown, violation: string]>> = {
  "no body": [undefined, "the body is not a JSON object"],
  "no model": [body([hi], { model: "" }), "model: field required"],
  "no cap": [body([hi], { max_tokens: undefined }), "max_tokens"],
  "no message": [body([]), "at least one message"],
  "empty text": [body([user(text(""))]), "text content blocks must be non-empty"],
  "an empty message": [body([user()]), "non-empty content"],
  "an empty system text": [
    body([hi], { system: [text("")] }),
    "system: text content blocks must be non-empty",
  ],
  "an empty string as the system": [body([hi], { system: "" }), "in place of no system"],
  "an empty message text": [
    body([{ role: "user", content: "" }]),
    "text content blocks must be non-empty",
  ],
  "a strange role": [body([hi, { role: "tool", content: "x" }]), "unexpected role tool"],
  "an assistant first": [
    body([assistant(text("Hi.")), hi]),
    "the first message must use the user role",
  ],
  "a prefilled answer": [body([hi, assistant(text("So"))]), "prefill"],
  "a call without its result": [
    body([hi, assistant(use("a")), hi]),
    "without `tool_result` blocks immediately after: a",
  ],
  "a call without its result at the end": [body([hi, assistant(use("a"))]), "prefill"],
  "a paused turn with an open call": [
    body([hi, assistant(server("s"), use("a"))]),
    "without results at the end: a",
  ],
  "a result without its call": [
    body([hi, assistant(text("x")), user(result("a"))]),
    "unexpected `tool_use_id`",
  ],
  "a result too late": [
    body([hi, assistant(use("a")), user(text("x")), assistant(text("y")), user(result("a"))]),
    "immediately after: a",
  ],
  "text before a result": [
    body([hi, assistant(use("a")), user(text("x"), result("a"))]),
    "must come first",
  ],
  "two results of one call": [
    body([hi, assistant(use("a")), user(result("a"), result("a"))]),
    "a single result",
  ],
  "an id twice": [
    body([hi, assistant(use("a")), user(result("a")), assistant(use("a")), user(result("a"))]),
    "ids must be unique",
  ],
  "an id with a dot": [body([hi, assistant(use("a.b")), user(result("a.b"))]), "the id must match"],
  "an id of 65 characters": [
    body([hi, assistant(use("a".repeat(65))), user(result("a".repeat(65)))]),
    "more than 64 characters",
  ],
  "an input that is no object": [
    body([hi, assistant({ ...use("a"), input: "{}" }), user(result("a"))]),
    "the input must be an object",
  ],
  "thinking last": [
    body([hi, assistant(text("x"), thinking), hi]),
    "the final block in an assistant message cannot be `thinking`",
  ],
  "thinking unsigned": [
    body([hi, assistant({ type: "thinking", thinking: "Hm." }, text("x")), hi]),
    "without its signature",
  ],
  "a picture in a failed result": [
    body([
      hi,
      assistant(use("a")),
      user(result("a", { is_error: true, content: [{ type: "image" }] })),
    ]),
    "text only",
  ],
  "a history of calls without tools": [
    body([hi, assistant(use("a")), user(result("a"))], { tools: undefined }),
    "must define tools",
  ],
  "a choice without tools": [
    body([hi], { tools: undefined, tool_choice: { type: "none" } }),
    "tool_choice",
  ],
  "a choice of a tool that is not there": [
    body([hi], { tool_choice: { type: "tool", name: "x" } }),
    "not among the tools",
  ],
  "two tools of one name": [body([hi], { tools: [...tools, ...tools] }), "unique"],
  "a tool without a schema": [body([hi], { tools: [{ name: "read" }] }), "input_schema"],
  "five cache marks": [
    body([
      user(
        ...Array.from({ length: 5 }, () => ({
          ...text("x"),
          cache_control: { type: "ephemeral" },
        })),
      ),
    ]),
    "a maximum of 4",
  ],
  "a server call without its result": [
    body([hi, assistant(server("s"), text("x")), hi, assistant(text("y")), hi]),
    "the server call s has no result",
  ],
  "a server result without its call": [
    body([hi, assistant(found("s"), text("x")), hi]),
    "has no server call",
  ],
  "a note behind a deferred server call": [
    body([hi, assistant(server("s"), use("a")), user(result("a"), text("And?"))]),
    "only `tool_result` blocks may follow",
  ],
};
testViolations(anthropicWire, valid, invalid);

test("an empty system string is a should: public errors are about blocks", () => {
  const levels = (system: unknown): readonly (string | undefined)[] =>
    anthropicWire.violations(body([hi], { system })).map(({ level = "must" }) => level);
  expect(levels("")).toEqual(["should"]);
  expect(levels([text("")])).toEqual(["must"]);
});

test("only Claude 4.6 and later refuse a prefilled answer", () => {
  const found = (model: string): readonly (string | undefined)[] =>
    anthropicWire
      .violations(body([hi, assistant(text("So"))], { model }))
      .map(({ level = "must" }) => level);
  expect(found("claude-sonnet-4-5-20250929")).toEqual([]);
  expect(found("claude-3-7-sonnet-latest")).toEqual([]);
  expect(found("claude-sonnet-4-20250514")).toEqual([]);
  expect(found("us.anthropic.claude-opus-4-6-v1")).toEqual(["must"]);
  expect(found("claude-sonnet-5-5")).toEqual(["must"]);
  expect(found("claude-haiku-5")).toEqual(["must"]);
  expect(found("my-proxy-model")).toEqual(["should"]);
});
