import { isFields, isRecord } from "../json/fields.ts";

type What = "tool call" | "tool input";

interface OtherNames {
  readonly initials: string;
  readonly pattern: RegExp;
}
const otherNames: Readonly<Record<What, OtherNames>> = {
  "tool call": { initials: "tTfF", pattern: /^(?:tool|function)_?(?:use|call)s?$/i },
  "tool input": {
    initials: "aAiIpPwW",
    pattern: /^(?:(?:partial_?)?arg(?:ument)?s|input|param(?:eter)?s|will_?continue)$/i,
  },
};

const blank = /^(?:\{\s*\}|null|undefined|false)?$/;
const isBlank = (value: unknown): boolean =>
  isRecord(value) ? Object.keys(value).length === 0 : blank.test(String(value).trim());

/**
 * Throws if a part of a reply has a call or an input under a name that its protocol does not use
 * there, or if the name is its type. The call would be lost without an error, or run without its
 * input. `known`: the names that the protocol uses.
 */
export function refuseOtherNames(what: What, holder: unknown, known: readonly string[] = []): void {
  if (!isFields(holder)) {
    if (isBlank(holder)) return;
    throw new Error("The reply has a list or a text where the protocol has an object.");
  }
  const { initials, pattern } = otherNames[what];
  for (const member in holder) {
    // Every event of a reply comes here: most members are skipped by their first letter.
    if (!initials.includes(member.charAt(0))) continue;
    const name = member === "type" ? String(holder[member]) : member;
    if (pattern.test(name) && !known.includes(name) && !isBlank(holder[member]))
      throw new Error(`The reply has a ${what} in \`${name}\`, where this protocol has none.`);
  }
}
