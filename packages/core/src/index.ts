export type {
  Adapter,
  Effort,
  Endpoint,
  NativeTool,
  ReplyReader,
  ToolSpec,
  TurnRequest,
} from "./contract/adapter.ts";
export {
  type ErrorKind,
  errorRules,
  ProviderError,
} from "./contract/error.ts";
export type { Preview } from "./contract/event.ts";
export type {
  AssistantBlock,
  AssistantMessage,
  FileBlock,
  ImageBlock,
  Message,
  TextBlock,
  ToolCallBlock,
  ToolMessage,
  ToolResultBlock,
  Usage,
  UserMessage,
} from "./contract/message.ts";
export { StopReason } from "./contract/stop.ts";
export type {
  RuleResult,
  ToolCall,
  Turn,
  WithheldCall,
  WithheldReason,
} from "./contract/turn.ts";
export { explain } from "./gate/explain.ts";
export { createGate, type Gate } from "./gate/gate.ts";
export { isToolCall } from "./gate/issued-calls.ts";
export { restoreTurn } from "./gate/restore.ts";
export { appendMessage, type Flaw, repairHistory, validateHistory } from "./history/history.ts";
export type { InputSchema } from "./json/schema.ts";
export { type ReadOptions, readTurn } from "./read.ts";
export { type ObjectReply, readObject } from "./read-object.ts";
export { toProviderError } from "./transport/thrown.ts";
