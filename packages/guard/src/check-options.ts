import {
  anyFunction,
  anyObject,
  anyText,
  checkOptions,
  type OptionKind,
  type OptionKinds,
  oneOf,
  positiveInteger,
  positiveNumber,
  trueOrFalse,
  wholeNumber,
} from "@fullstop/core/adapter";
import type { GuardOptions, HostFacts } from "./options.ts";

const note: OptionKind = {
  isValid: (value) => value === false || anyFunction.isValid(value),
  expected: "a function, or false",
};

const guardKinds: OptionKinds<Required<GuardOptions>> = {
  host: {
    isValid: anyFunction.isValid,
    expected: 'a function that returns facts, such as `() => ({ dialect: "vllm" })`',
  },
  withheld: oneOf("end", "fail"),
  note,
  normalizeCalls: trueOrFalse,
  strict: trueOrFalse,
  retries: wholeNumber,
  reask: trueOrFalse,
  keepAliveMs: positiveNumber,
  closeMs: wholeNumber,
  maxHeld: positiveInteger,
  maxDecoded: positiveInteger,
  heldTotal: anyObject,
  onReply: anyFunction,
  onUnguarded: anyFunction,
};

/** The facts about a host. A wrong one would leave its replies unjudged. */
const factKinds: OptionKinds<Required<HostFacts>> = {
  dialect: anyText,
  stops: anyObject,
  mislabelsTruncation: trueOrFalse,
  doneEnds: trueOrFalse,
  runsCustomTools: trueOrFalse,
  messageStop: oneOf("required", "optional"),
  blocks: oneOf("strict", "loose"),
  finishReason: oneOf("last-chunk", "every-chunk"),
  vertexai: trueOrFalse,
};

const aliases = Object.fromEntries(
  Object.keys(factKinds).map((fact) => [fact.toLowerCase(), `host.${fact}`]),
);

/** Checks the options of `guard`, or of a function that takes the same ones. */
export const checkGuardOptions = (options: GuardOptions, of: string): void =>
  checkOptions(options, guardKinds, { of, aliases });

export const checkHostFacts = (facts: HostFacts): void =>
  checkOptions(facts, factKinds, { parent: "host" });
