import type { CallRepetition, Frames, Reply } from "../../wire.ts";
import { type Fields, pieces } from "../shared.ts";

/** A content block: the content of its first event, its deltas, and whether it stays open. */
interface AnthropicBlock {
  readonly start: Fields;
  readonly deltas: readonly Fields[];
  readonly open?: true;
}

const emptyMessage = {
  id: "msg_01XFDUDYJgAACzvnptvVoYEL",
  type: "message",
  role: "assistant",
  model: "claude-sonnet-5-5",
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: {
    input_tokens: 25,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: 1,
  },
};

/** An empty input comes as one empty delta. */
const anthropicInputPieces = (input: object): readonly string[] => {
  const json = JSON.stringify(input);
  return ["", ...pieces(json === "{}" ? "" : json)];
};

const toBlock = (block: Reply["blocks"][number]): AnthropicBlock =>
  "name" in block
    ? {
        start: { type: "tool_use", id: block.id, name: block.name, input: {} },
        deltas: anthropicInputPieces(block.input).map((piece) => ({
          type: "input_json_delta",
          partial_json: piece,
        })),
      }
    : {
        start: { type: "text", text: "" },
        deltas: pieces(block.text).map((piece) => ({ type: "text_delta", text: piece })),
      };

const blockEvents = ({ start, deltas, open }: AnthropicBlock, index: number): readonly Fields[] => [
  { type: "content_block_start", index, content_block: start },
  ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
  ...(open ? [] : [{ type: "content_block_stop", index }]),
];

/** The events of a message. A ping follows the start of the first block. */
function messageFrames(blocks: readonly AnthropicBlock[], { stop, output }: Reply): Frames {
  const [first = [], ...rest] = blocks.map(blockEvents);
  const events: readonly Fields[] = [
    { type: "message_start", message: emptyMessage },
    ...first.slice(0, 1),
    { type: "ping" },
    ...first.slice(1),
    ...rest.flat(),
    {
      type: "message_delta",
      delta: { stop_reason: stop, stop_sequence: null },
      usage: { output_tokens: output },
    },
    { type: "message_stop" },
  ];
  return { upToTerminal: events.map((event) => JSON.stringify(event)) };
}

export const anthropicFrames = (reply: Reply): Frames =>
  messageFrames(reply.blocks.map(toBlock), reply);

/** The reply as a stream in which the last block stays open. */
export const anthropicUnclosed = (reply: Reply): Frames =>
  messageFrames(
    reply.blocks.map((block, index, { length }) =>
      index === length - 1 ? { ...toBlock(block), open: true } : toBlock(block),
    ),
    reply,
  );

/** A call is whole at the end of its block, and runs at the end of the message. */
export const anthropicRepetitions: readonly CallRepetition[] = [
  {
    id: "block-ends-twice",
    how: "whose block ends twice",
    repeat: ({ upToTerminal }) => {
      const at = upToTerminal.findLastIndex((payload) => payload.includes('"content_block_stop"'));
      return { upToTerminal: upToTerminal.toSpliced(at, 0, ...upToTerminal.slice(at, at + 1)) };
    },
  },
  {
    id: "message-ends-twice",
    how: "of a message that ends twice",
    repeat: ({ upToTerminal }) => ({ upToTerminal, after: upToTerminal.slice(-2) }),
  },
];

export const anthropicBody = ({ blocks, stop, output }: Reply): string =>
  JSON.stringify({
    ...emptyMessage,
    content: blocks.map((block) =>
      "name" in block ? { type: "tool_use", ...block } : { type: "text", text: block.text },
    ),
    stop_reason: stop,
    usage: { ...emptyMessage.usage, output_tokens: output },
  });
