import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { messageStart } from "@tooling/test/anthropic-messages";
import {
  type Answer,
  type FakeServer,
  fakeServer,
  sseBytes,
  sseResponse,
} from "@tooling/test/fake-server";
import { jsonSchema, type ToolSet, tool } from "ai";

type Fields = Readonly<Record<string, unknown>>;

/** Events of Anthropic Messages. */
const block = (index: number, content_block: Fields, ...deltas: readonly Fields[]): Fields[] => [
  { type: "content_block_start", index, content_block },
  ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
  { type: "content_block_stop", index },
];
export const text = (index: number, words: string): Fields[] =>
  block(index, { type: "text", text: "" }, { type: "text_delta", text: words });
export const thinking = (index: number, words: string, signature: string): Fields[] =>
  block(
    index,
    { type: "thinking", thinking: "", signature: "" },
    { type: "thinking_delta", thinking: words },
    { type: "signature_delta", signature },
  );
export const call = (index: number, id: string, input: string): Fields[] =>
  block(
    index,
    { type: "tool_use", id, name: "write", input: {} },
    { type: "input_json_delta", partial_json: input },
  );
/** A search that the provider runs itself. */
export const search = (index: number): Fields[] => [
  ...block(
    index,
    { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} },
    { type: "input_json_delta", partial_json: '{"query":"bread"}' },
  ),
  ...block(index + 1, {
    type: "web_search_tool_result",
    tool_use_id: "srvtoolu_1",
    content: [],
  }),
];

export const message =
  (content: readonly Fields[], stop_reason: string, output_tokens = 40): Answer =>
  () =>
    sseResponse(
      sseBytes([
        messageStart,
        ...content,
        {
          type: "message_delta",
          delta: { stop_reason, stop_sequence: null },
          usage: { output_tokens },
        },
        { type: "message_stop" },
      ]),
    );

/** A server that gives these replies, and the inputs of the tool `write` that ran. */
export function world(
  answers: readonly Answer[],
): FakeServer & { readonly ran: readonly string[]; readonly tools: ToolSet } {
  const ran: string[] = [];
  const write = tool({
    description: "Write a file.",
    inputSchema: jsonSchema<{ path: string }>({
      type: "object",
      properties: { path: { type: "string" } },
      required: ["path"],
    }),
    execute: async ({ path }) => {
      ran.push(path);
      return `Wrote ${path}.`;
    },
  });
  return { ...fakeServer(answers), ran, tools: { write } };
}

/** The parts of a stream, without the times of the server. */
export async function partsOf(
  stream: ReadableStream<LanguageModelV4StreamPart>,
): Promise<LanguageModelV4StreamPart[]> {
  const parts: LanguageModelV4StreamPart[] = [];
  for await (const part of stream) if (part.type !== "ping") parts.push(part);
  return parts;
}
