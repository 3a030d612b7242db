import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Recording, recordingsIn } from "@fullstop/conformance/replay";
import { type Fetch, type GuardOptions, type GuardReport, guard } from "@fullstop/guard";
import OpenAI from "openai";
import { type Guarded as Answered, type PlayedReply, readGuarded, startServer } from "./server.ts";

const fixtures = new URL("../../conformance/fixtures/", import.meta.url);

/** The recorded replies of Chat Completions. */
export const recordings: readonly Recording[] = await recordingsIn(
  fileURLToPath(new URL("openai-chat/", fixtures)),
);

interface Tool {
  readonly name: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}
const { tools }: { readonly tools: readonly Tool[] } = JSON.parse(
  readFileSync(new URL("request.json", fixtures), "utf8"),
);

/** The request of the corpus. */
export const chatRequest: OpenAI.ChatCompletionCreateParams = {
  model: "gpt-5.2",
  max_tokens: 1024,
  messages: [{ role: "user", content: "Go." }],
  tools: tools.map(({ name, inputSchema: parameters }) => ({
    type: "function",
    function: { name, parameters },
  })),
};

export type Fields = Readonly<Record<string, unknown>>;

/** What a client got through the guard. */
export interface Guarded extends Answered {
  readonly report: GuardReport;
}
export interface AskOptions extends GuardOptions {
  /** The address that the client and the guard see. By default that of OpenAI. */
  readonly origin?: string;
  /** Further members of the request. */
  readonly request?: object;
}

/** A host that plays replies behind the guard. */
export interface Desk {
  /** Asks for raw bytes. */
  ask(reply: PlayedReply, options?: AskOptions): Promise<Guarded>;
  /** OpenAI's SDK. It gets the replies in their order, and then always the last. */
  client(replies: PlayedReply | readonly PlayedReply[], options?: AskOptions): OpenAI;
  /** The same SDK without the guard. */
  unguarded(reply: PlayedReply): OpenAI;
  /** The body of the last request that the host got. */
  lastBody(): Fields;
  close(): Promise<void>;
}

const openaiOrigin = "https://api.openai.com";

/** Each client has its own path, so that many replies can be under way at once. */
export async function openDesk(): Promise<Desk> {
  const queues: PlayedReply[][] = [];
  const server = await startServer(({ path }) => {
    const queue = queues[Number(path.slice(1))] ?? [];
    return (queue.length > 1 ? queue.shift() : queue[0]) ?? { chunks: [] };
  });
  const upstream = (replies: PlayedReply | readonly PlayedReply[]): Fetch => {
    const path = `/${queues.push([replies].flat()) - 1}`;
    return (_, init) => fetch(server.url + path, init);
  };
  const sdk = (own: Fetch, origin = openaiOrigin): OpenAI =>
    new OpenAI({ apiKey: "k", baseURL: `${origin}/v1`, fetch: own, maxRetries: 0 });
  return {
    close: () => server.close(),
    unguarded: (reply) => sdk(upstream(reply)),
    lastBody: () => JSON.parse(server.requests.at(-1)?.body ?? "{}"),
    client: (replies, { origin, request: _, ...options } = {}) =>
      sdk(guard(upstream(replies), options), origin),
    async ask(reply, { origin = openaiOrigin, request, ...options } = {}) {
      const onUnguarded = (): void => undefined;
      const init = {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ ...chatRequest, ...request }),
      };
      const { report, ...answered } = await readGuarded(
        (given) => guard(upstream(reply), given)(`${origin}/v1/chat/completions`, init),
        { onUnguarded, ...options },
      );
      if (report === undefined) throw new Error("The guard reported nothing.");
      return { ...answered, report };
    },
  };
}

/** Whether a text holds a part of a call. */
export const holdsCall = (text: string): boolean => /"(?:tool_calls|function_call)":/.test(text);

const head = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "gpt-5.2" };

/** A chunk with this delta in its first choice. */
export const chunk = (delta: Fields, reason: string | null = null, more: Fields = {}): string =>
  choicesChunk({ index: 0, delta, finish_reason: reason, ...more });
/** A chunk with these choices. */
export const choicesChunk = (...choices: readonly Fields[]): string =>
  `data: ${JSON.stringify({ ...head, choices })}\n\n`;
export const opening: string = chunk({ role: "assistant", content: "" });
export const done = "data: [DONE]\n\n";

/** The delta of a whole call. */
export const callDelta = (index: number, id: string, path: string, more: Fields = {}): Fields => ({
  tool_calls: [{ index, ...callOf(id, path), ...more }],
});
export const callOf = (id: string, path: string): Fields => ({
  id,
  type: "function",
  function: { name: "read", arguments: JSON.stringify({ path }) },
});

/** A whole reply as a body. */
export const bodyOf = (message: Fields, reason: string, ...others: readonly Fields[]): string =>
  JSON.stringify({
    ...head,
    object: "chat.completion",
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: null, ...message },
        finish_reason: reason,
      },
      ...others,
    ],
    usage: { prompt_tokens: 9, completion_tokens: 12, total_tokens: 21 },
  });

/** The events of a stream. */
export const eventsOf = (text: string): readonly Fields[] =>
  [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data = ""]) => JSON.parse(data) as Fields);

/** A reply that is streamed. */
export const streamed = (...chunks: readonly string[]): PlayedReply => ({
  chunks: [chunks.join("")],
});
/** A reply that is one body. */
export const whole = (body: string): PlayedReply => ({
  chunks: [body],
  headers: { "content-type": "application/json" },
});

/** The function of the calls. */
export const said = { name: "read", arguments: '{"path":"/srv/a"}' };
