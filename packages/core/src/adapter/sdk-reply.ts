import type { EventBatches } from "../contract/adapter.ts";
import type { EventOptions } from "../transport/body.ts";
import { sse } from "../transport/sse.ts";

type SdkPromise = PromiseLike<unknown> & { asResponse(): Promise<Response> };

/**
 * Reads what a method of a vendor's SDK returned. Takes the raw response if the client can give it:
 * the stream of an SDK ends silently if the connection is cut, and drops events that it cannot
 * read.
 */
export async function readSdkReply<Native>(
  reply: PromiseLike<unknown>,
  options?: EventOptions<Native>,
): Promise<EventBatches<Native>> {
  return hasResponse(reply)
    ? sse<Native>(await reply.asResponse(), options)
    : parsedReply<Native>(await reply);
}

/** Whether the raw response of an SDK's reply can be read. */
export const hasResponse = (reply: PromiseLike<unknown>): reply is SdkPromise =>
  "asResponse" in reply && typeof reply.asResponse === "function";

/** What a client parsed by itself: a stream of native events, or a whole reply. */
export const parsedReply = <Native>(
  reply: unknown,
  head?: EventBatches<Native>["head"],
): EventBatches<Native> => Object.assign(eventsOf<Native>(reply), { head });

async function* eventsOf<Native>(reply: unknown): AsyncGenerator<readonly Native[]> {
  if (isStream<Native>(reply)) for await (const event of reply) yield [event];
  else yield [reply as Native];
}

const isStream = <Native>(reply: unknown): reply is AsyncIterable<Native> =>
  typeof reply === "object" && reply !== null && Symbol.asyncIterator in reply;
