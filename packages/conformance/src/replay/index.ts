export type { Recording } from "../fixtures/recordings.ts";
export type { ExpectedCall, ExpectedTurn, RecordedTurn } from "../fixtures/turn.ts";
export type { TurnFile } from "../fixtures/turn-file.ts";
export { builtinSubject, type WireName } from "./builtin.ts";
export { recordedClauses, replayClauses } from "./clauses.ts";
export { readRecordings, recordingsIn } from "./folder.ts";
export { type Replay, replay } from "./replay.ts";
export type { Replayed, Stream } from "./replayed.ts";
