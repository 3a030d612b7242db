import type { Endpoint } from "@fullstop/core";
import { type EventBatches, type SseOptions, sse } from "@fullstop/core/adapter";
import OpenAI, { type ClientOptions } from "openai";

/** What every request hands to the client beside its parameters. */
export interface RequestOptions {
  readonly signal: AbortSignal;
  readonly maxRetries: 0;
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds until the head of the response. */
  readonly timeout?: number;
}

/** What a person is told where there is no key. */
export const about = { name: "OpenAI", keyVariable: "OPENAI_API_KEY" } as const;

/** What hosts that are not OpenAI's must not be told. */
export type Credentials = Pick<ClientOptions, "organization" | "project" | "defaultHeaders">;

/** Whatever the environment says of a URL, it counts only where the caller says so. */
export function createClient(
  { baseURL = "https://api.openai.com/v1", apiKey, fetch }: Endpoint,
  credentials: Credentials = {},
): OpenAI {
  const given = { ...(apiKey !== undefined && { apiKey }), ...(fetch && { fetch }) };
  return new OpenAI({ ...credentials, ...given, baseURL, maxRetries: 0, logLevel: "off" });
}

/** A reply in one piece has its head when it is written; how long to wait is said by `readTurn`. */
const wholeReplyMs = 3_600_000;

/** What a request hands to the SDK: no retries, and no time limit but `readTurn`'s. */
export const requestOptions = (
  signal: AbortSignal,
  {
    headers,
    stream = true,
  }: {
    readonly headers?: RequestOptions["headers"] | undefined;
    readonly stream?: boolean | undefined;
  },
): RequestOptions => ({
  signal,
  maxRetries: 0,
  ...(headers && { headers }),
  ...(!stream && { timeout: wholeReplyMs }),
});

/** The response itself where the client has one that the core can read, for the SDK's own stream ends silently when cut. */
export async function read<Native>(
  reply: PromiseLike<unknown>,
  parse?: SseOptions<Native>["parse"],
): Promise<EventBatches<Native>> {
  if (!hasResponse(reply)) return batches<Native>(await reply);
  return sse<Native>(await reply.asResponse(), { parse });
}

const hasResponse = (
  reply: PromiseLike<unknown>,
): reply is PromiseLike<unknown> & { asResponse(): Promise<Response> } =>
  "asResponse" in reply && typeof reply.asResponse === "function";

/** What a client read by itself: a stream of events, or a whole reply. */
async function* batches<Native>(reply: unknown): AsyncGenerator<readonly Native[]> {
  if (!isStream<Native>(reply)) yield [reply as Native];
  else for await (const event of reply) yield [event];
}
const isStream = <Native>(reply: unknown): reply is AsyncIterable<Native> =>
  typeof reply === "object" && reply !== null && Symbol.asyncIterator in reply;
