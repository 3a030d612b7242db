/**
 * The fewest items, or nearly, that together show everything that all of them show. The next item
 * is always the one that shows most of what is missing, for what it costs.
 */
export function cover<Item>(
  items: readonly Item[],
  showsOf: (item: Item) => Iterable<string>,
  costOf: (item: Item) => number = () => 1,
): readonly Item[] {
  const open = items.map((item) => ({ item, missing: new Set(showsOf(item)), cost: costOf(item) }));
  const chosen = new Set<Item>();
  for (;;) {
    const best = open.reduce((first, second) =>
      second.missing.size / second.cost > first.missing.size / first.cost ? second : first,
    );
    const shown = [...best.missing];
    if (shown.length === 0) return items.filter((item) => chosen.has(item));
    chosen.add(best.item);
    for (const { missing } of open) for (const one of shown) missing.delete(one);
  }
}

/** Which of the values that readers treat differently it is. */
function classOf(key: string, value: unknown): string {
  if (typeof value === "string" && /(?:type|reason|status)$/i.test(key)) return value;
  if (value === "{}") return value;
  if (Array.isArray(value)) return `${Math.min(value.length, 2)} items`;
  if (value === null) return "null";
  if (typeof value === "object") return Object.keys(value).length === 0 ? "{}" : "object";
  return value ? typeof value : JSON.stringify(value);
}

/** The members of a value at every depth, and of each what it holds: a kind, a list, nothing. */
export function* membersOf(value: unknown, at = ""): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const here = Array.isArray(value) ? at : `${at}/${key}`;
    yield `${here} ${classOf(key, inner)}`;
    yield* membersOf(inner, here);
  }
}
