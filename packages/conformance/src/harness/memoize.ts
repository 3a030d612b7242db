/** How many results are kept. */
const maxEntries = 4096;

/** The same function, but it computes the value of a text only once. The cache is emptied when it is full. */
export function memoize<Value>(compute: (text: string) => Value): (text: string) => Value {
  const cache = new Map<string, Value>();
  return (text) => {
    if (cache.has(text)) return cache.get(text) as Value;
    if (cache.size >= maxEntries) cache.clear();
    const value = compute(text);
    cache.set(text, value);
    return value;
  };
}
