import type { CallView, InputView, ReplyView, RunView } from "@fullstop/inspect/view";

/** A call that must not run, and the rule that says so. */
export interface WithheldCall {
  readonly name: string | undefined;
  readonly id: string | undefined;
  readonly bytes: number;
  readonly reason: string | undefined;
  readonly detail: string | undefined;
}

/** The rule of the gate that decided. Undefined: the reply passed. */
export const failedRule = ({ verdict }: ReplyView): string | undefined =>
  verdict?.rules.find((rule) => !rule.passed && rule.decisive)?.rule;

export const withheldCalls = ({ inputs }: ReplyView): readonly WithheldCall[] =>
  inputs.filter(isWithheld).map(({ name, id, bytes, withheldReason, detail }) => ({
    name,
    id,
    bytes,
    reason: withheldReason,
    detail,
  }));
const isWithheld = ({ verdict, isEcho }: InputView): boolean =>
  verdict === "withheld" && isEcho !== true;

/** The calls whose outcome is not known. */
export const doubtsIn = ({ turns }: RunView): readonly CallView[] =>
  turns.flatMap(({ calls }) =>
    calls.filter(({ state }) => state === "in-doubt" || state === "timed-out"),
  );

/** The id of a run; of a sub-agent, with the keys of the calls that it runs in. */
export const runName = ({ runId, path }: Pick<RunView, "runId" | "path">): string =>
  [runId, ...path].join(" > ");
