import type { GivenInput } from "../config/tool.ts";
import { askedInput } from "./asked-input.ts";
import { nextAttempt } from "./attempts.ts";
import type { DispatchContext } from "./context.ts";
import type { CallOutcome } from "./output.ts";
import { type CheckedCall, type SettledCall, settleAttempt } from "./settlement.ts";

/** The step that makes a call, and what a person gave the tool for it. */
export interface CallStep {
  readonly stepKey: string;
  readonly given?: GivenInput | undefined;
}
/** `hasEnded`: the step has its result. */
interface FoundStep extends CallStep {
  readonly hasEnded: boolean;
}

/** What the journal says about a call, after its doubts are settled. */
export type Standing =
  /** It is made as this step, or this step has its result. */
  FoundStep | Exclude<SettledCall, "did-not-happen">;

/**
 * Looks through the attempts of a call: settles those that are in doubt, and finds the answers to
 * those that asked a person.
 */
export async function standingOf(
  checked: CheckedCall,
  context: DispatchContext,
): Promise<Standing> {
  const { key, lease } = context;
  let given: GivenInput | undefined;
  for (let stepKey = key; ; stepKey = nextAttempt(key, stepKey)) {
    const recorded = await lease.read(stepKey);
    if (recorded?.state === "begun") {
      const settled = await settleAttempt(checked, stepKey, context);
      if (settled !== "did-not-happen") return settled;
      continue;
    }
    const asks = recorded && requestIn(recorded.json);
    if (asks === undefined) return { stepKey, given, hasEnded: recorded !== undefined };
    const answer = await askedInput(checked, asks, stepKey, context);
    if ("waitsFor" in answer) return answer;
    given = answer;
  }
}

/** What the tool asked, if this is the result of an attempt that asked. */
function requestIn(json: string): CallOutcome["asks"] {
  return json.includes('"asks"') ? (Object(JSON.parse(json)) as CallOutcome).asks : undefined;
}
