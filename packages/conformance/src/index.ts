export {
  type Clause,
  type ClauseText,
  type Mutant,
  type Question,
  type Reference,
  selectClauses,
  unknownClauseMessage,
} from "./clause.ts";
export { clauses } from "./clauses/index.ts";
export type { AssembledCall, ClientReading, WireClient } from "./client.ts";
export type { ExpectedCall, ExpectedTurn } from "./fixtures/turn.ts";
export type { GuardHarness } from "./guard/harness.ts";
export type { LeftReading, LeftReply } from "./guard/left-reply.ts";
export type { Check } from "./harness/check.ts";
export type { AskOptions, Harness } from "./harness/harness.ts";
export {
  type Answer,
  type Host,
  inProcess,
  type Received,
  type RequestHandler,
} from "./harness/host.ts";
export { cap } from "./harness/scenarios.ts";
export { type JudgeOptions, judge, type Verdict } from "./judge.ts";
export type { RunHarness, ScriptedRun } from "./loop/harness.ts";
export type { Script, ScriptContext } from "./loop/script.ts";
export {
  type Finding,
  finding,
  type Report,
  type ReportedSubject,
  type Status,
} from "./report/report.ts";
export { report } from "./report/text.ts";
export type {
  AdapterSubject,
  Canary,
  Effects,
  GuardFetch,
  LoopContext,
  LoopSubject,
  ObservedRun,
  Runner,
  RunnerSubject,
  Subject,
} from "./subject.ts";
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
