import type { Turn } from "@fullstop/core";
import type { JournalStep } from "./contract/journal.ts";
import { callKey, stepAt } from "./journal/keys.ts";
import { type NextAction, retry, stop } from "./recovery/action.ts";
import { decide } from "./recovery/policy.ts";
import { salvageLast } from "./recovery/salvage.ts";
import { type State, turnKeyOf } from "./turn/state.ts";

/** Nothing but another turn follows the reply. */
const goOn = { requests: 1, fallback: [], compact: undefined, notes: Number.POSITIVE_INFINITY };

/** An earlier attempt of the run may have had other options: what it did about the reply counts. */
export async function actionAfter(
  { turn, replayed }: { readonly turn: Turn; readonly replayed: boolean },
  state: State,
): Promise<NextAction> {
  if (!replayed) return decide(turn, state);
  const isRecorded = async ({ key }: JournalStep): Promise<boolean> =>
    (await state.lease.read(key)) !== undefined;
  const turnKey = turnKeyOf(state);
  if (await isRecorded(stepAt("model", turnKey, state.requestCount + 1))) {
    const action = decide(turn, state);
    return action.type === "retry" ? action : retry(turn, "retry");
  }
  const next = turnKeyOf({ ...state, turnNumber: state.turnNumber + 1 });
  if ((await isRecorded(stepAt("before", next))) || (await isRecorded(stepAt("model", next))))
    state.config = { ...state.config, recovery: { ...state.config.recovery, ...goOn } };
  const action = decide(turn, state);
  // Its only call was completed by its tool, and ran.
  if (action.type !== "run-tools" && (await isRecorded(stepAt("attempt", callKey(turnKey, 0)))))
    return salvageLast(turn, state) ?? stop(turn);
  return action;
}
