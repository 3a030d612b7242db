/**
 * The keys of the state of a virtual object. The key of a step that ended has the length of its
 * value, so that a reader can plan its pages.
 */
export const beginningKey = (key: string): string => `begun ${key}`;
export const endKey = (key: string, json: string): string => `ended ${json.length} ${key}`;

/** A step as a key of the state names it. */
export interface StateKey {
  readonly stateKey: string;
  readonly key: string;
  /** UTF-16 units. Undefined: the step began. */
  readonly length?: number;
}

/** Undefined: not the key of a step. */
export function parseStateKey(stateKey: string): StateKey | undefined {
  const [, begun] = /^begun (.*)$/s.exec(stateKey) ?? [];
  if (begun !== undefined) return { stateKey, key: begun };
  const [, length, ended] = /^ended (\d+) (.*)$/s.exec(stateKey) ?? [];
  return ended === undefined ? undefined : { stateKey, key: ended, length: Number(length) };
}
