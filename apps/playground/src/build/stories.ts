import type { CorpusReply } from "../corpus.ts";

const event = (type: string, fields: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;

/** What differs between the replies of a story. */
interface Story {
  readonly id: string;
  readonly name: string;
  /** The pieces of the input, as the model writes them. */
  readonly pieces: readonly string[];
  readonly stop: string;
  readonly output: number;
}

/** A reply of Anthropic Messages with one call of bash. */
const storyOf = ({ id, name, pieces, stop, output }: Story): CorpusReply => ({
  id,
  name,
  protocol: "anthropic-messages",
  maxTokens: 240,
  text: [
    event("message_start", {
      message: {
        id: "msg_01Story5nQeYxW8rVbKmZpLs",
        type: "message",
        role: "assistant",
        model: "claude-sonnet-5-5",
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 540, output_tokens: 1 },
      },
    }),
    event("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
    event("content_block_delta", {
      index: 0,
      delta: { type: "text_delta", text: "I'll clear the preview cache." },
    }),
    event("content_block_stop", { index: 0 }),
    event("content_block_start", {
      index: 1,
      content_block: {
        type: "tool_use",
        id: "toolu_01StoryJ8zVqXy5RkTmBp",
        name: "bash",
        input: {},
      },
    }),
    ...pieces.map((piece) =>
      event("content_block_delta", {
        index: 1,
        delta: { type: "input_json_delta", partial_json: piece },
      }),
    ),
    event("content_block_stop", { index: 1 }),
    event("message_delta", {
      delta: { stop_reason: stop, stop_sequence: null },
      usage: { output_tokens: output },
    }),
    event("message_stop", {}),
  ].join(""),
});

/** The replies of the demo. The model wants to delete a cache; until then it has written less. */
export const stories: readonly CorpusReply[] = [
  storyOf({
    id: "story/finished",
    name: "The model deletes a cache: rm -rf, piece by piece",
    pieces: ["", '{"comm', 'and": "', "rm -rf", " ~", "/.cache", "/fennel", '-preview"', "}"],
    stop: "tool_use",
    output: 71,
  }),
  storyOf({
    id: "story/relabelled",
    name: "The same, cut at the output cap; a gateway closes and relabels it",
    pieces: ["", '{"comm', 'and": "', "rm -rf", " ~/", '"}'],
    stop: "tool_use",
    output: 240,
  }),
];
