import type { Frames, Reply, ReplyCall } from "../../wire.ts";
import { pieces } from "../shared.ts";

/** https://developers.openai.com/api/reference/resources/chat/subresources/completions/streaming-events */
type ChatChunk = Readonly<Record<string, unknown>>;
type ChatDelta = Readonly<Record<string, unknown>>;

const chatMetadata = {
  id: "chatcmpl-B9MHDbslfkBeAs8l4bebGdFOJ6PeG",
  created: 1_741_570_283,
  model: "gpt-5.2",
};

const chunkOf = (delta: ChatDelta, finishReason: string | null = null): ChatChunk => ({
  ...chatMetadata,
  object: "chat.completion.chunk",
  choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
  usage: null,
});
const chatUsage = (output: number): ChatChunk => ({
  prompt_tokens: 25,
  completion_tokens: output,
  total_tokens: 25 + output,
});
const usageChunk = (output: number): ChatChunk => ({
  ...chatMetadata,
  object: "chat.completion.chunk",
  choices: [],
  usage: chatUsage(output),
});
const callChunk = (call: ChatDelta): ChatChunk => chunkOf({ tool_calls: [call] });

/** An empty input is an empty text. */
const argumentsOf = (input: object): string => {
  const json = JSON.stringify(input);
  return json === "{}" ? "" : json;
};
const callChunks = (index: number, { id, name, input }: ReplyCall): readonly ChatChunk[] => [
  callChunk({ index, id, type: "function", function: { name, arguments: "" } }),
  ...pieces(argumentsOf(input)).map((piece) =>
    callChunk({ index, function: { arguments: piece } }),
  ),
];

/** The reply as a stream. The usage and `[DONE]` follow its end. */
export function chatFrames({ blocks, stop, output }: Reply): Frames {
  let index = 0;
  const chunks = [
    chunkOf({ role: "assistant", content: "", refusal: null }),
    ...blocks.flatMap((block) =>
      "name" in block
        ? callChunks(index++, block)
        : pieces(block.text).map((content) => chunkOf({ content })),
    ),
    chunkOf({}, stop),
  ];
  return {
    upToTerminal: chunks.map((chunk) => JSON.stringify(chunk)),
    after: [JSON.stringify(usageChunk(output)), "[DONE]"],
  };
}

/** The reply to a request without `stream`. */
export function chatBody({ blocks, stop, output }: Reply): string {
  const calls = blocks.filter((block) => "name" in block);
  const texts = blocks.filter((block) => "text" in block).map((block) => block.text);
  const message = {
    role: "assistant",
    content: texts.length > 0 ? texts.join("") : null,
    refusal: null,
    annotations: [],
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ id, name, input }) => ({
        id,
        type: "function",
        function: { name, arguments: argumentsOf(input) },
      })),
    }),
  };
  return JSON.stringify({
    ...chatMetadata,
    object: "chat.completion",
    choices: [{ index: 0, message, logprobs: null, finish_reason: stop }],
    usage: chatUsage(output),
  });
}
