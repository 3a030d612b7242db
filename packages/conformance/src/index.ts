export type { Clause, ClauseText, Mutant, Reference } from "./clause.ts";
export { clauses } from "./clauses/index.ts";
export type { Check } from "./harness/check.ts";
export type { AskOptions, Exchange, Harness } from "./harness/harness.ts";
export {
  type Answer,
  type Host,
  inProcess,
  type Received,
  type RequestHandler,
} from "./harness/host.ts";
export { cap } from "./harness/tokens.ts";
export { type JudgeOptions, judge, type Verdict } from "./judge.ts";
export type { RunHarness } from "./loop/harness.ts";
export type { ObservedRun, Runner } from "./loop/runner.ts";
export type { Script } from "./loop/script.ts";
export type { Question } from "./question.ts";
export { type Recording, recordingsIn } from "./replay/recording.ts";
export { type Replay, replay } from "./replay/replay.ts";
export type { Replayed, Stream } from "./replay/replayed.ts";
export type { ExpectedTurn, RecordedTurn } from "./replay/turn.ts";
export { fails, finding } from "./report/finding.ts";
export { describeReferences } from "./report/references.ts";
export type { Finding, Report, ReportedSubject, Status } from "./report/report.ts";
export { type ReporterName, reporters } from "./report/reporters.ts";
export type { Color, Paint } from "./report/status.ts";
export { report } from "./report/verdict.ts";
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
