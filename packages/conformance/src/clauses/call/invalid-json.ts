import type { Clause } from "../../clause.ts";
import { sameReason, whyNoInputText, unusable } from "../../harness/inputs.ts";
import { expectOnlyRuns } from "../../loop/checks.ts";
import { scripts } from "../../loop/scripts.ts";
import { readCall } from "../../harness/scenarios.ts";

const texts = [
  '{"path":"/srv"}}',
  '{"path":"/srv"}{"path":"/srv"}',
  '{"path":"/srv",}',
  "{'path':'/srv'}",
  "{path:1}",
  '{"path":NaN}',
  '{"path":01}',
  '{"path":"a\tb"}',
  '{"path":"\\x41"}',
  '```json\n{"path":"/srv"}\n```',
  '{"path":"/srv"} // read it',
  "undefined",
  "<path>/srv</path>",
];

export const invalidJson: Clause = {
  id: "call.invalid-json",
  rule: "An input that is no JSON never runs, is never repaired and never becomes an empty one.",
  level: "must",
  because: "yoagent#167, hermes-agent#89246: the unreadable input became {} and ran",
  run: expectOnlyRuns(scripts.invalidJson),
  whyNotAsked: whyNoInputText,
  check: (harness) => unusable(harness, readCall, sameReason("invalid-json", texts)),
};
