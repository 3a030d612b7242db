import type { GivenInput } from "../config/tool.ts";
import { journaled } from "../turn/journal.ts";
import type { Admission, Postponement } from "./admission.ts";
import { toReviewedCall } from "./approval.ts";
import type { DispatchContext } from "./context.ts";
import type { CallOutcome } from "./output.ts";

const missing: unique symbol = Symbol("missing");

/**
 * The answer to a tool that asks a person. It is recorded, so that it is not needed again after a
 * crash. Each request of a call has an id of its own, because the same answers are given again.
 */
export async function askedInput(
  admission: Admission,
  { question, state }: NonNullable<CallOutcome["asks"]>,
  stepKey: string,
  context: DispatchContext,
): Promise<GivenInput | Postponement> {
  const { call } = admission;
  const input = "input" in admission ? admission.input : call.input;
  const first = toReviewedCall({ call, input, needs: "input" }, context);
  const id = `${first.id}${stepKey.slice(context.key.length)}`;
  const reviewed = Object.freeze({ ...first, id, question });
  const { inputs } = context.config.answers;
  let replayed = true;
  const answer = await journaled<{ readonly input: unknown } | typeof missing>(
    context.lease,
    { key: `${stepKey}/input`, kind: "input" },
    {
      run: async () => {
        replayed = false;
        return inputs.has(id) ? { input: inputs.get(id) } : missing;
      },
      isTransient: (value) => value === missing,
    },
  );
  const given = answer === missing ? "later" : "given";
  if (!context.signal.aborted)
    context.emit({ type: "input", call: reviewed, input: given, ...(replayed && { replayed }) });
  return answer === missing ? { later: [reviewed] } : { input: answer.input, state };
}
