/** The budget of one protocol of a provider, in kB (1000 bytes). */
const protocolBudget = 8;

/** Other budgets, in kB. `core#readTurn` is the size of an app that imports only `readTurn`. */
const ownBudgets: Readonly<Record<string, number>> = {
  // The goal was 10. Exact numbers, the sent request, cached histories, and the sentences of rules make it 12.8.
  "core#readTurn": 13,
  // The goal was 10. Salvage, restore, repair, sentences for people, and errors without secrets make it 19.7. No file has more than 7 %.
  core: 20,
  // The goal was 10. Messages for invalid options, outputs of blocks, and hosted tools make it 15.5. No file has more than 7 %.
  loop: 16,
  // Never part of an app.
  conformance: 40,
  "journal-file": 4,
  // The goal was 8. Answers to hosted tools, and the checks of items, make it 9.2.
  "provider-openai#openai": 9.5,
  // The goal was 8. The checks for gaps, echoes and restated inputs make it 8.3.
  "provider-openai#openaiChat": 8.5,
};

/** A measured part of a package, and its highest size. */
export interface Budget {
  /** The one export that is imported; default: all. */
  readonly only?: string;
  readonly kB: number;
}

/** The budgets of `packages/<folder>`: its rows, or the budget of one protocol. */
export function budgetsOf(folder: string): readonly Budget[] {
  const named = Object.entries(ownBudgets).flatMap(([key, kB]) => {
    const [name, only] = key.split("#");
    return name === folder ? [{ kB, ...(only !== undefined && { only }) }] : [];
  });
  return named.length > 0 ? named : [{ kB: protocolBudget }];
}
