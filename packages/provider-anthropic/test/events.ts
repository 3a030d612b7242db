export type Event = { readonly type: string } & Record<string, unknown>;

export const usage = {
  input_tokens: 10,
  output_tokens: 1,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
};
export const messageStart: Event = {
  type: "message_start",
  message: {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude-sonnet-5-5",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  },
};
export const messageStop: Event = { type: "message_stop" };
export const messageDelta = (
  stop_reason: string | null,
  more: { delta?: object; usage?: object } = {},
): Event => ({
  type: "message_delta",
  delta: { stop_reason, stop_sequence: null, stop_details: null, container: null, ...more.delta },
  usage: { output_tokens: 20, ...more.usage },
});

/** A content block from its start to its stop. */
export const block = (
  index: number,
  content_block: object,
  ...deltas: readonly object[]
): readonly Event[] => [
  { type: "content_block_start", index, content_block },
  ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
  { type: "content_block_stop", index },
];
export const text = (index: number, ...pieces: readonly string[]): readonly Event[] =>
  block(
    index,
    { type: "text", text: "", citations: null },
    ...pieces.map((piece) => ({ type: "text_delta", text: piece })),
  );
export const thinking = (index: number, content: string, signature?: string): readonly Event[] =>
  block(
    index,
    { type: "thinking", thinking: "", signature: "" },
    ...(content === "" ? [] : [{ type: "thinking_delta", thinking: content }]),
    ...(signature === undefined ? [] : [{ type: "signature_delta", signature }]),
  );
export const tool = (index: number, name: string, json: string): readonly Event[] =>
  block(
    index,
    { type: "tool_use", id: `toolu_${index}`, name, input: {}, caller: { type: "direct" } },
    ...[json.slice(0, 5), json.slice(5)].map((partial_json) => ({
      type: "input_json_delta",
      partial_json,
    })),
  );
export const reply = (stop: string, ...blocks: readonly (readonly Event[])[]): readonly Event[] => [
  messageStart,
  ...blocks.flat(),
  messageDelta(stop),
  messageStop,
];

export const bytes = (events: readonly Event[]): string =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
