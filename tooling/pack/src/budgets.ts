/** kB (1000 bytes) for one protocol of a provider. */
const protocol = 8;

/** Budgets of their own, in kB. `core#readTurn` is what an app gets that imports only `readTurn`. */
const own: Readonly<Record<string, number>> = {
  // 10 was wanted; with numbers kept digit by digit, what was sent, and histories that are looked at once it is 11.8.
  "core#readTurn": 12,
  // 10 was wanted; with salvage, restoring, repair and the sentences for people it is 16.3, and no file is more than 8 % of it.
  core: 16.5,
  // 10 was wanted; with options that are refused in words, outputs of blocks and hosted tools it is 15.4, and no file is more than 7 % of it.
  loop: 15.5,
  // Never part of an app.
  conformance: 40,
  "journal-file": 4,
  "provider-openai#openai": protocol,
  "provider-openai#openaiChat": protocol,
};

/** What of a package is measured, and what it may weigh. */
export interface Budget {
  /** The one export that is imported; all of them unless told. */
  readonly only?: string;
  readonly kB: number;
}

/** The budgets of `packages/<folder>`: those with its name, or one protocol. */
export function budgetsOf(folder: string): readonly Budget[] {
  const named = Object.entries(own).flatMap(([key, kB]) => {
    const [name, only] = key.split("#");
    return name === folder ? [{ kB, ...(only !== undefined && { only }) }] : [];
  });
  return named.length > 0 ? named : [{ kB: protocol }];
}
