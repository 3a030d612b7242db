export {
  type Adapter,
  type AdapterSpec,
  type EventBatches,
  type CallIdRule,
  defineAdapter,
  type Effort,
  type Endpoint,
  type NativeTool,
  refuseCap,
  type ToolSpec,
  type TurnRequest,
} from "./adapter.ts";
export { redactThrown } from "./cleaned.ts";
export { withEndpoint } from "./endpoint.ts";
export {
  type ErrorDetail,
  type ErrorKind,
  type ErrorTable,
  errorRules,
  isProviderError,
  ProviderError,
} from "./error.ts";
export type { Decoder, Emit, InputKey, Preview, TurnEvent } from "./event.ts";
export { explain } from "./explain.ts";
export { frozenCopy } from "./freeze.ts";
export { createGate, type Gate, type GateOptions } from "./gate.ts";
export {
  appendMessage,
  type Flaw,
  type FlawRule,
  repairHistory,
  validateHistory,
} from "./history.ts";
export { stringifyJson, parseJson } from "./json.ts";
export { isToolCall } from "./licence.ts";
export type {
  AssistantBlock,
  AssistantMessage,
  FileBlock,
  ImageBlock,
  Message,
  NativeBlock,
  NativeStop,
  Origin,
  TextBlock,
  ThinkingBlock,
  ToolCallBlock,
  ToolMessage,
  ToolResultBlock,
  Usage,
  UserMessage,
} from "./message.ts";
export type { PartialInput } from "./prefix.ts";
export { type ReadOptions, readTurn } from "./read.ts";
export { restoreTurn } from "./restore.ts";
export { salvageTurn } from "./salvage.ts";
export type { KnownEndpoint } from "./secrets.ts";
export type { SentRequest } from "./sent.ts";
export { type SseOptions, sse } from "./sse.ts";
export {
  type Claim,
  type ClaimedStop,
  type FailedStop,
  type Keeps,
  StopReason,
  type StopTable,
  stopRules,
} from "./stop.ts";
export type {
  EndedTurn,
  FailedTurn,
  ToolCall,
  ToolUseTurn,
  Turn,
  WithheldCall,
  WithheldReason,
} from "./turn.ts";
