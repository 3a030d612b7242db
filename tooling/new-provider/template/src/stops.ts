import type { StopTable } from "@fullstop/core/adapter";

/** The native stop reasons. If the vendor's SDK has a type for them, use it: a new value then fails to compile. */
export type AcmeStop = "done" | "tool" | "budget" | "policy" | "halted";

/** The meaning of each native stop reason. https://docs.acme.example/why */
export const stops: StopTable<AcmeStop> = {
  done: "stop",
  tool: "tool-use",
  budget: "length",
  policy: "content-filter",
  /** A stop sequence of the caller. It can end a reply in the middle of its calls. */
  halted: { stop: "stop", calls: "never" },
};
