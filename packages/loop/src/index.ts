export type {
  Adapter,
  AssistantMessage,
  Effort,
  InputSchema,
  Message,
  NativeTool,
  PartialInput,
  Preview,
  ProviderError,
  ToolCall,
  ToolMessage,
  ToolResultBlock,
  Turn,
  Usage,
  UserMessage,
  WithheldCall,
} from "@fullstop/core";
export { type AgentOptions, type AgentTool, agentTool } from "./config/agent-tool.ts";
export type { Limit, Limits } from "./config/limits.ts";
export type { JournalOptions, RecoveryOptions, RunOptions, Waiting } from "./config/options.ts";
export type {
  ApprovalContext,
  Approve,
  Compact,
  Decision,
  Fallback,
  FallbackCause,
  Price,
  ReviewedCall,
  Settle,
  SettleContext,
  Settlement,
} from "./config/ports.ts";
export { jsonSchema } from "./config/schema.ts";
export {
  type ExecutableTool,
  type GivenInput,
  type InputRequest,
  needsInput,
  type Salvage,
  type Tool,
  type ToolContext,
  type ToolDefinition,
  type ToolOutput,
  type ToolResult,
  tool,
} from "./config/tool.ts";
export type {
  BeforeTurn,
  RequestSettings,
  StopWhen,
  TurnChanges,
  TurnEnd,
  UpcomingTurn,
} from "./config/turn-changes.ts";
export { UnknownOutcome } from "./dispatch/unknown-outcome.ts";
export {
  type DetailType,
  type EventPosition,
  type Observer,
  type Recovery,
  type RunEvent,
  withDetails,
} from "./event.ts";
export type { Journal, RunStatus, StoredRun } from "./journal/journal.ts";
export { JournalError, type JournalErrorKind } from "./journal/journal-error.ts";
export { type Outcome, UnfinishedRun } from "./outcome.ts";
export { dropOldest, safeCuts } from "./recovery/compaction.ts";
export { type Run, run } from "./run.ts";
