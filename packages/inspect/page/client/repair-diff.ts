/** How a repaired text differs from the one that arrived. All parts in order. */
export interface RepairDiff {
  /** In both. */
  readonly kept: string;
  /** Arrived, and is not in the repair. */
  readonly dropped: string;
  /** The repair made it up. */
  readonly invented: string;
  /** Follows, in both. */
  readonly rest: string;
}

interface Unit {
  readonly value: string;
  readonly end: number;
}
const space = /\s/;

/** One character that JSON means at `from`: white space is skipped, and escapes are decoded. */
function unitAt(text: string, from: number): Unit {
  let start = from;
  while (start < text.length && space.test(text.charAt(start))) start += 1;
  const escaped = /^\\(?:u[\da-f]{4}|["\\/bfnrt])/i.exec(text.slice(start, start + 6))?.[0];
  if (escaped === undefined) return { value: text.charAt(start), end: start + 1 };
  return { value: JSON.parse(`"${escaped}"`) as string, end: start + escaped.length };
}

/**
 * Compares what arrived with what a repair made of it. White space does not count, and an escape is
 * the same as its character.
 */
export function diffRepair(arrived: string, repaired: string): RepairDiff {
  const [arrivedEnd, repairedEnd] = commonBeginning(arrived, repaired);
  const left = arrived.slice(arrivedEnd).trimEnd();
  const right = repaired.slice(repairedEnd);
  const rest = commonEnd(left, right);
  return {
    kept: repaired.slice(0, repairedEnd),
    dropped: left.slice(0, left.length - rest),
    invented: right.slice(0, right.length - rest),
    rest: right.slice(right.length - rest),
  };
}

function commonBeginning(arrived: string, repaired: string): readonly [number, number] {
  let left = 0;
  let right = 0;
  while (left < arrived.length && right < repaired.length) {
    if (arrived.charCodeAt(left) === repaired.charCodeAt(right)) {
      left += 1;
      right += 1;
      continue;
    }
    const mine = unitAt(arrived, left);
    const theirs = unitAt(repaired, right);
    if (mine.value === "" || mine.value !== theirs.value) break;
    left = mine.end;
    right = theirs.end;
  }
  return [left, right];
}

function commonEnd(left: string, right: string): number {
  let count = 0;
  while (
    count < Math.min(left.length, right.length) &&
    left.charAt(left.length - 1 - count) === right.charAt(right.length - 1 - count)
  )
    count += 1;
  return count;
}
