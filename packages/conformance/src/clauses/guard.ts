import type { ClauseTable } from "../clause.ts";
import { checkHolds, checkPasses, whyNoClient } from "../guard/checks.ts";

/** Clauses about a guard between an adapter and the provider. */
export const guardClauseTable: ClauseTable = {
  "guard.passes": {
    rule: "A reply whose calls may run, and a finished reply without calls, leave the guard with the very bytes that came. If a reply says its calls otherwise than they are granted, they leave as they are granted, each once.",
    level: "must",
    references: [
      {
        issue: "maximhq/bifrost#6123",
        note: "a gateway writes replies anew, and says `end_turn` for a reply with a call",
      },
    ],
    guard: { whyNotAsked: whyNoClient, check: checkPasses },
  },
  "guard.holds": {
    rule: "No part of a tool call leaves the guard before the whole reply has proven finished, wherever the reply is cut. What leaves instead keeps the rules of the protocol, and does not end as a finished answer.",
    level: "must",
    references: [
      { issue: "Portkey-AI/gateway#1797", note: "an upstream that is cut ends cleanly" },
    ],
    guard: { whyNotAsked: whyNoClient, check: checkHolds },
  },
};
