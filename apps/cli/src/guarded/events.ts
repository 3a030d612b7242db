/** The replies of the model, as event streams of Anthropic's Messages. */
type Event = { readonly type: string } & Readonly<Record<string, unknown>>;
const eventText = (event: Event): string =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

export const outputCap = 200;

const start: Event = {
  type: "message_start",
  message: {
    id: "msg_demo",
    type: "message",
    role: "assistant",
    model: "claude-demo",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 120, output_tokens: 1 },
  },
};
const end = (stopReason: string, outputTokens: number): readonly Event[] => [
  {
    type: "message_delta",
    delta: { stop_reason: stopReason, stop_sequence: null },
    usage: { output_tokens: outputTokens },
  },
  { type: "message_stop" },
];
const block = (content: object, delta: object): readonly Event[] => [
  { type: "content_block_start", index: 0, content_block: content },
  { type: "content_block_delta", index: 0, delta },
  { type: "content_block_stop", index: 0 },
];

/** A call in a reply. `inputText`: what arrives of its input. */
export interface SentCall {
  readonly name: string;
  readonly inputText: string;
  /** Absent: the connection breaks before the reply ends. */
  readonly stopReason?: string;
  readonly outputTokens: number;
}

export const callReply = (
  { name, inputText, stopReason, outputTokens }: SentCall,
  id: string,
): string =>
  [
    start,
    ...block(
      { type: "tool_use", id, name, input: {} },
      { type: "input_json_delta", partial_json: inputText },
    ),
    ...(stopReason === undefined ? [] : end(stopReason, outputTokens)),
  ]
    .map(eventText)
    .join("");

export const textReply = (text: string): string =>
  [start, ...block({ type: "text", text: "" }, { type: "text_delta", text }), ...end("end_turn", 9)]
    .map(eventText)
    .join("");
