import { scanCutJson } from "./cut-json.ts";
import { hasLossyNumber } from "./numbers.ts";
import { parsePlainJson } from "./parse.ts";

/** What arrived of an input that was cut. */
export interface PartialInput {
  /** The members that are complete, except those with a number that would be rounded. */
  readonly complete: Readonly<Record<string, unknown>>;
  /** The member whose text was cut, and the part that arrived. */
  readonly incomplete?: { readonly key: string; readonly text: string };
}

/** Reads the complete members of a cut JSON object, and the beginning of the one that was cut. */
export function parsePartialJson(text: string): PartialInput | "invalid" {
  const members = scanCutJson(text);
  if (members === "invalid") return members;
  const whole = members.flatMap(({ key, from, to }) => {
    const value = text.slice(from, to);
    return to === undefined || hasLossyNumber(value)
      ? []
      : [[JSON.parse(key), parsePlainJson(value)]];
  });
  const complete = Object.fromEntries(whole);
  const last = members.at(-1);
  if (last === undefined || last.to !== undefined || text[last.from] !== '"') return { complete };
  return {
    complete,
    incomplete: { key: JSON.parse(last.key), text: decodeIncomplete(text.slice(last.from + 1)) },
  };
}

/** Without an escape, or half of a surrogate pair, that did not arrive whole. */
function decodeIncomplete(raw: string): string {
  const withoutEscape = raw.replace(/(^|[^\\])((?:\\\\)*)\\(?:u[\da-fA-F]{0,3})?$/, "$1$2");
  const text = JSON.parse(`"${withoutEscape}"`) as string;
  return text.replace(/[\ud800-\udbff]$/, "");
}
