export {
  type Clause,
  type ClauseText,
  type Mutant,
  type NamedCheck,
  type Question,
  selectClauses,
  splitCheck,
  textForLoops,
  unknownClauseMessage,
} from "./clause.ts";
export { clauses } from "./clauses/index.ts";
export type { AssembledCall, ClientReading, WireClient } from "./client.ts";
export type { ExpectedCall, ExpectedTurn } from "./fixtures/turn.ts";
export type { FramingName } from "./framing/framing.ts";
export type { GuardHarness } from "./guard/harness.ts";
export type { LeftReading, LeftReply } from "./guard/left-reply.ts";
export type { Check } from "./harness/check.ts";
export type { AskOptions, Harness } from "./harness/harness.ts";
export {
  type Answer,
  type Exchange,
  type Host,
  inProcess,
  type Received,
  type RequestHandler,
} from "./harness/host.ts";
export type { CheckResults } from "./harness/run-checks.ts";
export { cap } from "./harness/scenarios.ts";
export type { HeldConversations, JoinedRequest, KeptReply, KeptTurn } from "./held.ts";
export { type JudgeOptions, judge } from "./judge.ts";
export type { Verdict } from "./judge-clause.ts";
export type { SeenRequest } from "./loop/conversation.ts";
export type { RunHarness, RunObserver, ScriptedRun } from "./loop/harness.ts";
export type { Script, ScriptContext, ScriptNames } from "./loop/script.ts";
export type { Evidence, Reference, ReplySource, ReplySources } from "./reference.ts";
export { type ExpectedFailure, finding } from "./report/finding.ts";
export type {
  Finding,
  Report,
  ReportedCheck,
  ReportedSubject,
  Status,
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
  ModelRoutes,
  OfferedTool,
  Opening,
  Reply,
  ReplyCall,
  ReplyText,
  SentResult,
  Violation,
  Wire,
} from "./wire.ts";
