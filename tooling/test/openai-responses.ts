// Events and items of OpenAI's Responses API, as its server sends them.

export type Event = { readonly type: string } & Record<string, unknown>;
export type Item = { readonly type: string } & Record<string, unknown>;

export const response = (status: string, rest: object = {}): object => ({
  id: "resp_1",
  object: "response",
  model: "gpt-5.5",
  status,
  error: null,
  incomplete_details: null,
  output: [],
  usage: null,
  ...rest,
});
export const usage = {
  input_tokens: 10,
  input_tokens_details: { cached_tokens: 4 },
  output_tokens: 20,
  total_tokens: 30,
};
export const created: Event = { type: "response.created", response: response("in_progress") };
export const ended = (status: string, rest: object = {}): Event => ({
  type: `response.${status}`,
  response: response(status, { usage, ...rest }),
});
export const completed: Event = ended("completed");

export const added = (output_index: number, item: Item): Event => ({
  type: "response.output_item.added",
  output_index,
  item,
});
export const done = (output_index: number, item: Item): Event => ({
  type: "response.output_item.done",
  output_index,
  item,
});
const delta = (type: string, output_index: number, text: string): Event => ({
  type: `response.${type}.delta`,
  output_index,
  content_index: 0,
  summary_index: 0,
  item_id: "item",
  delta: text,
});

export const message = (text: string, rest: object = {}): Item => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text, annotations: [] }],
  ...rest,
});
export const call = (name: string, json: string, rest: object = {}): Item => ({
  id: `fc_${name}`,
  type: "function_call",
  call_id: `call_${name}`,
  name,
  arguments: json,
  status: "completed",
  ...rest,
});
export const reasoning = (text: string, rest: object = {}): Item => ({
  id: "rs_1",
  type: "reasoning",
  summary: text === "" ? [] : [{ type: "summary_text", text }],
  encrypted_content: "gAAA",
  ...rest,
});

export const messageEvents = (at: number, text: string): readonly Event[] => [
  added(at, message("", { status: "in_progress", content: [] })),
  delta("output_text", at, text),
  done(at, message(text)),
];
export const callEvents = (at: number, item: Item): readonly Event[] => {
  const json = String(item["arguments"]);
  return [
    added(at, { ...item, arguments: "", status: "in_progress" }),
    ...[json.slice(0, 5), json.slice(5)].map((piece) =>
      delta("function_call_arguments", at, piece),
    ),
    {
      type: "response.function_call_arguments.done",
      output_index: at,
      item_id: "item",
      arguments: json,
    },
    done(at, item),
  ];
};
export const reasoningEvents = (at: number, item: Item, text: string): readonly Event[] => [
  added(at, { ...item, summary: [] }),
  delta("reasoning_summary_text", at, text),
  done(at, item),
];
export const reply = (...items: readonly (readonly Event[])[]): readonly Event[] => [
  created,
  ...items.flat(),
  completed,
];
