import type { Clause } from "../../clause.ts";
import { noInputText, unusable } from "../../inputs.ts";
import { read } from "../../scenarios.ts";

const texts = {
  '{"lines":9007199254740993}': "number-too-large",
  '{"of":{"ids":[12345678901234567890]}}': "number-too-large",
  '{"__proto__":{"path":"/etc"}}': "unsupported",
  '{"a":{"__proto__":null}}': "unsupported",
} as const;

export const lossyInput: Clause = {
  id: "call.lossy-input",
  rule: "An input that would change when parsed (an integer beyond a double, a __proto__ key) never runs.",
  level: "must",
  because: "pi#8943: integers beyond 2^53 were silently rounded, and the call ran",
  unless: noInputText,
  prove: (rig) => unusable(rig, read, texts),
};
