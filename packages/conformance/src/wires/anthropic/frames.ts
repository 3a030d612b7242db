import { tokensFor } from "../../harness/tokens.ts";
import type { Frames, Reply } from "../../wire.ts";
import { pieces } from "../pieces.ts";

/** https://platform.claude.com/docs/en/build-with-claude/streaming */
export type Event = Readonly<Record<string, unknown>> & { readonly type: string };
/** What a block says: its first event's content, its deltas, and whether its stop is sent. */
export interface Block {
  readonly start: Readonly<Record<string, unknown>>;
  readonly deltas?: readonly Readonly<Record<string, unknown>>[];
  readonly open?: true;
}
export interface Ending {
  /** `null` is what the protocol itself sends where there is no reason yet. */
  readonly stop: string | null;
  readonly output?: number;
  /** Beside `stop_reason` in the delta: `stop_sequence`, `stop_details`, `container`. */
  readonly delta?: Readonly<Record<string, unknown>>;
}

const model = "claude-sonnet-5-5";

export const messageStart = (): Event => ({
  type: "message_start",
  message: {
    id: "msg_01XFDUDYJgAACzvnptvVoYEL",
    type: "message",
    role: "assistant",
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: {
      input_tokens: 25,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: 1,
    },
  },
});

export const text = (said: string): Block => ({
  start: { type: "text", text: "" },
  deltas: pieces(said).map((piece) => ({ type: "text_delta", text: piece })),
});
export const thinking = (said: string, signature?: string): Block => ({
  start: { type: "thinking", thinking: "", signature: "" },
  deltas: [
    ...pieces(said).map((piece) => ({ type: "thinking_delta", thinking: piece })),
    ...(signature === undefined ? [] : [{ type: "signature_delta", signature }]),
  ],
});
export const json = (written: string): readonly Readonly<Record<string, unknown>>[] =>
  ["", ...pieces(written)].map((piece) => ({ type: "input_json_delta", partial_json: piece }));
/** An empty input comes as one empty delta. */
export const toolUse = (id: string, name: string, input: object): Block => {
  const written = JSON.stringify(input);
  return {
    start: { type: "tool_use", id, name, input: {} },
    deltas: json(written === "{}" ? "" : written),
  };
};
export const serverToolUse = (id: string, name: string, input: object): Block => ({
  start: { type: "server_tool_use", id, name, input: {} },
  deltas: json(JSON.stringify(input)),
});
/** A block that comes whole in its first event. */
export const whole = (start: Readonly<Record<string, unknown>>): Block => ({ start });

const blockEvents = ({ start, deltas = [], open }: Block, index: number): readonly Event[] => [
  { type: "content_block_start", index, content_block: start },
  ...deltas.map((delta): Event => ({ type: "content_block_delta", index, delta })),
  ...(open ? [] : [{ type: "content_block_stop", index }]),
];

const messageDelta = ({
  stop,
  output = tokensFor(stop === "max_tokens"),
  delta = {},
}: Ending): Event => ({
  type: "message_delta",
  delta: { stop_reason: stop, stop_sequence: null, ...delta },
  usage: { output_tokens: output },
});

/** The events of a message, without what ends it. */
export const begun = (blocks: readonly Block[]): readonly Event[] => {
  const [first = [], ...rest] = blocks.map(blockEvents);
  return [
    messageStart(),
    ...first.slice(0, 1),
    { type: "ping" },
    ...first.slice(1),
    ...rest.flat(),
  ];
};

export const toFrames = (events: readonly Event[]): Frames => ({
  upToTerminal: events.map((event) => JSON.stringify(event)),
});

/** A message with its end. */
export const message = (blocks: readonly Block[], ending: Ending): Frames =>
  toFrames([...begun(blocks), messageDelta(ending), { type: "message_stop" }]);

export const delta = (ending: Ending): Event => messageDelta(ending);

const blocksOf = ({ blocks }: Reply): readonly Block[] =>
  blocks.map((block) =>
    "name" in block ? toolUse(block.id, block.name, block.input) : text(block.text),
  );

export const frames = (reply: Reply): Frames => message(blocksOf(reply), reply);

/** The reply, its last block left open. */
export const unclosed = (reply: Reply): Frames =>
  message(
    blocksOf(reply).map((block, n, { length }) =>
      n === length - 1 ? { ...block, open: true } : block,
    ),
    reply,
  );

/** The reply to a request without `stream`. */
export const wholeBody = ({ blocks, stop, output }: Reply): string =>
  JSON.stringify({
    ...(messageStart()["message"] as object),
    content: blocks.map((block) =>
      "name" in block
        ? { type: "tool_use", ...block }
        : { type: "text", text: block.text, citations: null },
    ),
    stop_reason: stop,
    usage: {
      input_tokens: 25,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: output,
    },
  });
