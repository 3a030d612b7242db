/** The `DurableCalls`: loaded when a run with a journal makes calls. */
export { askedInput } from "./asked-input.ts";
export { isAboutRevision, recordAsked } from "./revision.ts";
export { recordThatNothingHappened, settleAttempt } from "./settlement.ts";
export { standingOf } from "./standing.ts";
