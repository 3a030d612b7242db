export type { Clause, ClauseText, Proof } from "./clause.ts";
export { clauses } from "./clauses/index.ts";
export { type Control, controls } from "./controls/index.ts";
export { type Answer, type Host, inProcess, type Received } from "./host.ts";
export { type JudgeOptions, judge, type Verdict } from "./judge.ts";
export { report } from "./report/verdict.ts";
export type { AskOptions, Exchange, Rig } from "./rig.ts";
export type { Subject } from "./subject.ts";
export type { Frames, HttpFailure, InBandError, Reply, ReplyCall, ReplyText, Sample, Wire } from "./wire.ts";
