import Anthropic from "@anthropic-ai/sdk";
import { askAll, type Cell, createPlainClient, laterRuns, ways } from "@tooling/test/prefix-cells";
import { describe, expect, test } from "vitest";
import { openFront } from "./servers.ts";

const tools: Anthropic.Tool[] = [
  {
    name: "write",
    input_schema: { type: "object", properties: { path: { type: "string" } } },
  },
];

/** Asks through a gateway of its own, with the vendor's SDK. A request that fails has no reply. */
async function replyAt(
  upstream: string,
  messages: Anthropic.MessageParam[],
  { stream, reask }: { readonly stream: boolean; readonly reask: boolean },
): Promise<Anthropic.Message | undefined> {
  await using front = await openFront({ url: upstream }, { guard: { reask } });
  const baseURL = `${front.url}/up`;
  const client = new Anthropic({ apiKey: "key", baseURL, maxRetries: 0 });
  const request = { model: "claude-sonnet-5-5", max_tokens: 1024, tools, messages };
  try {
    return stream
      ? await client.messages.stream(request).finalMessage()
      : await client.messages.create(request);
  } catch {
    return undefined;
  }
}

const client = (stream: boolean, reask: boolean) =>
  createPlainClient<Anthropic.MessageParam>((url, messages) =>
    replyAt(url, messages, { stream, reask }),
  );

describe.each([
  ["without asking again", false],
  ["with `reask`", true],
])("%s, no request is refused behind a reply", (_, reask) => {
  test.each(ways)("$name", async ({ stream, cell }) => {
    const { ran, ask } = client(stream, reask);
    expect(await askAll(cell, ask)).toEqual([]);
    expect(ran).toEqual([...cell.runs, ...laterRuns]);
  });
});

/** A call that the model wrote as text: the same request brings the reply that follows. */
const markup = `<tool_call>\n{"name":"write","arguments":{"path":"a"}}\n</tool_call>`;
const leaked: Cell = {
  reply: { stop: "end_turn", blocks: [{ thinking: "I need a." }, { text: markup }] },
  runs: [],
};

test("a leaked call in one piece is asked for again with the client's own messages", async () => {
  const { ran, ask } = client(false, true);
  expect(await askAll(leaked, ask)).toEqual([]);
  expect(ran).toEqual(laterRuns);
});

test.each(["begins with success", "fails"])("a second reply that %s", async (how) => {
  const { ran, ask } = client(false, true);
  const broken = { stop: "tool_use", status: 500, blocks: [] };
  const before = how === "fails" ? [leaked.reply, broken] : [];
  const cut: Cell = {
    reply: {
      stop: "max_tokens",
      blocks: [{ thinking: "a" }, { call: "write", id: "a", input: {} }],
    },
    runs: [],
  };
  expect(await askAll(cut, ask, before)).toEqual([]);
  expect(ran).toEqual(laterRuns);
});
