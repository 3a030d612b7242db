/** How replies are read, for a gate without the SDK: none of these modules loads `openai`. */
import type { ReplyReader } from "@fullstop/core";
import { type ChatReaderOptions, chatReply } from "@fullstop/provider-openai/reply";
import type { DialectName } from "./dialect.ts";
import { type DialectReplyOptions, type NamedDialect, parseDialect } from "./host.ts";

export type { Dialect, DialectName } from "./dialect.ts";
export { dialects } from "./dialects.ts";
export type { DialectReplyOptions, NamedDialect } from "./host.ts";

/**
 * Reads replies of a host that speaks Chat Completions, for `createGate`. Needs no SDK.
 * Push the parsed chunks, or the whole completion, and `"[DONE]"` if it came.
 * @throws TypeError if no dialect has this name.
 */
export const openaiCompatibleReply = (
  dialect: DialectName | NamedDialect,
  model: string,
  options: DialectReplyOptions & ChatReaderOptions = {},
): ReplyReader => chatReply(parseDialect(dialect, model, options).reply, options);
