import { guard } from "@fullstop/guard";
import { expect, test } from "vitest";
import { callBlock, messageEnd, messageStart, messagesRequest } from "./messages.ts";
import { startServer } from "./server.ts";

const call = { type: "tool_use", id: "toolu_1", name: "write_file", input: { path: "a.txt" } };
const search = { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} };
const found = { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [] };

const streamOf = (blocks: readonly { readonly type: string }[]): string =>
  messageStart +
  blocks
    .map((block, index) => {
      if (block === call) return callBlock(index, "toolu_1", '{"path":"a.txt"}');
      const start = { type: "content_block_start", index, content_block: block };
      const stop = { type: "content_block_stop", index };
      return [start, stop]
        .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
        .join("");
    })
    .join("") +
  messageEnd("pause_turn");
const bodyOf = (content: readonly object[]): string =>
  JSON.stringify({
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude-sonnet-5-5",
    content,
    stop_reason: "pause_turn",
    stop_sequence: null,
    usage: { input_tokens: 12, output_tokens: 40 },
  });

/** How a reply with these blocks ends for a client, streamed and in one piece. */
async function endingsOf(blocks: readonly { readonly type: string }[]): Promise<readonly string[]> {
  const asked = async (stream: boolean): Promise<string> => {
    const server = await startServer(() =>
      stream
        ? { chunks: [streamOf(blocks)] }
        : { chunks: [bodyOf(blocks)], headers: { "content-type": "application/json" } },
    );
    try {
      const response = await guard()(`${server.url}/v1/messages`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ ...messagesRequest, stream }),
      });
      const reply = await response.text();
      expect(reply).not.toContain(`"toolu_1"`);
      return [...reply.matchAll(/"stop_reason":"(\w+)"/g)].at(-1)?.[1] ?? "none";
    } finally {
      await server.close();
    }
  };
  return [await asked(true), await asked(false)];
}

test("A paused reply whose call is withheld ends as the output limit, because a client would send it back", async () => {
  expect(await endingsOf([call])).toEqual(["max_tokens", "max_tokens"]);
  expect(await endingsOf([search, found, call])).toEqual(["max_tokens", "max_tokens"]);
});

test("A paused reply stays paused while a tool of the provider is open", async () => {
  expect(await endingsOf([search, call])).toEqual(["pause_turn", "pause_turn"]);
});
