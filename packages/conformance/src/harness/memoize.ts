/** How many answers are kept. */
const maxEntries = 4096;

/** The same function, which computes what it gives for a text once, and forgets it when there were too many others. */
export function memoize<Value>(compute: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    if (known.has(text)) return known.get(text) as Value;
    if (known.size >= maxEntries) known.clear();
    const value = compute(text);
    known.set(text, value);
    return value;
  };
}
