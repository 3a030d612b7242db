/**
 * What is known of the end of a reply, from the native stop reasons and the content behind them:
 *
 * | state         | a native stop reason …                                | the gate may give out calls |
 * |---------------|-------------------------------------------------------|-----------------------------|
 * | `none`        | has not come                                          | no                          |
 * | `provisional` | came, and the protocol's own end still has to come    | no                          |
 * | `claimed`     | stands: no content followed it                        | yes                         |
 * | `revoked`     | came, and content followed it                         | no                          |
 * | `final`       | stands, and the protocol's own end came with it       | yes                         |
 */
export type StopState = "none" | "provisional" | "claimed" | "revoked" | "final";

/** The state behind a native stop reason. `provisional` is that of the event `stop`. */
export function afterStop(state: StopState, provisional: boolean | undefined): StopState {
  if (provisional === false || state === "final") return "final";
  if (provisional === undefined) return "claimed";
  return state === "none" ? "provisional" : state;
}

/** The state behind content: it revokes what stood. */
export const afterContent = (state: StopState): StopState =>
  state === "claimed" || state === "final" ? "revoked" : state;

/** A native stop reason stands. */
export const stands = (state: StopState): boolean => state === "claimed" || state === "final";
