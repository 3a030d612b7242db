import { isFields } from "@fullstop/core/adapter";
import type { ReviewedCall, Waiting } from "@fullstop/loop";
import { TerminalError } from "@restatedev/restate-sdk";

/** What a run needs that waits: the same maps as `waiting` of `run`, by the `id` of the call. */
export type Answers = Pick<Waiting, "decisions" | "results" | "settlements" | "inputs">;

const kinds: Readonly<Record<keyof Answers, true>> = {
  decisions: true,
  results: true,
  settlements: true,
  inputs: true,
};

/** Where the answer to a call may stand. A call may be denied instead of getting a result. */
const fitting: Readonly<Record<ReviewedCall["needs"], readonly (keyof Answers)[]>> = {
  decision: ["decisions"],
  result: ["results", "decisions"],
  settlement: ["settlements"],
  input: ["inputs"],
};

/** Throws an error for the caller, so that the run goes on waiting. */
export function assertAnswers(answers: Answers, calls: readonly ReviewedCall[]): void {
  if (!isFields(answers))
    throw invalid(
      "The body must be an object with `decisions`, `results`, `settlements` or `inputs`.",
    );
  for (const [name, given] of Object.entries(answers)) {
    if (!Object.hasOwn(kinds, name))
      throw invalid(`\`${name}\` is not one of ${list(Object.keys(kinds))}.`);
    if (!isFields(given))
      throw invalid(`\`${name}\` must be an object with the ids of calls as its keys.`);
    const unknown = Object.keys(given).find((id) => !calls.some((call) => call.id === id));
    if (unknown !== undefined)
      throw invalid(
        `\`${name}\` names "${unknown}", but the run waits for ${list(calls.map(({ id }) => id))}.`,
      );
  }
  for (const { id, name, needs } of calls)
    if (!fitting[needs].some((kind) => Object.hasOwn(answers[kind] ?? {}, id)))
      throw invalid(
        `The call "${id}" (${name}) needs a ${needs}, and \`${fitting[needs][0]}\` has none. Answer all calls of \`waitingCalls\` together.`,
      );
}

const list = (items: readonly string[]): string => items.map((item) => `"${item}"`).join(", ");

const invalid = (message: string): TerminalError => new TerminalError(message, { errorCode: 400 });
