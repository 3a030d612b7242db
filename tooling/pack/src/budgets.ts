/** kB (1000 bytes) for one protocol of a provider. */
const protocolBudget = 8;

/** Budgets of their own, in kB. `core#readTurn` is what an app gets that imports only `readTurn`. */
const ownBudgets: Readonly<Record<string, number>> = {
  // 10 was wanted; with numbers kept digit by digit, what was sent, histories that are looked at once, and what a rule found in words it is 12.8.
  "core#readTurn": 13,
  // 10 was wanted; with salvage, restoring, repair, the sentences for people, and errors without the secrets of an endpoint it is 19.7, and no file is more than 7 % of it.
  core: 20,
  // 10 was wanted; with options that are refused in words, outputs of blocks and hosted tools it is 15.5, and no file is more than 7 % of it.
  loop: 16,
  // Never part of an app.
  conformance: 40,
  "journal-file": 4,
  // 8 was wanted; with the answers to hosted tools, and what tells items apart and contradicts them, it is 9.2.
  "provider-openai#openai": 9.5,
  // 8 was wanted; with gaps, echoes and restated inputs told apart it is 8.3.
  "provider-openai#openaiChat": 8.5,
};

/** What of a package is measured, and what it may weigh. */
export interface Budget {
  /** The one export that is imported; all of them unless told. */
  readonly only?: string;
  readonly kB: number;
}

/** The budgets of `packages/<folder>`: those with its name, or one protocol. */
export function budgetsOf(folder: string): readonly Budget[] {
  const named = Object.entries(ownBudgets).flatMap(([key, kB]) => {
    const [name, only] = key.split("#");
    return name === folder ? [{ kB, ...(only !== undefined && { only }) }] : [];
  });
  return named.length > 0 ? named : [{ kB: protocolBudget }];
}
