import type { TurnRequest } from "../contract/adapter.ts";
import { isRecord } from "../json/fields.ts";
import { checkOptions } from "./check-options.ts";
import {
  anyObject,
  anyText,
  listOf,
  type OptionKind,
  type OptionKinds,
  oneOf,
  positiveInteger,
} from "./kinds.ts";

const orNamed = /* @__NO_SIDE_EFFECTS__ */ ({ isValid, expected }: OptionKind): OptionKind => ({
  isValid: (value) => isValid(value) || hasName(value),
  expected: `${expected}, or \`{ name }\``,
});
const hasName = (value: unknown): boolean => isRecord(value) && typeof value["name"] === "string";

/** The kinds of the members of a request. */
export const requestKinds: OptionKinds<Required<TurnRequest>> = {
  system: anyText,
  messages: listOf("messages"),
  tools: listOf("tools"),
  toolChoice: orNamed(oneOf("auto", "none", "required")),
  output: anyObject,
  maxTokens: positiveInteger,
  effort: oneOf("none", "low", "medium", "high"),
  cache: oneOf("auto", "off"),
};

const aliases: Readonly<Record<string, string>> = {
  maxoutputtokens: "maxTokens",
  maxcompletiontokens: "maxTokens",
  input: "messages",
  prompt: "messages",
  history: "messages",
  instructions: "system",
  systemprompt: "system",
  reasoning: "effort",
  reasoningeffort: "effort",
  thinking: "effort",
  responseformat: "output",
  outputschema: "output",
  schema: "output",
  cachecontrol: "cache",
};

/** @throws TypeError or RangeError that names the member, and the one that was probably meant. */
export const checkRequest = (request: TurnRequest): void =>
  checkOptions(request, requestKinds, {
    parent: "request",
    aliases,
    advise: () => `Parameters of the provider belong to the adapter: \`params\`. ${listed()}`,
  });
const listed = (): string =>
  `The options of a request are: ${Object.keys(requestKinds).join(", ")}.`;
