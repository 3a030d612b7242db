export type {
  Adapter,
  AssistantMessage,
  Effort,
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
export type {
  JournalOptions,
  Limit,
  Limits,
  RecoveryOptions,
  RequestSettings,
  RunOptions,
  Waiting,
} from "./config/options.ts";
export type {
  ApprovalContext,
  Approve,
  BeforeTurn,
  BeginStep,
  Compact,
  Decision,
  Journal,
  JournalStep,
  Price,
  ReviewedCall,
  TurnChanges,
  UpcomingTurn,
} from "./config/ports.ts";
export { type InputSchema, jsonSchema } from "./config/schema.ts";
export {
  type Salvage,
  type Tool,
  type ToolContext,
  type ToolOutput,
  type ToolResult,
  tool,
} from "./config/tool.ts";
export type { Recovery, RunEvent } from "./event.ts";
export { type Outcome, UnfinishedRun } from "./outcome.ts";
export { dropOldest, safeCuts } from "./recovery/compaction.ts";
export { type Run, run } from "./run.ts";
