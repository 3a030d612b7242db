// A server of Anthropic's Messages that signs thinking and does the prefix check.
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { messageStart } from "./anthropic-messages.ts";
import { sseBytes } from "./fake-server.ts";
import { type ContentBlock, type Conversation, refusalOf, sign } from "./prefix-check.ts";

/** A block that the model writes. The server signs thinking. */
export type Written =
  | { readonly thinking: string }
  | { readonly redacted: true }
  | { readonly text: string }
  | WrittenCall
  | { readonly block: ContentBlock };
interface WrittenCall {
  readonly call: string;
  readonly id: string;
  /** What the model wrote. A text may be cut, or not be JSON. */
  readonly input: object | string;
  /** How often a gateway on the way repeats the call. The model wrote it once. */
  readonly copies?: number;
}

export interface WrittenReply {
  readonly blocks: readonly Written[];
  readonly stop: string;
  /** The connection ends before the reply does. */
  readonly breaks?: boolean;
  /** A refusal of the server instead of a reply. */
  readonly status?: number;
}

interface Asked extends Conversation {
  readonly stream?: boolean;
  readonly max_tokens?: number;
}

export interface PrefixServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly Conversation[];
  /** Why requests were refused, in their order. */
  readonly refusals: readonly string[];
  /** The number of replies that were not asked for yet. */
  left(): number;
}

interface SentBlock {
  readonly block: ContentBlock;
  /** The input as it is streamed. */
  readonly inputText?: string;
  readonly copies: number;
}

function blockOf(written: Written, sign: () => string): SentBlock {
  if ("thinking" in written) {
    const { thinking } = written;
    return { block: { type: "thinking", thinking, signature: sign() }, copies: 1 };
  }
  if ("redacted" in written)
    return { block: { type: "redacted_thinking", data: sign() }, copies: 1 };
  if ("text" in written) return { block: { type: "text", text: written.text }, copies: 1 };
  if ("block" in written) return { block: written.block, copies: 1 };
  const { id, call: name, input, copies = 1 } = written;
  return {
    block: { type: "tool_use", id, name, input },
    inputText: typeof input === "string" ? input : JSON.stringify(input),
    copies,
  };
}

function write(asked: Conversation, { blocks }: WrittenReply): readonly SentBlock[] {
  const said: SentBlock[] = [];
  for (const written of blocks) {
    const before = said.map(({ block }) => block);
    said.push(blockOf(written, () => sign(asked, before)));
  }
  return said.flatMap((one) => Array.from({ length: one.copies }, () => one));
}

type Event = { readonly type: string } & Readonly<Record<string, unknown>>;
const withoutContent: Readonly<Record<string, object>> = {
  text: { text: "" },
  thinking: { thinking: "", signature: "" },
  tool_use: { input: {} },
};

function deltasOf({ block, inputText }: SentBlock): readonly object[] {
  const { type, text, thinking, signature } = block;
  if (type === "text") return [{ type: "text_delta", text }];
  if (type === "thinking")
    return [
      { type: "thinking_delta", thinking },
      { type: "signature_delta", signature },
    ];
  return inputText === undefined ? [] : [{ type: "input_json_delta", partial_json: inputText }];
}

const eventsOf = (said: SentBlock, index: number): readonly Event[] => [
  {
    type: "content_block_start",
    index,
    content_block: { ...said.block, ...withoutContent[said.block.type] },
  },
  ...deltasOf(said).map((delta) => ({ type: "content_block_delta", index, delta })),
  { type: "content_block_stop", index },
];

/** A reply that was cut at the cap has used it up. */
const usageOf = ({ max_tokens: cap }: Asked, { stop }: WrittenReply): object => ({
  input_tokens: 12,
  output_tokens: stop === "max_tokens" ? cap : 40,
});

interface Envelope {
  readonly id: string;
  readonly isStream: boolean;
  readonly usage: object;
}

function answer(
  said: readonly SentBlock[],
  { stop, breaks }: WrittenReply,
  { id, isStream, usage }: Envelope,
) {
  const message = { ...messageStart.message, id };
  if (!isStream) {
    const content = said.map(({ block }) => block);
    const whole = JSON.stringify({ ...message, content, stop_reason: stop, usage });
    return { type: "application/json", text: breaks ? whole.slice(0, -30) : whole };
  }
  const end: readonly Event[] = [
    { type: "message_delta", delta: { stop_reason: stop, stop_sequence: null }, usage },
    { type: "message_stop" },
  ];
  const content = said.flatMap(eventsOf);
  const events = [
    { type: "message_start", message },
    ...content.slice(0, breaks ? -1 : undefined),
    ...(breaks ? [] : end),
  ];
  return { type: "text/event-stream; charset=utf-8", text: sseBytes(events) };
}

function refuse(response: ServerResponse, status: number, message: string): void {
  const type = status < 500 ? "invalid_request_error" : "api_error";
  response.writeHead(status, { "content-type": "application/json", "x-should-retry": "false" });
  response.end(JSON.stringify({ type: "error", error: { type, message } }));
}

/** Gives the replies in order. A request that is refused uses none. */
export async function startPrefixServer(replies: readonly WrittenReply[]): Promise<PrefixServer> {
  const requests: Conversation[] = [];
  const refusals: string[] = [];
  let next = 0;
  const server = createServer(async (request, response) => {
    const asked = (await json(request)) as Asked;
    requests.push(asked);
    const refusal = refusalOf(asked);
    if (refusal !== undefined) {
      refusals.push(refusal);
      return refuse(response, 400, refusal);
    }
    const reply = replies[next++];
    if (reply === undefined) return refuse(response, 500, "No reply is left.");
    if (reply.status !== undefined) return refuse(response, reply.status, "Not now.");
    const { type, text } = answer(write(asked, reply), reply, {
      id: `msg_${next}`,
      isStream: asked.stream === true,
      usage: usageOf(asked, reply),
    });
    response.writeHead(200, { "content-type": type, "request-id": "req_1" }).end(text);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    refusals,
    left: () => replies.length - next,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
