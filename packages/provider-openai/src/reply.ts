/** How replies are read, for a gate without the SDK: none of these modules loads `openai`. */

export type { ChatEvent } from "./chat/decode/events.ts";
export { errors as chatErrors } from "./chat/errors.ts";
export { nativeStops as chatNativeStops } from "./chat/native-finish-reason.ts";
export type { ReplyQuirks as ChatReplyQuirks } from "./chat/quirks.ts";
export {
  type ChatReplyHost,
  type ChatReplyOptions,
  chatReply,
  openaiChatReply,
} from "./chat/reply.ts";
export { readSent as readChatRequest } from "./chat/sent-request.ts";
export { stops as chatStops } from "./chat/stops.ts";
export type { ResponsesEvent } from "./responses/decode/index.ts";
export { errors as responsesErrors } from "./responses/errors.ts";
export {
  openaiReply,
  type ResponsesReplyHost,
  type ResponsesReplyOptions,
  responsesReply,
} from "./responses/reply.ts";
export { readSent as readResponsesRequest } from "./responses/sent-request.ts";
export { stops as responsesStops } from "./responses/stops.ts";
