import type { StopTable } from "@fullstop/core";

/** The words of the API. A vendor's SDK has a type for them: with it, a word that is new fails to compile. */
export type AcmeStop = "done" | "tool" | "budget" | "policy" | "halted";

/** Why a reply ends. https://docs.acme.example/why */
export const stops: StopTable<AcmeStop> = {
  done: "stop",
  tool: "tool-use",
  budget: "length",
  policy: "content-filter",
  /** A phrase of the caller's, met in the middle of anything: what came before it may be half a plan. */
  halted: { stop: "stop", calls: "never" },
};
