export {
  type Adapter,
  type AdapterSpec,
  type Batches,
  type CallIdRule,
  defineAdapter,
  type Effort,
  type Endpoint,
  type NativeTool,
  type ToolSpec,
  type TurnRequest,
} from "./adapter.ts";
export { type ErrorDetail, type ErrorKind, type ErrorTable, errorRules, isProviderError, ProviderError } from "./error.ts";
export type { Emit, InputKey, Preview, TurnEvent } from "./event.ts";
export type { Gate, GateOptions } from "./gate.ts";
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
export { type Claim, type ClaimedStop, type FailedStop, type Keeps, StopReason, type StopTable, stopRules } from "./stop.ts";
export type { EndedTurn, FailedTurn, ToolCall, ToolUseTurn, Turn, WithheldCall, WithheldReason } from "./turn.ts";
