import type { JournalStep } from "../contract/journal.ts";

// Journals are stored for years: a run that an earlier release began must find its steps. A key that
// is in use never changes. `test/journals` holds each kind of them.

/** `<run>`: without a slash, so that no run has the key of a call in another one. */
export const runKey = (runId: string): string =>
  runId.replaceAll("%", "%25").replaceAll("/", "%2F");

/** `<turn>`: `<run>/1`. In a sub-agent, the key of its call takes the place of `<run>`. */
export const turnKey = (run: string, turnNumber: number): string => `${run}/${turnNumber}`;

/** `<call>`: `<turn>/1`. It is also the idempotency key of all attempts of the call. */
export const callKey = (turn: string, position: number): string => `${turn}/${position + 1}`;

/** `<attempt>`: `<call>`, then `<call>/attempt/2`. The ids of calls end in the same way. */
export const attemptKey = (call: string, attempt: number): string =>
  attempt === 1 ? call : `${call}/attempt/${attempt}`;

export type StepName =
  | "run"
  | "nestedRun"
  | "before"
  | "model"
  | "compaction"
  | "approval"
  | "asked"
  | "attempt"
  | "settlement"
  | "input";

/** Every step: how its key ends, after the key that the comment names. */
const steps: Readonly<Record<StepName, { readonly ending: string; readonly kind: StepKind }>> = {
  /** `<run>` */
  run: { ending: "", kind: "run" },
  /** `<call>` of a sub-agent */
  nestedRun: { ending: "/run", kind: "run" },
  /** `<turn>` */
  before: { ending: "/before", kind: "before-turn" },
  /** `<turn>`; the second request is `<turn>/model/2` */
  model: { ending: "/model", kind: "model" },
  /** `<turn>` */
  compaction: { ending: "/compaction", kind: "compaction" },
  /** `<call>` */
  approval: { ending: "/approval", kind: "approval" },
  /** `<call>`; then the revision of the tool: `<call>/asked/7` */
  asked: { ending: "/asked", kind: "approval" },
  /** `<attempt>` */
  attempt: { ending: "", kind: "tool" },
  /** `<attempt>` */
  settlement: { ending: "/settlement", kind: "settlement" },
  /** `<attempt>` */
  input: { ending: "/input", kind: "input" },
};
type StepKind = JournalStep["kind"];

/** The step of this name. Its key begins with `key`; `detail` is its last part, if it has one. */
export function stepAt(name: StepName, key: string, detail?: string | number): JournalStep {
  const { ending, kind } = steps[name];
  return { key: `${key}${ending}${detail === undefined ? "" : `/${detail}`}`, kind };
}
