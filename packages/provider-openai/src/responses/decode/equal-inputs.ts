/** Do two texts of an input say the same? A proxy may write JSON again with other blanks and another order of keys. */
export function sameInput(one: string, other: string, kind: "text" | undefined): boolean {
  if (one === other) return true;
  if (kind === "text") return false;
  try {
    return sameValue(JSON.parse(one), JSON.parse(other));
  } catch {
    return false;
  }
}

type Pair = readonly [unknown, unknown];

/** Deeply equal, without recursion: an input may be deeper than the stack. */
function sameValue(one: unknown, other: unknown): boolean {
  const pending: Pair[] = [[one, other]];
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    if (pair[0] === pair[1]) continue;
    const members = membersOf(pair);
    if (members === undefined) return false;
    for (const member of members) pending.push(member);
  }
  return true;
}

/** What must be the same inside; nothing where the two are not alike. */
function membersOf([left, right]: Pair): readonly Pair[] | undefined {
  if (!isObject(left) || !isObject(right) || Array.isArray(left) !== Array.isArray(right))
    return undefined;
  const keys = Object.keys(left);
  const alike =
    keys.length === Object.keys(right).length && keys.every((key) => Object.hasOwn(right, key));
  return alike ? keys.map((key) => [left[key], right[key]]) : undefined;
}
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;
