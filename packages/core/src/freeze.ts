/** Freezes plain objects and arrays at every depth, without recursion. Other objects (errors, what an SDK threw) stay as they are. */
export function freezeDeep<Value>(root: Value): Value {
  const pending: unknown[] = [root];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (!isPlain(value) || Object.isFrozen(value)) continue;
    Object.freeze(value);
    for (const member of Object.values(value)) if (typeof member === "object" && member !== null) pending.push(member);
  }
  return root;
}

function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
