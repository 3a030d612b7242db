import type { Adapter } from "@fullstop/core";
import { type OpenAIOptions, openai } from "@fullstop/provider-openai";

export type Event = { readonly type: string } & Record<string, unknown>;
export type Item = { readonly type: string } & Record<string, unknown>;

export const response = (status: string, rest: object = {}): object => ({
  id: "resp_1",
  object: "response",
  model: "gpt-5.5",
  status,
  error: null,
  incomplete_details: null,
  output: [],
  usage: null,
  ...rest,
});
export const usage = {
  input_tokens: 10,
  input_tokens_details: { cached_tokens: 4 },
  output_tokens: 20,
  total_tokens: 30,
};
export const created: Event = { type: "response.created", response: response("in_progress") };
export const ended = (status: string, rest: object = {}): Event => ({
  type: `response.${status}`,
  response: response(status, { usage, ...rest }),
});
export const completed: Event = ended("completed");

export const added = (output_index: number, item: Item): Event => ({
  type: "response.output_item.added",
  output_index,
  item,
});
export const done = (output_index: number, item: Item): Event => ({
  type: "response.output_item.done",
  output_index,
  item,
});
const delta = (type: string, output_index: number, text: string): Event => ({
  type: `response.${type}.delta`,
  output_index,
  content_index: 0,
  summary_index: 0,
  item_id: "item",
  delta: text,
});

export const message = (text: string, rest: object = {}): Item => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text, annotations: [] }],
  ...rest,
});
export const call = (name: string, json: string, rest: object = {}): Item => ({
  id: `fc_${name}`,
  type: "function_call",
  call_id: `call_${name}`,
  name,
  arguments: json,
  status: "completed",
  ...rest,
});
export const reasoning = (text: string, rest: object = {}): Item => ({
  id: "rs_1",
  type: "reasoning",
  summary: text === "" ? [] : [{ type: "summary_text", text }],
  encrypted_content: "gAAA",
  ...rest,
});

export const messageEvents = (at: number, text: string): readonly Event[] => [
  added(at, message("", { status: "in_progress", content: [] })),
  delta("output_text", at, text),
  done(at, message(text)),
];
export const callEvents = (at: number, item: Item): readonly Event[] => {
  const json = String(item["arguments"]);
  return [
    added(at, { ...item, arguments: "", status: "in_progress" }),
    ...[json.slice(0, 5), json.slice(5)].map((piece) =>
      delta("function_call_arguments", at, piece),
    ),
    {
      type: "response.function_call_arguments.done",
      output_index: at,
      item_id: "item",
      arguments: json,
    },
    done(at, item),
  ];
};
export const reasoningEvents = (at: number, item: Item, text: string): readonly Event[] => [
  added(at, { ...item, summary: [] }),
  delta("reasoning_summary_text", at, text),
  done(at, item),
];
export const reply = (...items: readonly (readonly Event[])[]): readonly Event[] => [
  created,
  ...items.flat(),
  completed,
];

export const bytes = (events: readonly Event[]): string =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
export const sseResponse = (body: BodyInit, init: ResponseInit = {}): Response =>
  new Response(body, {
    ...init,
    headers: {
      "content-type": "text/event-stream; charset=utf-8",
      "x-request-id": "req_1",
      ...init.headers,
    },
  });
export const jsonResponse = (body: unknown, init: ResponseInit = {}): Response =>
  new Response(JSON.stringify(body), {
    ...init,
    headers: { "content-type": "application/json", "x-request-id": "req_1", ...init.headers },
  });

type Answer = readonly Event[] | string | (() => Response | Promise<Response>);

/** A request, as the server received it. */
export interface Sent {
  readonly url: string;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a request body is asserted on at any depth
  readonly body: any;
}
export interface Server {
  readonly fetch: typeof globalThis.fetch;
  readonly requests: readonly Sent[];
  adapter(options?: OpenAIOptions, model?: string): Adapter;
}

/** A `fetch` that answers in order, for the real SDK. */
export function serve(...answers: readonly Answer[]): Server {
  const requests: Sent[] = [];
  const fetch: typeof globalThis.fetch = async (url, init) => {
    requests.push({
      url: String(url),
      headers: new Headers(init?.headers),
      body: JSON.parse(String(init?.body)),
    });
    const answer = answers[requests.length - 1];
    if (answer === undefined) throw new Error("No answer is left.");
    if (typeof answer === "function") return answer();
    return sseResponse(typeof answer === "string" ? answer : bytes(answer));
  };
  return {
    fetch,
    requests,
    adapter: (options, model = "gpt-5.5") => openai(model, { apiKey: "key", fetch, ...options }),
  };
}
