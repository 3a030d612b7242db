import type { ErrorTable } from "@fullstop/core/adapter";

/** Codes of errors, inside a reply or as the body of a failed status. What is not listed is read by its status. https://docs.acme.example/errors */
export const errors: ErrorTable = {
  busy: "overloaded",
  no_credit: "billing",
  talk_too_long: "context-window",
};
