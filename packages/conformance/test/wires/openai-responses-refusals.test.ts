import { expect, test } from "vitest";
import { openaiResponsesWire } from "../../src/wires/openai-responses/index.ts";
import { messagesOf, testViolations } from "./messages.ts";

const tools = [
  { type: "function", name: "read", parameters: { type: "object", properties: {} }, strict: false },
];
const hi = { type: "message", role: "user", content: [{ type: "input_text", text: "Hi." }] };
const said = {
  type: "message",
  role: "assistant",
  content: [{ type: "output_text", text: "Yes.", annotations: [] }],
};
const call = (id: string, rest: object = {}): object => ({
  type: "function_call",
  call_id: id,
  name: "read",
  arguments: "{}",
  ...rest,
});
const output = (id: string, rest: object = {}): object => ({
  type: "function_call_output",
  call_id: id,
  output: "done",
  ...rest,
});
const custom = (id: string, rest: object = {}): object => ({
  type: "custom_tool_call",
  call_id: id,
  name: "note",
  input: "x",
  ...rest,
});
const thought = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "gAAA" };
const body = (input: unknown, rest: object = {}): object => ({
  model: "gpt-5.5",
  input,
  tools,
  store: false,
  ...rest,
});

/**
 * What the API asks for with a tool of its own, what answers it, and the member without which that
 * is no answer.
 */
const hosted = [
  {
    asked: {
      type: "apply_patch_call",
      call_id: "p",
      operation: { type: "delete_file", path: "a" },
    },
    answer: { type: "apply_patch_call_output", call_id: "p", status: "completed", output: "ok" },
    needs: "status",
  },
  {
    asked: { type: "local_shell_call", id: "lsh_1", call_id: "l", action: {} },
    answer: { type: "local_shell_call_output", id: "l", output: "ok" },
    needs: "output",
  },
  {
    asked: { type: "shell_call", call_id: "s", action: {}, environment: null },
    answer: {
      type: "shell_call_output",
      call_id: "s",
      output: [{ stdout: "", stderr: "", outcome: { type: "exit", exit_code: 0 } }],
    },
    needs: "output",
  },
  {
    asked: { type: "computer_call", id: "cc_1", call_id: "c", actions: [] },
    answer: {
      type: "computer_call_output",
      call_id: "c",
      output: { type: "computer_screenshot", image_url: "data:image/png;base64,AAAA" },
    },
    needs: "output",
  },
  {
    asked: { type: "tool_search_call", call_id: "t", execution: "client", arguments: {} },
    answer: {
      type: "tool_search_output",
      call_id: "t",
      execution: "client",
      tools: [{ type: "function", name: "x" }],
    },
    needs: "tools",
  },
  {
    asked: {
      type: "mcp_approval_request",
      id: "mcpr_1",
      server_label: "x",
      name: "y",
      arguments: "{}",
    },
    answer: { type: "mcp_approval_response", approval_request_id: "mcpr_1", approve: true },
    needs: "approve",
  },
] as const;

const valid: Readonly<Record<string, object>> = {
  "a question": body([hi]),
  "a question as plain text, without tools": body("Hi.", { tools: undefined }),
  "a short message without a type": body([{ role: "user", content: "Hi." }]),
  "reasoning, a call, its output and a note": body([
    hi,
    thought,
    call("a", { id: "fc_1" }),
    output("a"),
    hi,
  ]),
  "parallel calls and their outputs": body([
    hi,
    call("a"),
    custom("b"),
    output("a"),
    { ...output("b"), type: "custom_tool_call_output" },
  ]),
  "an output in parts": body([
    hi,
    call("a"),
    output("a", { output: [{ type: "input_text", text: "x" }] }),
  ]),
  "a shell in the server's container": body([
    hi,
    {
      type: "shell_call",
      call_id: "s",
      action: {},
      environment: { type: "container_reference", container_id: "c" },
    },
    said,
  ]),
  "tools of the API that the client ran": body([
    hi,
    ...hosted.flatMap(({ asked, answer }) => [asked, answer]),
  ]),
  "a search for tools on the server": body([
    hi,
    { type: "tool_search_call", call_id: null, execution: "server", arguments: {} },
    { type: "tool_search_output", call_id: null, execution: "server", tools: [] },
    said,
  ]),
  "reasoning that the server stores": body([hi, { ...thought, encrypted_content: null }, said], {
    store: true,
  }),
};
const invalid: Readonly<Record<string, readonly [request: unknown, violation: string]>> = {
  "no body": [undefined, "the body is not a JSON object"],
  "no model": [body([hi], { model: "" }), "'model'"],
  "no input": [body([]), "'input'"],
  "a cap of 15": [body([hi], { max_output_tokens: 15 }), "max_output_tokens"],
  "a strange role": [body([{ role: "tool", content: "x" }]), "Invalid value: 'tool'"],
  "a message without content": [body([{ role: "user", content: [] }]), "Invalid type"],
  "a user who says output": [
    body([{ role: "user", content: [{ type: "output_text", text: "x" }] }]),
    "'output_text'",
  ],
  "text without its text": [
    body([{ role: "user", content: [{ type: "input_text" }] }]),
    "content.text",
  ],
  "an assistant who says input": [
    body([{ role: "assistant", content: [{ type: "input_text", text: "x" }] }]),
    "'input_text'",
  ],
  "a call id of 65 characters": [
    body([hi, call("a".repeat(65)), output("a".repeat(65))]),
    "string too long",
  ],
  "a call without a call id": [
    body([hi, call("")]),
    "Missing required parameter: 'input[1].call_id'",
  ],
  "an item id of another kind": [
    body([hi, call("a", { id: "toolu_1" }), output("a")]),
    "begins with 'fc'",
  ],
  "a custom call's id of another kind": [
    body([hi, custom("a", { id: "fc_1" }), hi]),
    "begins with 'ctc'",
  ],
  "a name with a dot": [
    body([hi, call("a", { name: "fs.read" }), output("a")]),
    "does not match pattern",
  ],
  "arguments that are no object": [
    body([hi, call("a", { arguments: "[]" }), output("a")]),
    "the JSON of an object",
  ],
  "a custom call without its input": [
    body([hi, custom("a", { input: undefined }), hi]),
    "'input[1].input'",
  ],
  "an output without its output": [
    body([hi, call("a"), output("a", { output: null })]),
    "'input[2].output'",
  ],
  "a call without its output": [
    body([hi, call("a"), hi]),
    "No tool output found for function call a.",
  ],
  "a call whose output comes behind a note": [
    body([hi, call("a"), hi, output("a")]),
    "No tool output found for function call a.",
  ],
  "an output without its call": [
    body([hi, output("a")]),
    "No tool call found for function call output with call_id a.",
  ],
  "an output before its call": [body([hi, output("a"), call("a")]), "No tool call found"],
  "a custom call with a function's output": [
    body([hi, custom("a"), output("a")]),
    "No tool output found for custom tool call a.",
  ],
  "a shell call that nobody ran": [
    body([hi, { type: "local_shell_call", call_id: "s" }, said]),
    "No tool output found for local shell call s.",
  ],
  "two calls with one id": [body([hi, call("a"), call("a"), output("a")]), "share one call_id"],
  "a call with two outputs": [body([hi, call("a"), output("a"), output("a")]), "two outputs"],
  "an item twice": [body([hi, thought, said, thought, said]), "Duplicate item"],
  "reasoning last": [body([hi, thought]), "without its required following item"],
  "reasoning before a person's word": [
    body([hi, said, thought, hi]),
    "without its required following item",
  ],
  "reasoning that nobody can read": [
    body([hi, { ...thought, encrypted_content: null }, said]),
    "Items are not persisted",
  ],
  "reasoning of another kind": [body([hi, { ...thought, id: "x" }, said]), "begins with 'rs'"],
  "a choice without tools": [
    body([hi], { tools: undefined, tool_choice: "none" }),
    "must be specified with 'tools'",
  ],
  "a choice of a tool that is not there": [
    body([hi], { tool_choice: { type: "function", name: "x" } }),
    "not found in 'tools'",
  ],
  "two tools of one name": [body([hi], { tools: [...tools, ...tools] }), "unique"],
  "a tool without a schema": [
    body([hi], { tools: [{ type: "function", name: "read" }] }),
    'type: "object"',
  ],
  "a schema without properties": [
    body([hi], { tools: [{ ...tools[0], parameters: { type: "object" } }] }),
    "missing properties",
  ],
  "a tool without a name": [
    body([hi], { tools: [{ ...tools[0], name: undefined }] }),
    "tools[0].name",
  ],
};
testViolations(openaiResponsesWire, valid, invalid);

test.for(hosted.map((one) => [one.asked.type, one] as const))(
  "%s wants its answer, whole",
  ([type, { asked, answer, needs }]) => {
    expect(messagesOf(openaiResponsesWire.violations(body([hi, asked, hi])))).toContain(
      `No tool output found for ${type.replaceAll("_", " ")}`,
    );
    expect(messagesOf(openaiResponsesWire.violations(body([hi, answer])))).toContain(
      "No tool call found",
    );
    expect(
      messagesOf(openaiResponsesWire.violations(body([hi, asked, { ...answer, [needs]: null }]))),
    ).toContain(`'${needs}`);
  },
);

test("what no source shows that OpenAI refuses is not a must", () => {
  const late = body([hi, call("a"), hi, output("a")]);
  expect(openaiResponsesWire.violations(late)).toMatchObject([{ level: "should" }]);
  const torn = body([hi, call("a", { arguments: '{"path":' }), output("a")]);
  expect(openaiResponsesWire.violations(torn)).toMatchObject([{ level: "should" }]);
  const twice = body([hi, call("a"), output("a"), output("a")]);
  expect(openaiResponsesWire.violations(twice)).toMatchObject([{ level: "should" }]);
});
