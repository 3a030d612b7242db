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
export { tool } from "./config/parse-tools.ts";
export { jsonSchema } from "./config/schema.ts";
export {
  type DetailType,
  type EventPosition,
  type Observer,
  type Recovery,
  type RunEvent,
  withContext,
  withDetails,
} from "./contract/event.ts";
export {
  type Journal,
  JournalError,
} from "./contract/journal.ts";
export type { Limits } from "./contract/limits.ts";
export type { JournalOptions, RecoveryOptions, RunOptions, Waiting } from "./contract/options.ts";
export { type Outcome, UnfinishedRun } from "./contract/outcome.ts";
export {
  type Approve,
  type BeforeTurn,
  type Compact,
  type Decision,
  type Fallback,
  type FallbackCause,
  hasToolCall,
  type ReviewedCall,
  type Settle,
  type Settlement,
  type StopWhen,
  type TurnChanges,
  type TurnEnd,
  type UpcomingTurn,
} from "./contract/ports.ts";
export {
  type ExecutableTool,
  type InputRequest,
  needsInput,
  type Salvage,
  type Tool,
  type ToolContext,
  type ToolDefinition,
  type ToolOutput,
  type ToolResult,
  UnknownOutcome,
} from "./contract/tool.ts";
export { dropOldest, safeCuts } from "./recovery/compaction.ts";
export { type Run, run } from "./run.ts";
