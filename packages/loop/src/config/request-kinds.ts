import type { TurnRequest } from "@fullstop/core";
import { isObject } from "../util/values.ts";
import { type OptionKind, type OptionKinds, oneOf, positiveInteger } from "./option-kinds.ts";
import type { RequestSettings } from "./turn-changes.ts";

const namedChoice = oneOf("auto", "none", "required");
const toolChoiceKind: OptionKind = {
  isValid: (value) =>
    namedChoice.isValid(value) || (isObject(value) && typeof value["name"] === "string"),
  expected: `${namedChoice.expected}, or \`{ name }\``,
};

export const requestKinds: OptionKinds<RequestSettings> = {
  toolChoice: toolChoiceKind,
  maxTokens: positiveInteger,
  effort: oneOf("none", "low", "medium", "high"),
  cache: oneOf("auto", "off"),
};

/** A forced choice applies to the first turn only. */
export const unforced = (choice: TurnRequest["toolChoice"]): TurnRequest["toolChoice"] =>
  choice === undefined || choice === "none" ? choice : "auto";
