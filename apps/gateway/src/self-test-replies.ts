/** The input of the call in each reply. It must arrive only in a finished one. */
export const marker = "fullstop-self-test";

/** A request of one protocol, and two replies to it. */
export interface Probe {
  readonly path: string;
  readonly request: object;
  /** The reply with a call that may run. */
  readonly finished: string;
  /** The reply that the output limit cut inside its call. */
  readonly cut: string;
}

type Event = Readonly<Record<string, unknown>>;

const tool = "write_file";
const cap = 1024;
const user = { role: "user", content: "Write it." };

/** How a reply ends. */
interface Ending {
  readonly json: string;
  readonly tokens: number;
}
const whole: Ending = { json: JSON.stringify({ text: marker }), tokens: 9 };
const atCap: Ending = { json: whole.json.slice(0, -2), tokens: cap };

const dataOf = (event: Event): string => `data: ${JSON.stringify(event)}\n\n`;
const named = (event: Event): string => `event: ${event["type"]}\n${dataOf(event)}`;

function messages({ json, tokens }: Ending, reason: string): string {
  const message = { id: "msg_1", type: "message", role: "assistant", model: "self-test" };
  const usage = { input_tokens: 1, output_tokens: 1 };
  const events: readonly Event[] = [
    {
      type: "message_start",
      message: { ...message, content: [], stop_reason: null, stop_sequence: null, usage },
    },
    {
      type: "content_block_start",
      index: 0,
      content_block: { type: "tool_use", id: "toolu_1", name: tool, input: {} },
    },
    {
      type: "content_block_delta",
      index: 0,
      delta: { type: "input_json_delta", partial_json: json },
    },
    { type: "content_block_stop", index: 0 },
    {
      type: "message_delta",
      delta: { stop_reason: reason, stop_sequence: null },
      usage: { output_tokens: tokens },
    },
    { type: "message_stop" },
  ];
  return events.map(named).join("");
}

function chat({ json, tokens }: Ending, reason: string): string {
  const called = { name: tool, arguments: json };
  const delta = {
    role: "assistant",
    tool_calls: [{ index: 0, id: "call_1", type: "function", function: called }],
  };
  const usage = { prompt_tokens: 1, completion_tokens: tokens, total_tokens: 1 + tokens };
  const chunk = {
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    created: 1,
    model: "self-test",
  };
  const events: readonly Event[] = [
    { ...chunk, choices: [{ index: 0, delta, finish_reason: null }] },
    { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: reason }] },
    { ...chunk, choices: [], usage },
  ];
  return `${events.map(dataOf).join("")}data: [DONE]\n\n`;
}

function gemini({ tokens }: Ending, finishReason: string): string {
  const parts = [{ functionCall: { name: tool, args: { text: marker } } }];
  return dataOf({
    candidates: [{ index: 0, content: { role: "model", parts }, finishReason }],
    usageMetadata: {
      promptTokenCount: 1,
      candidatesTokenCount: tokens,
      totalTokenCount: 1 + tokens,
    },
  });
}

function responses({ json, tokens }: Ending, status: "completed" | "incomplete"): string {
  const response = { id: "resp_1", object: "response", model: "self-test", output: [] };
  const call = { type: "function_call", id: "fc_1", call_id: "call_1", name: tool };
  const done = { ...call, arguments: json, status };
  const place = { output_index: 0, item_id: "fc_1" };
  const events: readonly Event[] = [
    { type: "response.created", response: { ...response, status: "in_progress" } },
    {
      type: "response.output_item.added",
      output_index: 0,
      item: { ...call, arguments: "", status: "in_progress" },
    },
    { type: "response.function_call_arguments.delta", ...place, delta: json },
    { type: "response.function_call_arguments.done", ...place, arguments: json },
    { type: "response.output_item.done", output_index: 0, item: done },
    {
      type: `response.${status}`,
      response: {
        ...response,
        status,
        output: [done],
        incomplete_details: status === "incomplete" ? { reason: "max_output_tokens" } : null,
        usage: { input_tokens: 1, output_tokens: tokens, total_tokens: 1 + tokens },
      },
    },
  ];
  return events.map((event, at) => named({ ...event, sequence_number: at })).join("");
}

function interactions({ json, tokens }: Ending, status: "requires_action" | "incomplete"): string {
  const interaction = { id: "", object: "interaction", model: "self-test" };
  const step = { type: "function_call", id: "call_1", name: tool, arguments: {} };
  const usage = { total_input_tokens: 1, total_output_tokens: tokens, total_tokens: 1 + tokens };
  const events: readonly Event[] = [
    {
      event_type: "interaction.created",
      interaction: { ...interaction, status: "in_progress" },
    },
    { event_type: "step.start", index: 0, step },
    { event_type: "step.delta", index: 0, delta: { type: "arguments_delta", arguments: json } },
    { event_type: "step.stop", index: 0 },
    { event_type: "interaction.completed", interaction: { ...interaction, status, usage } },
  ];
  return events.map(dataOf).join("");
}

/** One for each protocol that the guard reads. */
export const probes: readonly Probe[] = [
  {
    path: "/v1/messages",
    request: { model: "self-test", max_tokens: cap, stream: true, messages: [user] },
    finished: messages(whole, "tool_use"),
    cut: messages(atCap, "max_tokens"),
  },
  {
    path: "/v1/chat/completions",
    request: { model: "self-test", max_tokens: cap, stream: true, messages: [user] },
    finished: chat(whole, "tool_calls"),
    cut: chat(atCap, "length"),
  },
  {
    path: "/v1/responses",
    request: {
      model: "self-test",
      max_output_tokens: cap,
      stream: true,
      store: false,
      input: [user],
    },
    finished: responses(whole, "completed"),
    cut: responses(atCap, "incomplete"),
  },
  {
    path: "/v1beta/models/self-test:streamGenerateContent?alt=sse",
    request: {
      contents: [{ role: "user", parts: [{ text: "Write it." }] }],
      generationConfig: { maxOutputTokens: cap },
    },
    finished: gemini(whole, "STOP"),
    cut: gemini(atCap, "MAX_TOKENS"),
  },
  {
    path: "/v1beta/interactions",
    request: {
      model: "self-test",
      input: "Write it.",
      generation_config: { max_output_tokens: cap },
      store: false,
      stream: true,
    },
    finished: interactions(whole, "requires_action"),
    cut: interactions(atCap, "incomplete"),
  },
];
