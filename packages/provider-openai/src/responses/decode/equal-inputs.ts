/**
 * Whether two texts are the same input. A proxy may rewrite JSON with other white space and another
 * order of keys.
 */
export function isSameInput(one: string, other: string, kind: "text" | undefined): boolean {
  if (one === other) return true;
  if (kind === "text") return false;
  try {
    return isSameValue(JSON.parse(one), JSON.parse(other));
  } catch {
    return false;
  }
}

type Pair = readonly [unknown, unknown];

/** Deep equality without recursion: an input may be nested deeper than the stack allows. */
function isSameValue(one: unknown, other: unknown): boolean {
  const pending: Pair[] = [[one, other]];
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    if (pair[0] === pair[1]) continue;
    const members = memberPairs(pair);
    if (members === undefined) return false;
    for (const member of members) pending.push(member);
  }
  return true;
}

/** The members that must be equal; `undefined` if the two values are not alike. */
function memberPairs([left, right]: Pair): readonly Pair[] | undefined {
  if (!hasMembers(left) || !hasMembers(right) || Array.isArray(left) !== Array.isArray(right))
    return undefined;
  const keys = Object.keys(left);
  const isAlike =
    keys.length === Object.keys(right).length && keys.every((key) => Object.hasOwn(right, key));
  return isAlike ? keys.map((key) => [left[key], right[key]]) : undefined;
}
const hasMembers = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;
