export type { Check, Clause, ClauseText, Question } from "./clause.ts";
export { clauses } from "./clauses/index.ts";
export { runClauses } from "./clauses/running.ts";
export { adapterControls, type Control, controls } from "./controls/index.ts";
export type { Recording } from "./fixtures/recordings.ts";
export type { ExpectedCall, ExpectedTurn, RecordedTurn } from "./fixtures/turn.ts";
export type { TurnFile } from "./fixtures/turn-file.ts";
export { type Answer, type Answering, type Host, inProcess, type Received } from "./host.ts";
export { everyClause, type JudgeOptions, judge, type Verdict } from "./judge.ts";
export { recordingsIn } from "./replay/folder.ts";
export { type Replay, replay } from "./replay/replay.ts";
export type { Replayed, Stream } from "./replay/replayed.ts";
export { fails, finding } from "./report/finding.ts";
export type { Finding, Report, ReportedSubject, Status } from "./report/report.ts";
export { type ReporterName, reporters } from "./report/reporters.ts";
export type { Color, Paint } from "./report/status.ts";
export { report } from "./report/verdict.ts";
export type { AskOptions, Harness } from "./rig.ts";
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
  Fixture,
  Frames,
  HttpFailure,
  InBandError,
  OfferedTool,
  Reply,
  ReplyCall,
  ReplyText,
  SentResult,
  Wire,
} from "./wire.ts";
