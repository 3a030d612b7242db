import type { Clause } from "../../clause.ts";
import { noInputText, unusable } from "../../inputs.ts";
import { read } from "../../scenarios.ts";

export const notObject: Clause = {
  id: "call.not-object",
  rule: "An input that is JSON, but no object, never runs.",
  level: "must",
  because: "https://github.com/google-gemini/gemini-cli: BitFun's test gemini_string_tool_arguments_are_not_coerced_to_object",
  unless: noInputText,
  prove: (rig) => unusable(rig, read, ["[]", '[{"path":"/srv"}]', '"/srv"', '"{}"', "7", "true", "null"]),
};
