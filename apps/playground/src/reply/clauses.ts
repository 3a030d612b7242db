import type { Turn, WithheldReason } from "@fullstop/core";

/** The clause of the suite that says what the gate did, by the reason of the withheld calls. */
const clauseOf: Readonly<Record<WithheldReason, string>> = {
  aborted: "stop.abort",
  error: "error.in-band",
  "malformed-frame": "wire.malformed-frame",
  "no-terminal": "stop.cut",
  "stop-reason": "stop.words",
  "stop-sequence": "stop.words",
  "cap-reached": "stop.cap",
  "cap-unproven": "stop.cap-unproven",
  "not-closed": "call.closed",
  "no-name": "call.named",
  "name-damaged": "call.named",
  "no-call": "stop.no-call",
  "input-missing": "call.required",
  "input-cut": "call.cut-input",
  "invalid-json": "call.invalid-json",
  "not-an-object": "call.not-object",
  "number-too-large": "call.lossy-input",
  unsupported: "call.lossy-input",
};
const finishedClause = "stop.whole";

/** The ids of all clauses that the page cites. */
export const clauseIds: readonly string[] = [
  ...new Set([...Object.values(clauseOf), finishedClause]),
];

/** The clause that a verdict follows. */
export function clauseFor({ withheld, rules = [] }: Turn): string {
  const reason =
    withheld[0]?.reason ?? rules.find(({ decisive, passed }) => decisive && !passed)?.reason;
  return reason === undefined ? finishedClause : clauseOf[reason];
}
