export type { Check, Clause, ClauseText, Question } from "./clause.ts";
export { clauses } from "./clauses/index.ts";
export { runClauses } from "./clauses/running.ts";
export { adapterControls, type Control, controls } from "./controls/index.ts";
export type { AskOptions, Exchange, Harness } from "./harness/harness.ts";
export {
  type Answer,
  type Host,
  inProcess,
  type Received,
  type RequestHandler as Answering,
} from "./harness/host.ts";
export { cap } from "./harness/tokens.ts";
export { everyClause, type JudgeOptions, judge, type Verdict } from "./judge.ts";
export type { RunHarness } from "./loop/harness.ts";
export type { ObservedRun as Ran, Runner } from "./loop/runner.ts";
export type { Script } from "./loop/scripts.ts";
export { type Finding, finding, type Report, type ReportedSubject } from "./report/report.ts";
export type { Status } from "./report/status.ts";
export { report } from "./report/verdict.ts";
export { selectClauses, unknownClauseMessage } from "./select.ts";
export type {
  AdapterSubject,
  Canary,
  LoopContext,
  LoopSubject,
  RunnerSubject,
  Subject,
} from "./subject.ts";
export type {
  AgentWire,
  Frames,
  HttpFailure,
  InBandError,
  OfferedTool,
  Reply,
  ReplyCall,
  ReplyText,
  Sample,
  SentResult,
  Wire,
} from "./wire.ts";
