/** The budget of one protocol of a provider, in kB (1000 bytes). */
const protocolBudget = 8;

/**
 * Budgets of single packages, in kB. `core#readTurn` is the size of an app that imports only
 * `readTurn`; `x/reply#f` is the export `f` of the entry point `x/reply`, and
 * `x/reply#f+createGate` that export with core's `createGate` and all that the two need: a worker
 * that checks replies.
 */
const ownBudgets: Readonly<Record<string, number>> = {
  // The goal was 10. Exact numbers, the sent request, cached histories, the sentences of rules, the
  // limit for the first content, the result of each rule, images by URL, and errors for wrong
  // options (1.6) make it 15.6.
  "core#readTurn": 16,
  // The goal was 10. Salvage, restore, repair, sentences for people, `readObject`, and errors for
  // wrong options make it 19.7.
  // The goal was 20. Stated caps, the largest usage, and names of error events make it 20.1.
  core: 20.5,
  // The goal was 10. Messages for invalid options, outputs of blocks, and hosted tools made it 15.5;
  // typed output, changes of a turn, tools that run elsewhere, chains of fallbacks, sub-agents and
  // the names of other libraries made it 22.5; leases, settlements and waiting in a journal make it
  // 24.3.
  // The goal was 26. Limits of time for writes of a journal make it 26.1.
  loop: 26.5,
  "loop/journal#leasedJournal": 2.5,
  // Never part of an app. The naive clients of the wires, the clauses for guards and for objects,
  // histories that the provider keeps, text agents, and three framings make it 46.8. No file has
  // more than 4 %.
  // The goal was 48. Sources of replies, pages of each protocol, and levels of replies make it 50.9.
  conformance: 52,
  // Never part of an app. It counts apart from the main entry, which does not load it: the clauses
  // about journals, each with the broken journals that it catches.
  "conformance/journal/judge": 16,
  // Never part of an app. Traffic, proofs, the reporter of issues, and agents that act on text or
  // take a language of their own, make it 15.9. No file has more than 10 %.
  // The goal was 16.5. Texts for each cause, and sources of replies, make it 17.
  "conformance-cli": 17.5,
  "journal-file": 4,
  "journal-postgres": 5,
  "journal-sqlite": 5,
  // Its names, most of which are strings of the conventions, are a fifth of it.
  otel: 5,
  // The recorder, without core and the loop.
  inspect: 5.5,
  // For browsers, without core and jsonrepair: the reader, the view, and fixtures.
  "inspect/view": 8,
  // Never part of an app: the text of the page, with its script, its style, Preact and core.
  "inspect/page": 43,
  // Without core. The readers and writers of seven shapes, and the rules with their sources.
  lint: 9,
  // Without the loop and the SDK of Restate, which are peer dependencies.
  restate: 4,
  // Without the loop and the client of MCP, which are peer dependencies.
  // The goal was 6.5. The check against schemas of a server, in bounded time, makes it 7.8.
  mcp: 8,
  // Without core and the loop, which are peer dependencies.
  ui: 9.5,
  // The readers and the editors of four protocols, and all hosts. Core is not a part of it.
  // The goal was 37. It bundles the readers of all providers, which find second replies and ids.
  guard: 40,
  // The goal was 8. Answers to hosted tools, the checks of items, formats of objects, and files by
  // URL and id make it 10.2.
  // The goal was 10.5. Calls under two ids, and caps that a reply states, make it 11.
  "provider-openai#openai": 11.5,
  // The goal was 8. What each family of models accepts, the formats of files, and the way to the raw
  // response make it 9.5.
  "provider-bedrock": 10,
  // The goal was 15.5. The largest usage, and ends without a stop reason, make it 15.6.
  "provider-bedrock/reply#bedrockReply+createGate": 15.8,
  // The goal was 8. The checks for gaps, echoes and restated inputs, formats of objects, and files by
  // id make it 9.3.
  // The same checks make it 10.
  "provider-openai#openaiChat": 10.5,
  // The goal was 6.5. Errors and ends of OpenRouter and xAI make it 6.7.
  // Calls under two ids make it 7.1.
  "provider-openai/reply#openaiReply": 7.5,
  // Without `ws`, which is a peer dependency. The goal was 3. The checks of options, what a refused
  // upgrade says, and the one whole request after a lost chain make it 3.4.
  "provider-openai/websocket": 3.5,
  // The goal was 6.5. Ends without a stop reason, and the check for a second reply, make it 6.9.
  "provider-openai/reply#openaiChatReply": 7.5,
  // The goal was 8, but `createGate` alone is more. With the vendor's SDK it is above 100.
  "provider-anthropic/reply#anthropicReply+createGate": 15.5,
  // With the vendor's SDK it is 94.
  // The goal was 16. The check for a second reply makes it 16.2.
  "provider-google/reply#googleReply+createGate": 16.5,
};

/** A measured part of a package, and its highest size. */
export interface Budget {
  /** The entry point; `.` by default. */
  readonly entry?: string;
  /** The one export that is imported; all of them by default. */
  readonly only?: string;
  /** Measured together with `createGate`, and with what both need of core. */
  readonly withGate?: true;
  readonly kB: number;
}

/**
 * The budgets of `packages/<folder>`: its rows, and the budget of one protocol if `.` has no row.
 */
export function budgetsOf(folder: string): readonly Budget[] {
  const named = Object.entries(ownBudgets).flatMap(([key, kB]) => {
    const [path = "", names] = key.split("#");
    const [only, gate] = names?.split("+") ?? [];
    const [name, ...entryParts] = path.split("/");
    const entry = entryParts.length > 0 ? entryParts.join("/") : undefined;
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
  return named.some(({ entry }) => entry === undefined)
    ? named
    : [{ kB: protocolBudget }, ...named];
}
