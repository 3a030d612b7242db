/** kB (1000 bytes) for one protocol of a provider. */
const protocol = 8;

/**
 * Budgets of single packages, in kB. `core#readTurn` is what an app gets that imports only `readTurn`;
 * `x/reply#f` is the export `f` of the entry point `x/reply`, and `x/reply#f+createGate` that export with
 * core's `createGate` and all that the two need: a worker that checks replies.
 */
const own: Readonly<Record<string, number>> = {
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
  "provider-openai/reply#openaiReply": 6.5,
  "provider-openai/reply#openaiChatReply": 6,
  // The goal was 8, but `createGate` alone is 10.6. With the vendor's SDK it is 102.
  "provider-anthropic/reply#anthropicReply+createGate": 14,
  // With the vendor's SDK it is 94.
  "provider-google/reply#googleReply+createGate": 14.5,
};

/** What of a package is measured, and what it may weigh. */
export interface Budget {
  /** The entry point; `.` by default. */
  readonly entry?: string;
  /** The one export that is imported; all of them by default. */
  readonly only?: string;
  /** Measured together with `createGate`, and with what both need of core. */
  readonly withGate?: true;
  readonly kB: number;
}

/** The budgets of `packages/<folder>`: those with its name, and that of one protocol if `.` has none. */
export function budgetsOf(folder: string): readonly Budget[] {
  const named = Object.entries(own).flatMap(([key, kB]) => {
    const [path = "", names] = key.split("#");
    const [only, gate] = names?.split("+") ?? [];
    const [name, entry] = path.split("/");
    if (name !== folder) return [];
    return [
      {
        kB,
        ...(entry !== undefined && { entry: `./${entry}` }),
        ...(only !== undefined && { only }),
        ...(gate !== undefined && { withGate: true as const }),
      },
    ];
  });
  return named.some(({ entry }) => entry === undefined) ? named : [{ kB: protocol }, ...named];
}
