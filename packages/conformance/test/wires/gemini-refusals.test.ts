import { expect, test } from "vitest";
import { geminiWire } from "../../src/wires/gemini/index.ts";
import { messagesOf, testViolations } from "./messages.ts";

const tools = [
  { functionDeclarations: [{ name: "read", parametersJsonSchema: { type: "object" } }] },
];
const user = (...parts: readonly object[]): object => ({ role: "user", parts });
const model = (...parts: readonly object[]): object => ({ role: "model", parts });
const text = (said: string, rest: object = {}): object => ({ text: said, ...rest });
const call = (name: string, rest: object = {}): object => ({
  functionCall: { name, args: {}, ...rest },
});
const signed = (name: string, rest: object = {}): object => ({
  ...call(name, rest),
  thoughtSignature: "c2lnbmF0dXJl",
});
const result = (name: string, rest: object = {}): object => ({
  functionResponse: { name, response: { output: "done" }, ...rest },
});
const body = (contents: readonly object[], rest: object = {}): object => ({
  contents,
  tools,
  ...rest,
});
const hi = user(text("Hi."));

const valid: Readonly<Record<string, object>> = {
  "a question": body([hi]),
  "a question with all that may stand beside it": body([hi], {
    systemInstruction: { parts: [text("Be brief.")] },
    generationConfig: { maxOutputTokens: 10, thinkingConfig: { thinkingLevel: "LOW" } },
    toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["read"] } },
    continuationToken: "dG9rZW4=",
  }),
  "parallel calls, the first of them signed, with their results and a note": body([
    hi,
    model(signed("read"), call("read")),
    user(result("read"), result("read"), text("And?")),
  ]),
  "calls with ids of the server's": body([
    hi,
    model(signed("read", { id: "a" }), call("list")),
    user(result("read", { id: "a" }), result("list")),
  ]),
  "unsigned calls before the user spoke again": body([
    hi,
    model(call("read")),
    user(result("read")),
    model(text("So.")),
    hi,
  ]),
  "an empty text with a signature": body([
    hi,
    model(text("Yes."), text("", { thoughtSignature: "c2ln" })),
    hi,
  ]),
  "steps of the service's own": body([
    hi,
    model({ executableCode: { code: "1" } }, { codeExecutionResult: { outcome: "OUTCOME_OK" } }),
    hi,
  ]),
  "a result without the id of its call": body([
    hi,
    model(signed("read", { id: "a" })),
    user(result("read")),
  ]),
  "a result with an id although its call has none": body([
    hi,
    model(signed("read")),
    user(result("read", { id: "a" })),
  ]),
  "a text of the model first": body([model(text("x")), hi]),
  "results in a content of the role tool, and a content without a role": body([
    { parts: [text("Hi.")] },
    model(signed("read")),
    { role: "tool", parts: [result("read")] },
  ]),
  "a tool of Google's alone": body([hi], { tools: [{ googleSearch: {} }] }),
};
const config = (functionCallingConfig: object): object => ({
  toolConfig: { functionCallingConfig },
});
const declared = (...functionDeclarations: readonly object[]): object => ({
  tools: [{ functionDeclarations }],
});
const invalid: Readonly<Record<string, readonly [request: unknown, violation: string]>> = {
  "no body": [undefined, "the body is not a JSON object"],
  "no content": [body([]), "contents is not specified"],
  "a cap of nothing": [
    body([hi], { generationConfig: { maxOutputTokens: 0 } }),
    "max_output_tokens",
  ],
  "a level and a budget": [
    body([hi], {
      generationConfig: { thinkingConfig: { thinkingLevel: "LOW", thinkingBudget: 1 } },
    }),
    "only one of thinking",
  ],
  "a strange role": [body([{ role: "assistant", parts: [text("x")] }, hi]), "valid role"],
  "an empty content": [body([user()]), "parts must not be empty"],
  "an empty text": [body([user(text(""))]), "empty text parameter"],
  "an empty system text": [
    body([hi], { systemInstruction: { parts: [text("")] } }),
    "system_instruction.parts.0",
  ],
  "a part without data": [body([user({})]), "must have one initialized field"],
  "a part with two data": [
    body([user({ text: "x", inlineData: {} })]),
    "must have one initialized field",
  ],
  "a signature that is no base64": [
    body([hi, model(text("x", { thoughtSignature: "sig one" })), hi]),
    "Base64 decoding failed",
  ],
  "a call of the model first": [
    body([model(signed("read")), user(result("read"))]),
    "immediately after a user turn",
  ],
  "the model last": [body([hi, model(text("x"))]), "ends with a user turn"],
  "two turns of the user": [body([hi, hi]), "alternate between user and model"],
  "a call without its result": [
    body([hi, model(signed("read")), hi]),
    "equal to the number of function call parts",
  ],
  "one result for two calls": [
    body([hi, model(signed("read"), call("read")), user(result("read"))]),
    "equal to the number of function call parts",
  ],
  "a result without its call": [
    body([hi, model(text("x")), user(result("read"))]),
    "immediately after a function call turn",
  ],
  "a result at the beginning": [
    body([user(result("read"))]),
    "immediately after a function call turn",
  ],
  "text before a result": [
    body([hi, model(signed("read")), user(text("x"), result("read"))]),
    "responses come first",
  ],
  "results in another order": [
    body([hi, model(signed("read"), call("list")), user(result("list"), result("read"))]),
    "in their order",
  ],
  "a result with the id of no call": [
    body([hi, model(signed("read", { id: "a" })), user(result("read", { id: "b" }))]),
    "no function call has the id b",
  ],
  "a call of the user's": [body([user(call("read"))]), "a function call in a user's turn"],
  "a result of the model's": [
    body([hi, model(result("read")), hi]),
    "a function response in the model's turn",
  ],
  "an unsigned call": [
    body([hi, model(call("read")), user(result("read"))]),
    "missing a thought_signature in functionCall parts: default_api:read, position 1",
  ],
  "a second call signed in the place of the first": [
    body([hi, model(call("read"), signed("read")), user(result("read"), result("read"))]),
    "missing a thought_signature",
  ],
  "a step that is not signed": [
    body([
      hi,
      model(signed("read")),
      user(result("read")),
      model(call("read")),
      user(result("read")),
    ]),
    "position 3",
  ],
  "a name with a space": [
    body([hi, model(signed("a b")), user(result("a b"))]),
    "the name must match",
  ],
  "args that are no object": [
    body([hi, model(signed("read", { args: "{}" })), user(result("read"))]),
    "args must be an object",
  ],
  "a response that is no object": [
    body([hi, model(signed("read")), user(result("read", { response: "x" }))]),
    "response must be an object",
  ],
  "a streamed call": [
    body([hi, model(signed("read", { willContinue: true })), user(result("read"))]),
    "a streamed function call",
  ],
  "a mode without functions": [
    body([hi], { tools: undefined, ...config({ mode: "NONE" }) }),
    "without function_declarations",
  ],
  "allowed names without their mode": [
    body([hi], config({ mode: "AUTO", allowedFunctionNames: ["read"] })),
    "only when function calling mode is ANY",
  ],
  "an allowed name that is not there": [
    body([hi], config({ mode: "ANY", allowedFunctionNames: ["x"] })),
    "not declared",
  ],
  "two functions of one name": [
    body([hi], declared({ name: "read" }, { name: "read" })),
    "Duplicate function declaration",
  ],
  "a function with a bad name": [body([hi], declared({ name: "3d" })), "must match"],
  "a schema that is no object's": [
    body([hi], declared({ name: "read", parametersJsonSchema: { type: "string" } })),
    "must have the type object",
  ],
  "two schemas of one function": [
    body(
      [hi],
      declared({ name: "read", parameters: {}, parametersJsonSchema: { type: "object" } }),
    ),
    "exclude each other",
  ],
};
testViolations(geminiWire, valid, invalid);

test("only Gemini 3 and later need signatures, and the path names the model", () => {
  const unsigned = body([hi, model(call("read")), user(result("read"))]);
  const ask = (model: string): string =>
    messagesOf(
      geminiWire.violations(unsigned, { path: `/v1beta/models/${model}:generateContent` }),
    );
  expect(ask("gemini-2.5-flash")).toBe("");
  expect(ask("gemini-flash-latest")).toBe("");
  expect(ask("gemini-3.1-pro")).toContain("missing a thought_signature");
  expect(ask("gemini-10-flash")).toContain("missing a thought_signature");
});

test("contents of the model that follow each other are one turn, and those of the user are not", () => {
  const musts = (...contents: readonly object[]): string =>
    messagesOf(
      geminiWire.violations(body([hi, ...contents])).filter(({ level }) => level !== "should"),
    );
  const calls = [model(signed("read")), model(call("list")), model(text(""))];
  expect(musts(...calls, user(result("read"), result("list")))).toBe("");
  expect(musts(...calls, user(result("read")), user(result("list")))).toContain(
    "equal to the number of function call parts",
  );
});

test("results are compared with all calls of the turn, also if it stands in two contents", () => {
  const pairs = (answered: object): string =>
    messagesOf(
      geminiWire.violations(
        body([hi, model(signed("write")), model(call("write")), user(answered, result("write"))]),
      ),
    );
  expect(pairs(result("read"))).toContain("contents.3: function responses answer the calls");
  expect(pairs(result("write"))).not.toContain("function responses answer the calls");
  const ids = body([
    hi,
    model(signed("read", { id: "a" })),
    model(call("read", { id: "b" })),
    user(result("read", { id: "a" }), result("read", { id: "b" })),
  ]);
  expect(messagesOf(geminiWire.violations(ids))).not.toContain("no function call has the id");
});

test("what no source shows to be refused is not a must", () => {
  const empty = body([hi, model(text(""), signed("read")), user(result("read"))]);
  expect(geminiWire.violations(empty)).toMatchObject([{ level: "should", part: { text: "" } }]);
});
