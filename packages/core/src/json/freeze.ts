import { isRecord } from "./fields.ts";

/**
 * Freezes plain objects and arrays at every depth, without recursion. Leaves other objects (errors,
 * objects of an SDK) as they are.
 */
export function freezeDeep<Value>(root: Value): Value {
  const found = new Set<unknown>([root]);
  for (const value of found) {
    if (!isPlain(value)) continue;
    Object.freeze(value);
    for (const member of Object.values(value)) if (isRecord(member)) found.add(member);
  }
  return root;
}

/** Objects that are frozen at every depth. They cannot change, so each is checked once. */
const knownFrozen = new WeakSet<object>();

export function isFrozenDeep(value: unknown): boolean {
  if (!isRecord(value) || knownFrozen.has(value)) return true;
  const found = new Set<object>([value]);
  for (const one of found) {
    if (!Object.isFrozen(one)) return false;
    for (const member of Object.values(one))
      if (isRecord(member) && !knownFrozen.has(member)) found.add(member);
  }
  knownFrozen.add(value);
  return true;
}

/**
 * A deeply frozen copy of plain data, or the value itself if it is frozen already. Other objects
 * stay as they are. If all messages of a request are frozen, each is looked at once instead of at
 * every turn.
 */
export function frozenCopy<Value>(value: Value): Value {
  if (isFrozenDeep(value)) return value;
  const copies = new Map<object, object>();
  const copyOf = (one: unknown): unknown => {
    if (!isPlain(one) || (Object.isFrozen(one) && isFrozenDeep(one))) return one;
    const copy = copies.get(one) ?? (Array.isArray(one) ? [...one] : { ...one });
    copies.set(one, copy);
    return copy;
  };
  const whole = copyOf(value) as Value;
  for (const copy of copies.values()) {
    for (const [key, member] of Object.entries(copy))
      if (isRecord(member)) (copy as Record<string, unknown>)[key] = copyOf(member);
    Object.freeze(copy);
  }
  return whole;
}

function isPlain(value: unknown): value is object {
  if (!isRecord(value)) return false;
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
