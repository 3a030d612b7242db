export { builtinSubject, type WireName } from "./builtin.ts";
export { recordedClauses, replayClauses } from "./clauses.ts";
export { type Found, findIn, type Recording, recordingsIn } from "./recording.ts";
export { type Replay, replay } from "./replay.ts";
export type { Replayed, Stream } from "./replayed.ts";
export type { ExpectedTurn, RecordedTurn } from "./turn.ts";
