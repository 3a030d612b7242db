import { parseRegExpLiteral, visitRegExpAST } from "@eslint-community/regexpp";
import { checkSync, type Parameters } from "recheck";
import type { Expression } from "./expressions.ts";

// The build of JavaScript, on each system. https://makenowjust-labs.github.io/recheck/docs/usage/as-javascript-library/
process.env["RECHECK_BACKEND"] = "pure";

/** No limit of time, and one seed: the answer is the same on each machine. */
const settings: Parameters = {
  timeout: null,
  attackTimeout: null,
  incubationTimeout: null,
  seedingTimeout: null,
  randomSeed: 1,
  // Half of the square of the length is above the limit of steps. 250 steps a character are not.
  maxAttackStringSize: 4_000,
  attackLimit: 1_000_000,
  maxIteration: 3,
  // A larger automaton takes minutes. Its expression is tried with texts.
  maxNFASize: 10_000,
};
/** A repetition with a larger limit is checked with a small one: a limit is not growth. */
const smallLimit = 8;
const linear = "linear";
const lengthOfSign = "(?=".length;
/** A character of no text: where it is missing, what looks ahead has failed. */
const mark = "\\ue000";

/** How the time of an expression grows with its text: "linear", or what and on which text. */
export function growthOfExpression({ source, flags }: Expression): string {
  const { shortened, consuming, hasUnlimited } = simplify(source, flags);
  // Each start then costs at most as much.
  if (!hasUnlimited) return linear;
  // The automaton proves it, but it cannot look around: what looks ahead is also read by it.
  const growths = [...new Set([shortened, consuming])].map((one) => growthOf(one, flags));
  return growths.find((growth) => growth !== linear) ?? linear;
}

function growthOf(source: string, flags: string): string {
  const checked = checkSync(source, flags, settings);
  if (checked.status === "safe") return linear;
  if (checked.status === "unknown") return `unknown: ${checked.error.kind}`;
  return `${checked.complexity.summary}, for ${checked.attack.pattern}`;
}

interface Change {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}
/** From the end on, so that the places before a change stay. Places count the first slash. */
const changed = (source: string, changes: readonly Change[]): string =>
  changes
    .toSorted((one, other) => other.from - one.from)
    .reduce(
      (text, { from, to, text: put }) => text.slice(0, from - 1) + put + text.slice(to - 1),
      source,
    );

interface Simple {
  /** With small limits of its repetitions. */
  readonly shortened: string;
  /** The same, with a text to read in place of each that is only looked at ahead. */
  readonly consuming: string;
  readonly hasUnlimited: boolean;
}
function simplify(source: string, flags: string): Simple {
  const limits: Change[] = [];
  const looks: Change[] = [];
  let hasUnlimited = false;
  visitRegExpAST(parseRegExpLiteral(`/${source}/${flags}`), {
    onQuantifierEnter({ element, end, min, max, greedy }) {
      const isUnlimited = max === Number.POSITIVE_INFINITY;
      hasUnlimited ||= isUnlimited;
      if (isUnlimited ? min <= smallLimit : max <= smallLimit) return;
      const least = Math.min(min, 2);
      const most = isUnlimited ? "" : Math.min(max, min === max ? 2 : 3);
      limits.push({ from: element.end, to: end, text: `{${least},${most}}${greedy ? "" : "?"}` });
    },
    onAssertionEnter(assertion) {
      if (assertion.kind !== "lookahead") return;
      const { start, negate } = assertion;
      looks.push({
        from: start,
        to: start + lengthOfSign,
        text: negate ? `(?:${mark}|${mark}` : "(?:",
      });
    },
  });
  return {
    shortened: changed(source, limits),
    consuming: changed(source, [...limits, ...looks]),
    hasUnlimited,
  };
}
