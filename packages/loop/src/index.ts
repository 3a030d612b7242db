export type {
  Adapter,
  AssistantMessage,
  InputSchema,
  Message,
  NativeTool,
  ToolCall,
  ToolResultBlock,
  Turn,
  Usage,
  UserMessage,
} from "@fullstop/core";
export type { PartialInput } from "@fullstop/core/adapter";
export { type AgentOptions, agentTool } from "./config/agent-tool.ts";
export { tool } from "./config/parse-tools.ts";
export { jsonSchema } from "./config/schema.ts";
export {
  type Observer,
  type Recovery,
  type RunEvent,
  withContext,
  withDetails,
} from "./contract/event.ts";
export type { Journal } from "./contract/journal.ts";
export type { JournalOptions, RunOptions, Waiting } from "./contract/options.ts";
export { type Outcome, UnfinishedRun } from "./contract/outcome.ts";
export {
  type Approve,
  type BeforeTurn,
  type Compact,
  type Decision,
  hasToolCall,
  type ReviewedCall,
  type Settle,
  type Settlement,
  type StopWhen,
  type TurnChanges,
} from "./contract/ports.ts";
export {
  type ExecutableTool,
  type InputRequest,
  needsInput,
  type Tool,
  type ToolContext,
  type ToolOutput,
  type ToolResult,
  UnknownOutcome,
} from "./contract/tool.ts";
export { dropOldest, safeCuts } from "./recovery/compaction.ts";
export { type Run, run } from "./run.ts";
