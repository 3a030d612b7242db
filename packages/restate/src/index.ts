export type { AgentContext, AgentRunOptions, AgentWorkflowOptions } from "./agent-options.ts";
export type { AgentResult } from "./agent-result.ts";
export { type AgentHandlers, agentWorkflow } from "./agent-workflow.ts";
export type { Answers } from "./answers.ts";
export {
  type RestateJournal,
  type RestateJournalOptions,
  restateJournal,
} from "./restate-journal.ts";
