import { finishedCalls } from "@fullstop/langchain";
import { AIMessage } from "@langchain/core/messages";
import { customTool } from "@langchain/openai";
import { type AgentMiddleware, createAgent, createMiddleware, initChatModel } from "langchain";
import { expect, test } from "vitest";
import { speakers } from "./subjects.ts";
import { ask, provider, writes } from "./world.ts";

const { claude, chat, responses } = speakers;
const finished = { blocks: [writes("a"), writes("b", "call_2")], stop: "tool_use", output: 40 };

type Call = NonNullable<AIMessage["tool_calls"]>[number];
/** A middleware between `finishedCalls()` and the model that changes the calls of each message. */
const changing = (change: (calls: readonly Call[]) => readonly Call[]): AgentMiddleware =>
  createMiddleware({
    name: "changing",
    async wrapModelCall(request, handler) {
      const { content, tool_calls = [] } = (await handler(request)) as AIMessage;
      return new AIMessage({ content, tool_calls: [...change(tool_calls)] });
    },
  });

test.each<[string, (calls: readonly Call[]) => readonly Call[]]>([
  ["another input", ([one, ...rest]) => [{ ...one, args: { path: "c" } } as Call, ...rest]],
  ["another id", ([one, ...rest]) => [{ ...one, id: "call_3" } as Call, ...rest]],
  ["another name", ([one, ...rest]) => [{ ...one, name: "clear", args: {} } as Call, ...rest]],
  ["a call twice", (calls) => [...calls, ...calls.slice(0, 1)]],
  ["a call less", (calls) => calls.slice(1)],
])("a message whose calls were changed runs nothing: %s", async (_, change) => {
  const { url } = await provider(claude.wire, [finished]);
  const asking = ask(claude.model(url), { middleware: [finishedCalls(), changing(change)] });
  await expect(asking).rejects.toThrow("are not those that finishedCalls() saw");
});

test("the order of calls, and of the keys of an input, does not matter", async () => {
  const { url } = await provider(claude.wire, [finished]);
  const middleware = [finishedCalls(), changing((calls) => calls.toReversed())];
  expect((await ask(claude.model(url), { middleware })).ran).toEqual(["b", "a"]);
});

test.each(
  Object.entries({ claude, chat, responses }).flatMap(([name, speaker]) => [
    { name, speaker, isStreamed: true },
    { name, speaker, isStreamed: false },
  ]),
)("two calls with one id run: $name, streamed: $isStreamed", async ({ speaker, isStreamed }) => {
  const { wire, model } = speaker;
  const stop = wire.nativeStops["tool-use"] ?? wire.nativeStops.stop ?? "";
  const { url } = await provider(wire, [{ blocks: [writes("a"), writes("b")], stop, output: 40 }]);
  const middleware = [finishedCalls()];
  expect((await ask(model(url), { middleware, isStreamed })).ran).toEqual(["a", "b"]);
});

test("a cut call of a second model, which is not guarded, does not run", async () => {
  const cut = { blocks: [writes("ab", "call_9")], stop: "max_tokens", output: 1024 };
  const { url } = await provider(claude.wire, [finished]);
  const other = await provider(claude.wire, [cut]);
  const both = createMiddleware({
    name: "both",
    async wrapModelCall(request, handler) {
      await handler(request);
      return handler({ ...request, model: claude.model(other.url) });
    },
  });
  const asking = ask(claude.model(url), { middleware: [finishedCalls(), both] });
  await expect(asking).rejects.toThrow("are not those that finishedCalls() saw: write");
});

test("a finished call of a custom tool, whose input is text, runs", async () => {
  const ran: string[] = [];
  const patch = customTool(
    async (input) => {
      ran.push(String(input));
      return "Patched.";
    },
    { name: "patch", description: "Patch a file.", format: { type: "text" } },
  );
  const block = { name: "patch", id: "call_1", input: {}, inputText: "+ one line" };
  const reply = { blocks: [block], stop: "completed", output: 9 };
  const { url } = await provider(responses.wire, [reply]);
  const agent = createAgent({
    model: responses.model(url),
    tools: [patch],
    middleware: [finishedCalls()],
  });
  await agent.invoke({ messages: [{ role: "user", content: "Patch." }] });
  expect(ran).toEqual(["+ one line"]);
});

test("the model that `configurable` names is asked, and guarded", async () => {
  const cut = { blocks: [writes("a")], stop: "length", output: 1024 };
  const first = await provider(claude.wire, [finished]);
  const second = await provider(chat.wire, [cut]);
  const model = await initChatModel("anthropic:claude-sonnet-4-5", {
    apiKey: "key",
    anthropicApiUrl: first.url,
    maxTokens: 1024,
    configurableFields: ["model", "modelProvider", "configuration"],
  });
  const configurable = {
    model: "gpt-5.2",
    modelProvider: "openai",
    configuration: { baseURL: second.url },
  };
  const agent = createAgent({ model, tools: [], middleware: [finishedCalls()] });
  const question = { messages: [{ role: "user", content: "Write." }] };
  const { messages } = await agent.invoke(question, { configurable });
  expect(messages.at(-1)?.text).toContain("The guard held back write");
  expect(first.requests).toHaveLength(0);
  expect(second.requests).toHaveLength(1);
  const bound = model.withConfig({ configurable });
  const other = createAgent({ model: bound, tools: [], middleware: [finishedCalls()] });
  await other.invoke(question);
  expect(first.requests).toHaveLength(0);
  expect(second.requests).toHaveLength(2);
});
