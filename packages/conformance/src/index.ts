export type { Check, Clause, ClauseText, Question } from "./clause.ts";
export { clauses } from "./clauses/index.ts";
export { runClauses } from "./clauses/running.ts";
export { adapterControls, type Control, controls } from "./controls/index.ts";
export { type Answer, type Answering, type Host, inProcess, type Received } from "./host.ts";
export { everyClause, type JudgeOptions, judge, type Verdict } from "./judge.ts";
export { type Recording, recordingsIn } from "./replay/recording.ts";
export { type Replay, replay } from "./replay/replay.ts";
export type { Replayed, Stream } from "./replay/replayed.ts";
export type { ExpectedTurn, RecordedTurn } from "./replay/turn.ts";
export { fails, finding } from "./report/finding.ts";
export type { Finding, Report, ReportedSubject, Status } from "./report/report.ts";
export { type ReporterName, reporters } from "./report/reporters.ts";
export type { Color, Paint } from "./report/status.ts";
export { report } from "./report/verdict.ts";
export type { AskOptions, Exchange, Harness } from "./rig.ts";
export type { RunHarness } from "./run/rig.ts";
export type { Ran, Runner } from "./run/runner.ts";
export type { Script } from "./run/scripts.ts";
export type {
  AdapterSubject,
  Canary,
  LoopContext,
  LoopSubject,
  RunnerSubject,
  Subject,
} from "./subject.ts";
export { cap } from "./tokens.ts";
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
