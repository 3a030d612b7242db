/** A size in kB (1000 bytes) that was aimed at: minified and gzipped. */
type Goal = number;
/** A goal that is missed, and the size instead. The comment beside it says why, in one sentence. */
interface MissedGoal {
  readonly goal: Goal;
  readonly size: number;
}

/** How much more than the size of a missed goal passes: a size changes a little with each change. */
const margin = 1.02;

/** The goal of one protocol of a provider. */
const protocolGoal: Goal = 8;

/**
 * Goals of single packages. `core#readTurn` is the size of an app that imports only `readTurn`;
 * `x/reply#f` is the export `f` of the entry point `x/reply`, and `x/reply#f+createGate` that export
 * with core's `createGate` and all that the two need: a worker that checks replies.
 */
const ownGoals: Readonly<Record<string, Goal | MissedGoal>> = {
  // It has the gate, which alone is 9.8 kB, reads what SDKs, `fetch` and sockets throw, and checks
  // messages, which the loop did before. It looks for calls that a model wrote as text (1.9 kB).
  "core#readTurn": { goal: 10, size: 19.2 },
  // It also restores, salvages, explains and repairs, each with sentences for people.
  core: { goal: 10, size: 23.6 },
  // Without what a run with a `journal` loads, and without the validator of `jsonSchema`, which
  // bundlers leave out if it is not used. Its sentences for people are 3.9 kB, and what decides after
  // a broken reply must not be loaded when the network has just failed.
  loop: { goal: 21, size: 25.2 },
  "loop/journal#leasedJournal": 2.5,
  // Never part of an app. It has the clients and the pages of every protocol; no file has above 4 %.
  conformance: { goal: 48, size: 55 },
  // Never part of an app. The main entry does not load it: the clauses about journals, each with the
  // broken journals that it catches. Of a file that it shares with the main entry, what takes effect
  // when it is loaded stays.
  "conformance/journal/judge": { goal: 16, size: 18.6 },
  "journal-file": 4,
  "journal-postgres": 5,
  "journal-sqlite": 5,
  "journal-sqlite/durable-object": 3.5,
  otel: 5,
  // The recorder, without core and the loop.
  inspect: 5.5,
  // For browsers, without core and jsonrepair: the reader, the view, and fixtures.
  "inspect/view": 8,
  // Never part of an app: the text of the page, with its script, its style, Preact and core, whose
  // check of keys is the 6 bytes above the goal.
  "inspect/page": { goal: 43, size: 43 },
  // Without core. The readers and writers of seven shapes, and the rules with their sources.
  lint: 9,
  // Without the loop and the SDK of Restate, which are peer dependencies.
  restate: 4,
  // Without the loop and the client of MCP. It checks schemas of a server in bounded time, and bounds
  // the answers that the client reads.
  mcp: { goal: 6.5, size: 8.3 },
  // Without core and the loop, which are peer dependencies. `chatHandler` reads the requests of
  // `useChat` in bounded size, keeps conversations and refuses with sentences for people: 2 kB.
  ui: { goal: 9.5, size: 11.6 },
  // It bundles the readers of all providers, with the editors of five protocols, and checks its options.
  // Core is not in it.
  guard: { goal: 37, size: 48.4 },
  // It decodes replies itself, because a reply of `fetch` costs three times the processor time,
  // answers requests that Node cannot read, because Node refuses some in time and without a sentence,
  // and takes the rest of a body after an early answer, because clients wait for that.
  gateway: { goal: 8, size: 8.5 },
  // It bundles the readers of six providers, and makes adapters models of AI SDK. Core is not in it.
  "ai-sdk": { goal: 8, size: 31.2 },
  // Without the guard and LangChain.
  langchain: 2,
  // The protocol has hosted tools, many types of items and of events, and files by URL and id.
  "provider-openai#openai": { goal: 8, size: 11.2 },
  // What each family of models accepts is a table, and the SDK gives no raw response.
  "provider-bedrock": { goal: 8, size: 9.9 },
  // Many hosts speak this protocol, each a little differently.
  "provider-openai#openaiChat": { goal: 8, size: 10.7 },
  // Replies of OpenRouter and xAI have errors and ends of their own, which their addresses tell, and
  // hosts give a call of the final output a new id and another place.
  "provider-openai/reply#openaiReply": { goal: 6.5, size: 7.6 },
  // Hosts leave out indices, ids, usage and stop reasons, and a call where none is read is an error.
  "provider-openai/reply#openaiChatReply": { goal: 6.5, size: 7.7 },
  // A table of nine hosts, each with its address, its key and what its replies need.
  "provider-anthropic": { goal: 8, size: 8.8 },
  // Without `ws`. A chain that is lost needs one whole request.
  "provider-openai-websocket": { goal: 3, size: 3.4 },
  // Strict JSON and evidence for each rule are a part of every verdict. Its sentences for people are
  // 1.4 kB, keys that V8 names wrongly are 0.3 kB, and inputs that are nested deeper than
  // `JSON.stringify` can write are 0.2 kB. A call or an input under another protocol's name is an
  // error: 0.4 kB.
  "provider-anthropic/reply#anthropicReply+createGate": { goal: 11, size: 13.7 },
  // A call or an input under the name of another protocol is an error: 0.1 kB.
  "provider-google#google": { goal: 8, size: 8.1 },
  "provider-google#googleInteractions": 8,
  // It reads inputs that come as parts of JSON by path.
  "provider-google/reply#googleReply+createGate": { goal: 11, size: 14.5 },
  // The gate alone is 9.8 kB.
  "provider-bedrock/reply#bedrockReply+createGate": { goal: 11, size: 13.8 },
};

/** A measured part of a package, and its highest size. */
export interface Budget {
  /** The entry point; `.` by default. */
  readonly entry?: string;
  /** The one export that is imported; all of them by default. */
  readonly only?: string;
  /** Measured together with `createGate`, and with what both need of core. */
  readonly withGate?: true;
  readonly goal: number;
  /** The highest size that passes. */
  readonly kB: number;
}

const limits = (one: Goal | MissedGoal): Pick<Budget, "goal" | "kB"> =>
  typeof one === "number"
    ? { goal: one, kB: one }
    : { goal: one.goal, kB: Math.round(one.size * margin * 10) / 10 };

/**
 * The budgets of `packages/<folder>`: its rows, and the goal of one protocol if `.` has no row.
 */
export function budgetsOf(folder: string): readonly Budget[] {
  const named = Object.entries(ownGoals).flatMap(([key, one]) => {
    const [path = "", names] = key.split("#");
    const [only, gate] = names?.split("+") ?? [];
    const [name, ...entryParts] = path.split("/");
    const entry = entryParts.length > 0 ? entryParts.join("/") : undefined;
    if (name !== folder) return [];
    return [
      {
        ...limits(one),
        ...(entry !== undefined && { entry: `./${entry}` }),
        ...(only !== undefined && { only }),
        ...(gate !== undefined && { withGate: true as const }),
      },
    ];
  });
  return named.some(({ entry }) => entry === undefined) ? named : [limits(protocolGoal), ...named];
}
