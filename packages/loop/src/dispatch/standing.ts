import type { GivenInput } from "../contract/tool.ts";
import { askedInput } from "./asked-input.ts";
import { nextAttempt } from "./attempts.ts";
import type { CheckedCall, DispatchContext, Standing } from "./context.ts";
import type { CallOutcome } from "./output.ts";
import { settleAttempt } from "./settlement.ts";

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
