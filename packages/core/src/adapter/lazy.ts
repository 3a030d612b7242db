/** Computes a value when it is first asked for, and keeps it. */
export function lazy<Value>(compute: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: compute() };
    return made.value;
  };
}
