import { empty, note, type TranscriptCase, user } from "./case.ts";

const claude = (id: string, input: unknown = {}, name = "read") => ({
  role: "assistant",
  content: [{ type: "tool_use", id, name, input }],
});
const claudeResult = (id: string, more: object = {}) => ({
  role: "user",
  content: [{ type: "tool_result", tool_use_id: id, content: "ok", ...more }],
});
const claudeTools = [{ name: "read", input_schema: { type: "object", required: ["path"] } }];
const thinking = (signature?: string) => ({ type: "thinking", thinking: "Hm.", signature });
const gem = (name: string, more: object = {}) => ({ functionCall: { name, args: {} }, ...more });
const gemResult = (name: string) => ({ functionResponse: { name, response: { output: 1 } } });
const model = (...parts: readonly object[]) => ({ role: "model", parts });
const person = (...parts: readonly object[]) => ({ role: "user", parts });
const go = person({ text: "Go." });
export const anthropicCases: readonly TranscriptCase[] = [
  { is: "sound", transcript: [user, claude("a"), claudeResult("a")], finds: empty },
  {
    is: "neighbours of one role",
    transcript: [user, claude("a"), claude("b"), claudeResult("b"), claudeResult("a")],
    finds: empty,
  },
  {
    is: "an empty last message",
    transcript: [claude("a"), claudeResult("a"), { role: "assistant", content: [] }],
    finds: empty,
  },
  {
    is: "a call without a result",
    transcript: [user, claude("a"), user],
    finds: [["call-without-result", 1, "a"]],
  },
  {
    is: "a result without a call",
    transcript: [claudeResult("a")],
    finds: [["result-without-call", 0, "a"]],
  },
  {
    is: "an id twice",
    transcript: [claude("a"), claudeResult("a"), claude("a"), claudeResult("a")],
    finds: [["duplicate-call-id", 2, "a"]],
  },
  {
    is: "no name",
    transcript: [claude("a", {}, ""), claudeResult("a")],
    finds: [["call-without-name", 0, "a"]],
  },
  {
    is: "an empty message",
    transcript: [claude("a"), claudeResult("a"), { role: "assistant", content: [] }, user],
    finds: [["empty-message", 2]],
  },
  {
    is: "a cut input",
    transcript: [claude("a", '{"path":'), claudeResult("a")],
    finds: [["cut-input", 0, "a"]],
  },
  {
    is: "an empty input",
    transcript: { tools: claudeTools, messages: [claude("a"), claudeResult("a")] },
    finds: [["empty-input", 0, "a"]],
  },
  {
    is: "an empty input that failed",
    transcript: {
      tools: claudeTools,
      messages: [claude("a"), claudeResult("a", { is_error: true })],
    },
    finds: empty,
  },
  {
    is: "unsigned thinking",
    transcript: [
      { role: "assistant", content: [thinking(), ...claude("a").content] },
      claudeResult("a"),
    ],
    finds: [["detached-reasoning", 0]],
  },
  {
    is: "thinking without its call",
    transcript: [user, { role: "assistant", content: [thinking("s")] }, user],
    finds: [["detached-reasoning", 1]],
  },
  {
    is: "signed thinking",
    transcript: [
      { role: "assistant", content: [thinking("s"), ...claude("a").content] },
      claudeResult("a"),
    ],
    finds: empty,
  },
  {
    is: "a denied call",
    transcript: [claude("a"), { role: "user", content: note }],
    finds: [
      ["call-without-result", 0, "a"],
      ["denied-call", 0, "a"],
    ],
  },
];

export const geminiCases: readonly TranscriptCase[] = [
  {
    is: "sound",
    transcript: {
      contents: [go, model(gem("a"), gem("a")), person(gemResult("a"), gemResult("a"))],
    },
    finds: empty,
  },
  {
    is: "the spelling of the proto files",
    transcript: [
      go,
      model({ function_call: { name: "a" } }),
      person({ function_response: { name: "a", response: {} } }),
    ],
    finds: empty,
  },
  {
    is: "a reply in several contents",
    transcript: [go, model(gem("a")), model(gem("b")), person(gemResult("b"), gemResult("a"))],
    finds: empty,
  },
  {
    is: "a response to cached contents",
    transcript: { cachedContent: "c", contents: [person(gemResult("a"))] },
    finds: empty,
  },
  {
    is: "a call without a result",
    transcript: [go, model(gem("a"), gem("b")), person(gemResult("b"))],
    finds: [["call-without-result", 1, "a"]],
  },
  {
    is: "a result without a call",
    transcript: [go, person(gemResult("a"))],
    finds: [["result-without-call", 1, "a"]],
  },
  { is: "an empty message", transcript: [go, model(), go], finds: [["empty-message", 1]] },
  {
    is: "an empty input",
    transcript: {
      tools: [
        { functionDeclarations: [{ name: "a", parametersJsonSchema: { required: ["path"] } }] },
      ],
      contents: [go, model(gem("a")), person(gemResult("a"))],
    },
    finds: [["empty-input", 1, "a"]],
  },
  {
    is: "a lost signature",
    transcript: [
      go,
      model(gem("a", { thoughtSignature: "s" })),
      person(gemResult("a")),
      model(gem("b")),
      person(gemResult("b")),
    ],
    finds: [["detached-reasoning", 3, "b"]],
  },
  {
    is: "a model without signatures",
    transcript: [
      go,
      model(gem("a")),
      person(gemResult("a")),
      model(gem("b")),
      person(gemResult("b")),
    ],
    finds: empty,
  },
  {
    is: "a denied call",
    transcript: [model(gem("read")), person({ text: note })],
    finds: [
      ["call-without-result", 0, "read"],
      ["denied-call", 0, "read"],
    ],
  },
];
