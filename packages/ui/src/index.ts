export type {
  EndedData,
  FinishReason,
  LeakedData,
  PartMark,
  UiChunk,
  UiDataTypes,
  WaitingData,
  WithheldData,
} from "./chat/chunk.ts";
export { readUiAnswers, type UiAnswers } from "./chat/read-answers.ts";
export { readUiMessages } from "./chat/read-messages.ts";
export { UiMessageError } from "./chat/ui-message.ts";
export { resumeUi, type UiOptions, uiResponse } from "./chat/ui-response.ts";
export type { ErrorDetail, PublicError } from "./error-text.ts";
export { type ChatHandlerOptions, chatHandler } from "./handler/chat-handler.ts";
export {
  type ChatStore,
  type MemoryChatStoreOptions,
  memoryChatStore,
  type StoredChat,
} from "./handler/chat-store.ts";
export { type ShownMessage, type ShownPart, toUiMessages } from "./handler/to-ui-messages.ts";
export { type MemoryLogOptions, memoryLog } from "./log/memory-log.ts";
export type { StreamFrame, StreamLog, StreamPosition } from "./log/stream-log.ts";
export type { ResponseOptions } from "./respond.ts";
export {
  createRunStreams,
  type RunStreams,
  type RunStreamsOptions,
  type StreamClient,
} from "./run-streams.ts";
export type {
  PublicBlock,
  PublicCall,
  PublicEvent,
  PublicOutcome,
  PublicTurn,
  PublicWithheldCall,
} from "./sse/public-event.ts";
export { resumeSse, type SseOptions, sseResponse } from "./sse/sse-response.ts";
export { StreamError, type StreamErrorKind } from "./stream-error.ts";
export type { Encoder, EndOptions, RunSource, StreamedRun } from "./streamed-run.ts";
