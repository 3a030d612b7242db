/** For adapters of hosts that speak one of these protocols. */
export { type ChatClient, type ChatHost, type ChatOptions, chatAdapter } from "./chat/adapter.ts";
export {
  createDecoder as createChatDecoder,
  type DecoderOptions as ChatDecoderOptions,
} from "./chat/decode.ts";
export { type ChatParams, encode as encodeChat, type Target as ChatTarget } from "./chat/encode.ts";
export { errors as chatErrors } from "./chat/errors.ts";
export { type ChatEvent, parseChat } from "./chat/events.ts";
export { callIds as chatCallIds } from "./chat/index.ts";
export { nativeStops as chatNativeStops } from "./chat/native.ts";
export type { Quirks as ChatQuirks } from "./chat/quirks.ts";
export { stops as chatStops } from "./chat/stops.ts";
export { createClient, type RequestOptions, read, requestOptions } from "./client.ts";
export { connect, type Host } from "./host.ts";
export {
  type ResponsesClient,
  type ResponsesHost,
  type ResponsesOptions,
  responsesAdapter,
} from "./responses/adapter.ts";
