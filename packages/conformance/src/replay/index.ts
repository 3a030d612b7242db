export type { Recording } from "../fixtures/recordings.ts";
export type { ExpectedCall, ExpectedTurn, RecordedTurn, TurnFile } from "../fixtures/turn.ts";
export { builtinSubject, type WireName } from "./builtin.ts";
export { recordedClauses, replayClauses } from "./clauses.ts";
export { type Replay, readRecordings, recordingsIn, replay } from "./replay.ts";
export type { Replayed, Stream } from "./replayed.ts";
