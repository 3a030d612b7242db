export {
  type Adapter,
  type AssistantMessage,
  type Effort,
  explain,
  type Message,
  type NativeTool,
  type PartialInput,
  type Preview,
  ProviderError,
  repairHistory,
  StopReason,
  type ToolCall,
  type ToolMessage,
  type ToolResultBlock,
  type Turn,
  type Usage,
  type UserMessage,
  validateHistory,
  type WithheldCall,
} from "@fullstop/core";
export type { ApprovalContext, Approve, Decision, ReviewedCall } from "./approval.ts";
export type { Attempts } from "./attempts.ts";
export { type Compact, dropOldest, safeCuts } from "./compaction.ts";
export type { Recovery, RunEvent } from "./event.ts";
export type { Begin, Journal, Step } from "./journal.ts";
export type { Limit, Limits, Price } from "./limits.ts";
export type { RunOptions } from "./options.ts";
export { type Outcome, UnfinishedRun } from "./outcome.ts";
export { type Run, run } from "./run.ts";
export { type InputSchema, jsonSchema } from "./schema.ts";
export type { Steer } from "./steering.ts";
export {
  type Salvage,
  type Tool,
  type ToolContext,
  type ToolOutput,
  type ToolResult,
  tool,
} from "./tool.ts";
export type { Waiting } from "./waiting.ts";
