/** The key of a step that ended has the length of its value: a reader plans its pages by it. */
export const beginningKey = (key: string): string => `begun ${key}`;
export const endKey = (key: string, json: string): string => `ended ${json.length} ${key}`;

export interface StateKey {
  readonly stateKey: string;
  readonly key: string;
  /** UTF-16 units. Undefined: the step began. */
  readonly length?: number;
}

export function parseStateKey(stateKey: string): StateKey | undefined {
  const [, begun] = /^begun (.*)$/s.exec(stateKey) ?? [];
  if (begun !== undefined) return { stateKey, key: begun };
  const [, length, ended] = /^ended (\d+) (.*)$/s.exec(stateKey) ?? [];
  return ended === undefined ? undefined : { stateKey, key: ended, length: Number(length) };
}
