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
export { jsonSchema } from "./config/schema.ts";
export {
  type DetailType,
  type EventPosition,
  type Observer,
  type Recovery,
  type RunEvent,
  withDetails,
} from "./contract/event.ts";
export {
  type Journal,
  JournalError,
  type JournalErrorKind,
  type RunStatus,
  type StoredRun,
} from "./contract/journal.ts";
export type { Limit, Limits } from "./contract/limits.ts";
export type { JournalOptions, RecoveryOptions, RunOptions, Waiting } from "./contract/options.ts";
export { type Outcome, UnfinishedRun } from "./contract/outcome.ts";
export type {
  ApprovalContext,
  Approve,
  BeforeTurn,
  Compact,
  Decision,
  Fallback,
  FallbackCause,
  Price,
  RequestSettings,
  ReviewedCall,
  Settle,
  SettleContext,
  Settlement,
  StopWhen,
  TurnChanges,
  TurnEnd,
  UpcomingTurn,
} from "./contract/ports.ts";
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
  UnknownOutcome,
} from "./contract/tool.ts";
export { dropOldest, safeCuts } from "./recovery/compaction.ts";
export { type Run, run } from "./run.ts";
