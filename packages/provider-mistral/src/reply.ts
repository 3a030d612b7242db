import type { ReplyReader } from "@fullstop/core";
import { type ChatReaderOptions, chatReply } from "@fullstop/provider-openai/reply";
import { replyHost } from "./reply-host.ts";

export { readChatRequest as readSent } from "@fullstop/provider-openai/reply";
export { errors } from "./errors.ts";
export { type MistralStop, stops } from "./stops.ts";

/** How a gateway to Mistral differs from Mistral's API in its replies. */
export type MistralReplyOptions = ChatReaderOptions;

/**
 * Reads the replies of one model, for `createGate`. It does not load the SDK, so it suits programs
 * that send their requests themselves, such as workers.
 * Push the parsed chunks, or the whole completion, and `"[DONE]"` if it came.
 */
export const mistralReply = (model: string, options: MistralReplyOptions = {}): ReplyReader =>
  chatReply(replyHost(model), options);
