import { empty, note, type TranscriptCase, user } from "./case.ts";

const own = (id: string, inputText = "{}", name = "read") => ({
  role: "assistant",
  content: [{ type: "tool-call", id, name, inputText }],
});
const ownResult = (...ids: readonly string[]) => ({
  role: "tool",
  content: ids.map((id) => ({ type: "tool-result", id, name: "read", content: "" })),
});
const sdk = (toolCallId: string, input: unknown = {}) => ({
  role: "assistant",
  content: [{ type: "tool-call", toolCallId, toolName: "read", input }],
});
const sdkResult = (toolCallId: string) => ({
  role: "tool",
  content: [
    { type: "tool-result", toolCallId, toolName: "read", output: { type: "text", value: "" } },
  ],
});
const ui = (state: string, more: object = {}) => ({
  id: "m",
  role: "assistant",
  parts: [{ type: "tool-read", toolCallId: "a", state, input: {}, ...more }],
});
const uiUser = { id: "u", role: "user", parts: [{ type: "text", text: "Go." }] };
export const fullstopCases: readonly TranscriptCase[] = [
  { is: "sound", transcript: [user, own("a"), ownResult("a")], finds: empty },
  {
    is: "free-form text",
    transcript: [
      { role: "assistant", content: [{ ...own("a", "{").content[0], kind: "text" }] },
      ownResult("a"),
    ],
    finds: empty,
  },
  {
    is: "a call without a result",
    transcript: [user, own("a")],
    finds: [["call-without-result", 1, "a"]],
  },
  {
    is: "a result without a call",
    transcript: [own("a"), ownResult("a", "b")],
    finds: [["result-without-call", 1, "b"]],
  },
  {
    is: "an order",
    transcript: [
      { role: "assistant", content: [...own("a").content, ...own("b").content] },
      ownResult("b", "a"),
    ],
    finds: [["results-out-of-order", 1]],
  },
  {
    is: "an id twice",
    transcript: [own("a"), ownResult("a"), own("a"), ownResult("a")],
    finds: [["duplicate-call-id", 2, "a"]],
  },
  {
    is: "no name",
    transcript: [own("a", "{}", " "), ownResult("a")],
    finds: [["call-without-name", 0, "a"]],
  },
  {
    is: "an empty message",
    transcript: [own("a"), ownResult("a"), { role: "assistant", content: [] }],
    finds: [["empty-message", 2]],
  },
  {
    is: "a cut input",
    transcript: [own("a", '{"path":"x'), ownResult("a")],
    finds: [["cut-input", 0, "a"]],
  },
  {
    is: "a denied call",
    transcript: [own("a"), { role: "user", content: note }],
    finds: [
      ["call-without-result", 0, "a"],
      ["denied-call", 0, "a"],
    ],
  },
  {
    is: "a note about a later reply",
    transcript: [own("a"), ownResult("a"), { role: "user", content: note }],
    finds: empty,
  },
];

export const sdkCases: readonly TranscriptCase[] = [
  { is: "sound", transcript: [user, sdk("a"), sdkResult("a")], finds: empty },
  {
    is: "an approval",
    transcript: [
      user,
      {
        role: "assistant",
        content: [
          ...sdk("a").content,
          { type: "tool-approval-request", approvalId: "p", toolCallId: "a" },
        ],
      },
      {
        role: "tool",
        content: [{ type: "tool-approval-response", approvalId: "p", approved: true }],
      },
    ],
    finds: empty,
  },
  {
    is: "a call without a result",
    transcript: [user, sdk("a"), user],
    finds: [["call-without-result", 1, "a"]],
  },
  {
    is: "a cut input",
    transcript: [sdk("a", '{"path":'), sdkResult("a")],
    finds: [["cut-input", 0, "a"]],
  },
  {
    is: "reasoning without its call",
    transcript: [
      sdk("a"),
      sdkResult("a"),
      {
        role: "assistant",
        content: [{ type: "reasoning", text: "", providerOptions: { openai: { itemId: "rs_1" } } }],
      },
      user,
    ],
    finds: [["detached-reasoning", 2, "rs_1"]],
  },
  {
    is: "a denied call",
    transcript: [sdk("a"), { role: "user", content: note }],
    finds: [
      ["call-without-result", 0, "a"],
      ["denied-call", 0, "a"],
    ],
  },
];

export const uiCases: readonly TranscriptCase[] = [
  { is: "sound", transcript: [uiUser, ui("output-available", { output: 1 })], finds: empty },
  {
    is: "an input that the SDK leaves out",
    transcript: [uiUser, ui("input-streaming"), uiUser],
    finds: empty,
  },
  {
    is: "a call that waits for a person",
    transcript: [uiUser, ui("approval-requested"), uiUser],
    finds: empty,
  },
  {
    is: "a call without a result",
    transcript: [uiUser, ui("input-available"), uiUser],
    finds: [["call-without-result", 1, "a"]],
  },
  {
    is: "a cut input",
    transcript: [ui("output-error", { input: '{"p' })],
    finds: [["cut-input", 0, "a"]],
  },
  {
    is: "a denied call",
    transcript: [ui("input-available"), { ...uiUser, parts: [{ type: "text", text: note }] }],
    finds: [
      ["call-without-result", 0, "a"],
      ["denied-call", 0, "a"],
    ],
  },
];
