import type { ErrorTable } from "@fullstop/core/adapter";

/** Error codes, from inside a reply or from the body of an error status. The status classifies all other codes. https://docs.acme.example/errors */
export const errors: ErrorTable = {
  busy: "overloaded",
  no_credit: "billing",
  talk_too_long: "context-window",
};
