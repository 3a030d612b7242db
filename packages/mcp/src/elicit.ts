import { validateInput } from "@fullstop/core/adapter";
import type { ElicitRequestParams, ElicitResult } from "@modelcontextprotocol/client";
import { serverSchema } from "./server-schema.ts";

const actions: ReadonlySet<unknown> = new Set<ElicitResult["action"]>([
  "accept",
  "decline",
  "cancel",
]);

/** An accepted form must match the schema of the question. */
export async function answerProblem(
  answer: unknown,
  params: ElicitRequestParams,
): Promise<string | undefined> {
  if (typeof answer !== "object" || answer === null)
    return 'it must be an object with an `action`: "accept", "decline" or "cancel".';
  const { action, content } = answer as Partial<ElicitResult>;
  if (!actions.has(action)) return 'its `action` must be "accept", "decline" or "cancel".';
  if (action !== "accept" || !("requestedSchema" in params)) return undefined;
  const checked = await validateInput(serverSchema(params.requestedSchema), content ?? {});
  return "value" in checked
    ? undefined
    : `its \`content\` is not what the form asks: ${checked.issues.join("; ")}.`;
}

/** @throws TypeError if the answer of the option `elicit` cannot be sent. */
export async function checkedAnswer(
  answer: ElicitResult,
  params: ElicitRequestParams,
): Promise<ElicitResult> {
  const problem = await answerProblem(answer, params);
  if (problem === undefined) return answer;
  throw new TypeError(`The answer of \`elicit\` cannot be used: ${problem}`);
}
