import { empty, note, type TranscriptCase, user } from "./case.ts";

const chat = (id: string, input = "{}", name = "read") => ({
  role: "assistant",
  content: null,
  tool_calls: [{ id, type: "function", function: { name, arguments: input } }],
});
const chatResult = (id: string) => ({ role: "tool", tool_call_id: id, content: "ok" });
const chatTools = [
  { type: "function", function: { name: "read", parameters: { required: ["path"] } } },
];
const item = (call_id: string, input = "{}", name = "read") => ({
  type: "function_call",
  call_id,
  name,
  arguments: input,
});
const output = (call_id: string) => ({ type: "function_call_output", call_id, output: "ok" });
const reasoning = { type: "reasoning", id: "rs_1", summary: [] };
export const chatCases: readonly TranscriptCase[] = [
  { is: "sound", transcript: [user, chat("a"), chatResult("a")], finds: empty },
  {
    is: "an id that returns in a later message",
    transcript: [chat("a"), chatResult("a"), chat("a"), chatResult("a")],
    finds: empty,
  },
  {
    is: "an empty reply, which OpenAI accepts",
    transcript: [chat("a"), chatResult("a"), { role: "assistant", content: "" }],
    finds: empty,
  },
  {
    is: "results in another order",
    transcript: [
      { ...chat("a"), tool_calls: [...chat("a").tool_calls, ...chat("b").tool_calls] },
      chatResult("b"),
      chatResult("a"),
    ],
    finds: empty,
  },
  {
    is: "a call without a result",
    transcript: [{ role: "system", content: "" }, chat("a"), user],
    finds: [["call-without-result", 1, "a"]],
  },
  {
    is: "a result without a call",
    transcript: [user, chatResult("a")],
    finds: [["result-without-call", 1, "a"]],
  },
  {
    is: "an id twice in a message, and so a result twice",
    transcript: [
      { ...chat("a"), tool_calls: [...chat("a").tool_calls, ...chat("a").tool_calls] },
      chatResult("a"),
      chatResult("a"),
    ],
    finds: [
      ["duplicate-call-id", 0, "a"],
      ["result-without-call", 2, "a"],
    ],
  },
  {
    is: "no name",
    transcript: [chat("a", "{}", ""), chatResult("a")],
    finds: [["call-without-name", 0, "a"]],
  },
  {
    is: "a cut input",
    transcript: [chat("a", '{"path":"x'), chatResult("a")],
    finds: [["cut-input", 0, "a"]],
  },
  {
    is: "an empty input",
    transcript: { tools: chatTools, messages: [chat("a", ""), chatResult("a")] },
    finds: [["empty-input", 0, "a"]],
  },
  {
    is: "an empty input of an unknown tool",
    transcript: [chat("a", ""), chatResult("a")],
    finds: empty,
  },
  {
    is: "a denied call",
    transcript: [chat("a"), { role: "user", content: note }],
    finds: [
      ["call-without-result", 0, "a"],
      ["denied-call", 0, "a"],
    ],
  },
];

export const responsesCases: readonly TranscriptCase[] = [
  { is: "sound", transcript: { input: [user, reasoning, item("a"), output("a")] }, finds: empty },
  { is: "a text", transcript: { input: "Go." }, finds: empty },
  {
    is: "an output after a later call",
    transcript: [item("a"), user, item("b"), output("b"), output("a")],
    finds: empty,
  },
  {
    is: "an output of a call that the API keeps",
    transcript: { previous_response_id: "r", input: [output("a")] },
    finds: empty,
  },
  {
    is: "a call without a result",
    transcript: [user, item("a"), user],
    finds: [["call-without-result", 1, "a"]],
  },
  {
    is: "a result without a call",
    transcript: [user, output("a")],
    finds: [["result-without-call", 1, "a"]],
  },
  {
    is: "an output before its call",
    transcript: [output("a"), item("a"), output("a")],
    finds: [["result-without-call", 0, "a"]],
  },
  {
    is: "an id twice",
    transcript: [item("a"), output("a"), item("a"), output("a")],
    finds: [["duplicate-call-id", 2, "a"]],
  },
  {
    is: "no name",
    transcript: [item("a", "{}", ""), output("a")],
    finds: [["call-without-name", 0, "a"]],
  },
  { is: "a cut input", transcript: [item("a", '{"'), output("a")], finds: [["cut-input", 0, "a"]] },
  {
    is: "an empty input",
    transcript: {
      tools: [{ type: "function", name: "read", parameters: { required: ["path"] } }],
      input: [item("a"), output("a")],
    },
    finds: [["empty-input", 0, "a"]],
  },
  {
    is: "reasoning without its call",
    transcript: [user, reasoning, output("a"), item("b"), output("b")],
    finds: [
      ["detached-reasoning", 1, "rs_1"],
      ["result-without-call", 2, "a"],
    ],
  },
  {
    is: "a denied call",
    transcript: [item("a"), { role: "user", content: note }],
    finds: [
      ["call-without-result", 0, "a"],
      ["denied-call", 0, "a"],
    ],
  },
];
