/** Readers of replies, for a gate without the SDK: these modules do not load `openai`. */
export { type ChatEvent, parseChat } from "./chat/decode/events.ts";
export { chatErrors } from "./chat/errors.ts";
export { nativeStops as chatNativeStops } from "./chat/native-finish-reason.ts";
export type { ReplyQuirks as ChatReplyQuirks } from "./chat/quirks.ts";
export {
  type ChatReplyHost,
  type ChatReplyOptions,
  chatReply,
  openaiChatReply,
} from "./chat/reply.ts";
export { readChatRequest } from "./chat/sent-request.ts";
export { chatStops } from "./chat/stops.ts";
export { parseResponses, type ResponsesEvent } from "./responses/decode/events.ts";
export { responsesErrors } from "./responses/errors.ts";
export {
  openaiReply,
  type ResponsesReaderOptions,
  type ResponsesReplyHost,
  type ResponsesReplyOptions,
  responsesReply,
} from "./responses/reply.ts";
export { readResponsesRequest } from "./responses/sent-request.ts";
export { responsesStops } from "./responses/stops.ts";
