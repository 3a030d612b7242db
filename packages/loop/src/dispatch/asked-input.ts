import type { ReviewedCall } from "../contract/ports.ts";
import type { GivenInput } from "../contract/tool.ts";
import { toReviewedCall } from "./approval.ts";
import { attemptId } from "./attempts.ts";
import type { CheckedCall, DispatchContext } from "./context.ts";
import type { CallOutcome } from "./output.ts";

const notGiven: unique symbol = Symbol("notGiven");

/**
 * The answer to a tool that asks a person. It is recorded, so that it is not needed again after a
 * crash.
 */
export async function askedInput(
  { call, input = call.input }: CheckedCall,
  { question, state }: NonNullable<CallOutcome["asks"]>,
  stepKey: string,
  context: DispatchContext,
): Promise<GivenInput | { readonly waitsFor: ReviewedCall }> {
  const { config, lease, key, signal, emit } = context;
  const { inputs } = config.answers;
  const first = toReviewedCall({ call, input, needs: "input" }, context);
  const id = attemptId(first.id, key, stepKey);
  const reviewed = Object.freeze({ ...first, id, question });
  const { value: answer, replayed } = await lease.step<
    { readonly input: unknown } | typeof notGiven
  >(
    { key: `${stepKey}/input`, kind: "input" },
    {
      run: async () => (inputs.has(id) ? { input: inputs.get(id) } : notGiven),
      isTransient: (value) => value === notGiven,
    },
  );
  const given = answer === notGiven ? "later" : "given";
  if (!signal.aborted)
    emit({ type: "input", call: reviewed, input: given, ...(replayed && { replayed }) });
  return answer === notGiven ? { waitsFor: reviewed } : { input: answer.input, state };
}
