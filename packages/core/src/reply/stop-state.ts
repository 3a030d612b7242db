/**
 * What is known about the end of a reply:
 *
 * | state         | native stop reason                                   | calls may be issued |
 * |---------------|------------------------------------------------------|---------------------|
 * | `none`        | none came                                            | no                  |
 * | `provisional` | one came; the protocol's own end still has to come   | no                  |
 * | `claimed`     | one came; no content followed it                     | yes                 |
 * | `revoked`     | one came; content followed it                        | no                  |
 * | `final`       | one came, and so did the protocol's own end          | yes                 |
 */
export type StopState = "none" | "provisional" | "claimed" | "revoked" | "final";

/** The state after a native stop reason. `provisional` is a field of the event `stop`. */
export function afterStop(state: StopState, provisional: boolean | undefined): StopState {
  if (provisional === false || state === "final") return "final";
  if (provisional === undefined) return "claimed";
  return state === "none" ? "provisional" : state;
}

/** The state after content, which revokes a stop reason. */
export const afterContent = (state: StopState): StopState =>
  state === "claimed" || state === "final" ? "revoked" : state;

export const isStopValid = (state: StopState): boolean => state === "claimed" || state === "final";

/** How many milliseconds to wait at most for the server to close, after the protocol's own end. */
export const lingerMs = 2000;
