import { interactionsWire } from "@fullstop/conformance/wires/gemini-interactions";
import {
  type AssistantMessage,
  type Message,
  readTurn,
  type TurnRequest,
  validateHistory,
} from "@fullstop/core";
import type { InteractionsOptions } from "@fullstop/provider-google";
import {
  calls,
  contentsWith,
  expectNoViolations,
  historiesOf,
  texts,
} from "@tooling/test/histories";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { reply, said, serveInteractions } from "./interactions-server.ts";

const user: Message = { role: "user", content: "Go." };
const from = { provider: "google", protocol: "gemini-interactions", model: "gemini-3.8-flash" };

interface Sending extends Partial<TurnRequest> {
  readonly options?: InteractionsOptions;
  readonly model?: string;
}
async function sent({ options, model, ...request }: Sending) {
  const server = await serveInteractions(reply("completed", said("Yes.")));
  await readTurn(server.adapter(options, model), { messages: [user], ...request });
  const [body] = server.bodies();
  expect(interactionsWire.violations(body)).toEqual([]);
  return body;
}
const inputOf = async (messages: readonly Message[], model?: string) =>
  (await sent({ messages, ...(model !== undefined && { model }) })).input;

const assistant = (...content: AssistantMessage["content"]): AssistantMessage => ({
  role: "assistant",
  from,
  content,
});
const call = (id: string, more: object = {}): AssistantMessage["content"][number] => ({
  type: "tool-call",
  id,
  name: "read",
  inputText: '{"path":"a"}',
  ...more,
});
const answer = (...ids: readonly string[]): Message => ({
  role: "tool",
  content: ids.map((id) => ({ type: "tool-result", id, name: "read", content: `of ${id}` })),
});
const go = { type: "user_input", content: [{ type: "text", text: "Go." }] };
const sentCall = (id: string) => ({
  type: "function_call",
  id,
  name: "read",
  arguments: { path: "a" },
});
const result = (id: string) => ({
  type: "function_result",
  call_id: id,
  name: "read",
  result: `of ${id}`,
});
const standIn = { type: "thought", signature: "skip_thought_signature_validator" };

describe("a request", () => {
  test("has the cap of the request, of the option, or a default", async () => {
    const cap = async (asked: Sending) => (await sent(asked)).generation_config.max_output_tokens;
    expect(await cap({ maxTokens: 7 })).toBe(7);
    expect(await cap({ options: { maxTokens: { default: 100 } } })).toBe(100);
    expect(await cap({})).toBe(32_000);
  });

  test("has the parameters of the factory, and those of the request win", async () => {
    const params = {
      generation_config: { temperature: 0, thinking_level: "low", thinking_summaries: "auto" },
      labels: { team: "docs" },
      service_tier: "flex",
      response_format: { type: "text" },
    } as const;
    const output = { schema: { properties: { a: { type: "string" } } } };
    const body = await sent({ options: { params }, effort: "high", output, system: "Be brief." });
    expect(body).toMatchObject({
      labels: { team: "docs" },
      service_tier: "flex",
      system_instruction: "Be brief.",
      generation_config: { temperature: 0, thinking_level: "high", thinking_summaries: "auto" },
      response_format: {
        type: "text",
        mime_type: "application/json",
        schema: { type: "object", ...output.schema },
      },
    });
  });

  test("has no level of thinking for a model with budgets", async () => {
    const levelOf = async (model: string) =>
      (await sent({ model, effort: "medium" })).generation_config.thinking_level;
    expect(await levelOf("gemini-2.5-pro")).toBeUndefined();
    expect(await levelOf("gemini-3-pro")).toBe("high");
    expect(await levelOf("gemini-3.8-flash")).toBe("medium");
  });

  const read = { name: "read", description: "Reads.", inputSchema: { properties: {} } };
  test("offers tools, beside those of Google", async () => {
    const search = { provider: "google", definition: { type: "google_search" } };
    const others = { provider: "anthropic", definition: { type: "web_search_20250305" } };
    const run = { name: "run", description: "Runs.", inputSchema: "text" } as const;
    expect((await sent({ tools: [read, search, run, others] })).tools).toEqual([
      {
        type: "function",
        name: "read",
        description: "Reads.",
        parameters: { type: "object", properties: {} },
      },
      { type: "google_search" },
      {
        type: "function",
        name: "run",
        description: "Runs.",
        parameters: {
          type: "object",
          properties: { text: { type: "string" } },
          required: ["text"],
          additionalProperties: false,
        },
      },
    ]);
  });

  test.each([
    ["auto", "auto"],
    ["none", "none"],
    ["required", "any"],
    [{ name: "read" }, { allowed_tools: { mode: "any", tools: ["read"] } }],
  ] as const)("chooses tools: %j", async (toolChoice, expected) => {
    const config = async (tools: readonly (typeof read)[]) =>
      (await sent({ tools, toolChoice })).generation_config;
    expect((await config([read])).tool_choice).toEqual(expected);
    expect((await config([])).tool_choice).toBeUndefined();
  });
});

describe("a history", () => {
  test("is sent as steps: thoughts, texts, calls and results in their order", async () => {
    const messages = [
      user,
      assistant(
        { type: "thinking", text: "", providerData: "one" },
        { type: "text", text: "I read.", providerData: { annotations: [] } },
        { type: "thinking", text: "Hm.", providerData: "two" },
        call("a"),
        call("b", { providerData: "three" }),
      ),
      answer("a", "b"),
    ];
    expect(await inputOf(messages)).toEqual([
      go,
      { type: "thought", signature: "one" },
      { type: "model_output", content: [{ type: "text", text: "I read.", annotations: [] }] },
      { type: "thought", summary: [{ type: "text", text: "Hm." }], signature: "two" },
      sentCall("a"),
      { ...sentCall("b"), signature: "three" },
      result("a"),
      result("b"),
    ]);
  });

  test("of another provider or model gets the stand-in before its calls, and only there", async () => {
    for (const origin of [
      { ...from, provider: "anthropic" },
      { ...from, model: "gemini-3.1-pro" },
      { ...from, protocol: "gemini-generate-content" },
    ]) {
      const others = {
        ...assistant(
          { type: "thinking", text: "Hm.", providerData: "x" },
          { type: "text", text: "I read." },
          call("a"),
        ),
        from: origin,
      };
      const done = { ...assistant({ type: "text", text: "Done." }), from: origin };
      expect(await inputOf([user, others, answer("a"), done, user])).toEqual([
        go,
        standIn,
        { type: "model_output", content: [{ type: "text", text: "I read." }] },
        sentCall("a"),
        result("a"),
        { type: "model_output", content: [{ type: "text", text: "Done." }] },
        go,
      ]);
    }
  });

  test("for a model before Gemini 3 has no stand-in", async () => {
    expect(
      await inputOf(
        [user, { role: "assistant", content: [call("a")] }, answer("a")],
        "gemini-2.5-pro",
      ),
    ).toEqual([go, sentCall("a"), result("a")]);
  });

  test("begins and ends with the user", async () => {
    const text = assistant({ type: "text", text: "Hello." });
    const hello = { type: "model_output", content: [{ type: "text", text: "Hello." }] };
    const input = await inputOf([text, user, text]);
    expect(input[0]).toMatchObject({ type: "user_input" });
    expect(input.slice(1, 4)).toEqual([hello, go, hello]);
    expect(input[4]).toMatchObject({ type: "user_input" });
  });

  test("has media as content, and says what it leaves out", async () => {
    const note = { type: "file", mediaType: "text/plain", data: btoa("A note.") } as const;
    const picture = { type: "image", mediaType: "image/png", data: "AAAA" } as const;
    const paper = { type: "file", mediaType: "application/pdf", data: "QQ==" } as const;
    const link = { type: "image", url: "https://files.example/a.png" } as const;
    const looked: Message = {
      role: "tool",
      content: [
        {
          type: "tool-result",
          id: "a",
          name: "read",
          content: [picture, { type: "file", mediaType: "video/mp4", data: "QQ==" }],
          isError: true,
        },
      ],
    };
    const input = await inputOf([
      { role: "user", content: [note, picture, paper, link] },
      assistant({ type: "thinking", text: "", providerData: "s" }, call("a")),
      looked,
    ]);
    expect(input[0].content).toEqual([
      { type: "text", text: "A note." },
      { type: "image", mime_type: "image/png", data: "AAAA" },
      { type: "document", mime_type: "application/pdf", data: "QQ==" },
      { type: "image", uri: "https://files.example/a.png" },
    ]);
    expect(input.at(-1)).toEqual({
      type: "function_result",
      call_id: "a",
      name: "read",
      is_error: true,
      result: [
        {
          type: "text",
          text: "[The file without a name of type video/mp4 is left out here: it cannot be sent to this model.]",
        },
        { type: "image", mime_type: "image/png", data: "AAAA" },
      ],
    });
  });

  test("that ends in a pause is sent without the reply so far, with its token", async () => {
    const paused: AssistantMessage = {
      ...assistant({ type: "text", text: "So far" }),
      stopReason: "pause",
      resume: "dG9r",
    };
    const body = await sent({ messages: [user, paused] });
    expect([body.input, body.continuation_token, body.store]).toEqual([[go], "dG9r", false]);
  });
});

const providerData = fc.constantFrom("c2ln", "", null, undefined);
const thinking = fc.record({ type: fc.constant("thinking" as const), text: texts, providerData });
const text = fc.record({ type: fc.constant("text" as const), text: texts, providerData });
const native = fc
  .constantFrom(
    { type: "thought", signature: "c2ln" },
    { type: "model_output", content: [{ type: "image", mime_type: "image/png", data: "AAAA" }] },
    { type: "google_search_call", id: "s", arguments: {} },
    { xLater: {} },
  )
  .map((data) => ({ type: "native", data }) as const);
const signedCall = fc
  .record({ call: calls, providerData })
  .map((signed) => ({ type: "signed-call", ...signed }) as const);
const histories = historiesOf({
  contents: contentsWith(),
  blocks: fc.oneof(thinking, text, native, signedCall),
  from: fc.constantFrom(from, { ...from, model: "gemini-2.5-pro" }, undefined),
  build: (block, count): AssistantMessage["content"] => {
    if (block.type !== "signed-call") return [block];
    return [{ ...block.call, id: `call_${count}`, providerData: block.providerData }];
  },
});

test("any valid history encodes to a request that the API's rules allow", async () => {
  const server = await serveInteractions(reply("completed", said("Yes.")));
  await expectNoViolations(histories, async (messages, tools) => {
    await readTurn(server.adapter(), { messages, tools });
    return [...validateHistory(messages), ...interactionsWire.violations(server.bodies().at(-1))];
  });
});
