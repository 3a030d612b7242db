import type { Clause } from "../../clause.ts";
import { sameReason, whyNoInputText, unusable } from "../../harness/inputs.ts";
import { readCall } from "../../harness/scenarios.ts";

export const notObject: Clause = {
  id: "call.not-object",
  rule: "An input that is JSON, but no object, never runs.",
  level: "must",
  because:
    'cline#13001: the cut text ["npm install","npm test" was closed to a valid list, and ran',
  whyNotAsked: whyNoInputText,
  check: (harness) =>
    unusable(
      harness,
      readCall,
      sameReason("not-an-object", [
        "[]",
        '[{"path":"/srv"}]',
        '"/srv"',
        '"{}"',
        "7",
        "true",
        "null",
      ]),
    ),
};
