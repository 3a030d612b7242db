import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createGate, type ReplyReader, readTurn } from "@fullstop/core";
import { openai, openaiChat } from "@fullstop/provider-openai";
import {
  chatErrors,
  chatStops,
  openaiChatReply,
  openaiReply,
  readChatRequest,
  readResponsesRequest,
  responsesErrors,
  responsesStops,
} from "@fullstop/provider-openai/reply";
import { expect, it } from "vitest";

const read = {
  name: "read",
  description: "Reads a file.",
  inputSchema: { type: "object", properties: { path: { type: "string" } } },
} as const;
const request = { messages: [{ role: "user", content: "Read a.md." }], tools: [read] } as const;

const chunks = [
  {
    id: "chatcmpl_1",
    model: "gpt-5.2",
    choices: [
      {
        index: 0,
        delta: {
          tool_calls: [{ index: 0, id: "c1", function: { name: "read", arguments: '{"path":' } }],
        },
      },
    ],
  },
  {
    choices: [
      { index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: '"a.md"}' } }] } },
    ],
  },
  { choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] },
  { choices: [], usage: { prompt_tokens: 9, completion_tokens: 7 } },
  "[DONE]",
];
const item = {
  type: "function_call",
  id: "fc_1",
  call_id: "c1",
  name: "read",
  arguments: '{"path":"a.md"}',
  status: "completed",
};
const response = {
  id: "resp_1",
  model: "gpt-5.5",
  status: "completed",
  output: [item],
  usage: { input_tokens: 9, output_tokens: 7 },
};
const events = [
  { type: "response.created", response: { ...response, status: "in_progress", output: [] } },
  { type: "response.output_item.added", output_index: 0, item: { ...item, arguments: "" } },
  {
    type: "response.function_call_arguments.delta",
    output_index: 0,
    delta: item.arguments,
  },
  { type: "response.output_item.done", output_index: 0, item },
  { type: "response.completed", response },
];

const gated = (reader: ReplyReader, native: readonly unknown[]) => {
  const gate = createGate(reader, request);
  for (const event of native) gate.push(event);
  return gate.end();
};
async function* streamOf(native: readonly unknown[]) {
  yield* native;
}

it("the reader of Chat Completions gives the turn of the adapter", async () => {
  const client = { chat: { completions: { create: async () => streamOf(chunks) } } };
  const turn = await readTurn(openaiChat("gpt-5.2", { client }), request);
  expect(turn.calls.map(({ name, input }) => ({ name, input }))).toEqual([
    { name: "read", input: { path: "a.md" } },
  ]);
  expect(gated(openaiChatReply("gpt-5.2"), chunks)).toEqual(turn);
});

it("the reader of Responses gives the turn of the adapter", async () => {
  const client = { responses: { create: async () => streamOf(events) } };
  const turn = await readTurn(openai("gpt-5.5", { client }), request);
  expect(turn.calls.map(({ name, input }) => ({ name, input }))).toEqual([
    { name: "read", input: { path: "a.md" } },
  ]);
  expect(gated(openaiReply("gpt-5.5"), events)).toEqual(turn);
});

it("a reader holds what its adapter holds", () => {
  const stops = { busy: "error" } as const;
  const options = { stops, mislabelsTruncation: true };
  const chat = openaiChatReply("gpt-5.2", options);
  expect(openaiChat("gpt-5.2", options)).toMatchObject({ ...chat, decoder: expect.any(Function) });
  expect(chat).toMatchObject({ stops: { ...chatStops, ...stops }, errors: chatErrors });
  const responses = openaiReply("gpt-5.5", options);
  expect(openai("gpt-5.5", options)).toMatchObject({
    ...responses,
    decoder: expect.any(Function),
  });
  expect(responses).toMatchObject({
    stops: { ...responsesStops, ...stops },
    errors: responsesErrors,
  });
});

it("the cap and the tools are read from a request body", () => {
  const parameters = { ...read.inputSchema };
  const { name, description } = read;
  expect(
    readChatRequest({
      max_completion_tokens: 100,
      tools: [{ type: "function", function: { name, description, parameters } }],
    }),
  ).toEqual({ maxTokens: 100, tools: [read] });
  expect(
    readResponsesRequest({
      max_output_tokens: 100,
      tools: [{ type: "function", name, description, parameters }],
    }),
  ).toEqual({ maxTokens: 100, tools: [read] });
});

it("a reply that waits for an unknown item is an error, or ends as the host says", () => {
  const later = { type: "x_later_call", id: "xc_1", call_id: "c2", status: "completed" };
  const whole = (...output: readonly object[]) => [{ ...response, output }];
  const passing = openaiReply("gpt-5.5", { unknownItems: "pass" });
  expect(gated(openaiReply("gpt-5.5"), whole(later))).toMatchObject({
    stopReason: "error",
    error: { code: "unsupported_item" },
  });
  expect(gated(passing, whole(later))).toMatchObject({ stopReason: "stop", withheld: [] });
  expect(gated(openaiReply("gpt-5.5"), whole(later, item)).calls).toEqual([]);
  expect(gated(passing, whole(later, item)).calls).toMatchObject([{ name: "read" }]);
  const cut = [{ ...response, status: "incomplete", output: [later, item] }];
  expect(gated(passing, cut)).toMatchObject({ stopReason: "unknown", calls: [] });
});

/** Loads a module in a new process in which no package `openai` can be loaded. */
const loads = (module: string) => {
  const program = `
    import { registerHooks } from "node:module";
    registerHooks({
      resolve(specifier, context, next) {
        if (/^openai(\\/|$)/.test(specifier)) throw new Error("The SDK was loaded.");
        return next(specifier, context);
      },
    });
    const { openaiChatReply, openaiChat } = await import(${JSON.stringify(module)});
    console.log(typeof (openaiChatReply ?? openaiChat));
  `;
  return promisify(execFile)(
    process.execPath,
    ["--conditions=@fullstop/source", "--input-type=module", "--eval", program],
    { cwd: fileURLToPath(new URL("..", import.meta.url)) },
  );
};

it("the readers and the adapters load without the SDK", async () => {
  expect((await loads("@fullstop/provider-openai/reply")).stdout).toBe("function\n");
  expect((await loads("@fullstop/provider-openai")).stdout).toBe("function\n");
});
