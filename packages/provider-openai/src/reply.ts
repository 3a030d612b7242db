/** Readers of replies, for a gate without the SDK: these modules do not load `openai`. */

export { chatErrors } from "./chat/errors.ts";
export { type ChatEvent, parseChat } from "./chat/events.ts";
export { nativeStops as chatNativeStops } from "./chat/native-finish-reason.ts";
export type { ReplyQuirks as ChatReplyQuirks } from "./chat/quirks.ts";
export {
  type ChatReaderOptions,
  type ChatReplyHost,
  type ChatReplyOptions,
  chatReply,
  openaiChatReply,
  readChatRequest,
  type StopSequences,
  stopSequencesIn,
} from "./chat/reply.ts";
export { chatStops } from "./chat/stops.ts";
export { responsesErrors } from "./responses/errors.ts";
export { parseResponses, type ResponsesEvent } from "./responses/events.ts";
export {
  openaiReply,
  type ResponsesReaderOptions,
  type ResponsesReplyHost,
  type ResponsesReplyOptions,
  readResponsesRequest,
  responsesReply,
} from "./responses/reply.ts";
export { responsesStops } from "./responses/stops.ts";
