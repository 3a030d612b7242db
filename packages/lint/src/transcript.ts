import type {
  AssistantBlock,
  AssistantMessage,
  Message,
  ToolMessage,
  ToolResultBlock,
  UserMessage,
} from "@fullstop/core";
import type { Fields } from "./values.ts";

export interface Source {
  /** The message or item, counted from 0. */
  readonly at: number;
  readonly raw: Fields;
  /** The id of a call or result in the messages of core. A shape may make ids unique. */
  readonly id?: string;
  /** The id in the file. For a provider without ids, the name of the tool. */
  readonly nativeId?: string;
}
interface WithSource {
  readonly source: Source;
}
export type ReadBlock = AssistantBlock & WithSource;
export type ReadResult = ToolResultBlock & WithSource;

export type Entry =
  | ({ readonly kind: "user"; readonly text: string } & WithSource)
  | ({ readonly kind: "assistant"; readonly blocks: readonly ReadBlock[] } & WithSource)
  | ({ readonly kind: "results"; readonly results: readonly ReadResult[] } & WithSource);
type AssistantEntry = Extract<Entry, { readonly kind: "assistant" }>;

/** Where a provider takes the results of a call. */
export interface ResultPlaces {
  /** Whether replies that follow each other count as one. */
  readonly joinsReplies: boolean;
  /** Whether results in messages that follow each other count as one list. */
  readonly joinsResults: boolean;
  /**
   * `next`: the results directly follow the reply. `before-user`: before the next message of a
   * person. `later`: anywhere after the call.
   */
  readonly results: "next" | "before-user" | "later";
}

/** Core copies blocks and keeps their members; what core added has no source. */
export const sourceOf = (value: object | undefined): Source | undefined =>
  (value as Partial<WithSource> | undefined)?.source;

/**
 * The conversation as messages of core. A result that the provider accepts at its place moves
 * directly behind its reply, into the order of the calls, so core's rules find only what the
 * provider refuses.
 */
export function toMessages(entries: readonly Entry[], places: ResultPlaces): readonly Message[] {
  const joined = joinNeighbors(entries, places);
  const taken = new Set<ReadResult>();
  return joined.flatMap((entry, index): readonly Message[] => {
    if (entry.kind === "user") return [userMessage(entry)];
    if (entry.kind === "results") {
      const strays = entry.results.filter((result) => !taken.has(result));
      return strays.length > 0 || entry.results.length === 0
        ? [toolMessage(strays, entry.source)]
        : [];
    }
    const results = resultsFor(entry, reachable(joined, index, places), taken);
    return [assistantMessage(entry), ...(results.length > 0 ? [toolMessage(results)] : [])];
  });
}

const userMessage = ({ text, source }: Extract<Entry, { kind: "user" }>): UserMessage =>
  withSource({ role: "user", content: text }, source);
const assistantMessage = ({ blocks, source }: AssistantEntry): AssistantMessage =>
  withSource({ role: "assistant", content: blocks }, source);
const toolMessage = (results: readonly ReadResult[], source?: Source): ToolMessage =>
  withSource({ role: "tool", content: results }, source);
const withSource = <Part extends Message>(message: Part, source: Source | undefined): Part =>
  source === undefined ? message : { ...message, source };

function joinNeighbors(
  entries: readonly Entry[],
  { joinsReplies, joinsResults }: ResultPlaces,
): readonly Entry[] {
  const joined: Entry[] = [];
  for (const entry of entries) {
    const before = joined.at(-1);
    if (joinsResults && before?.kind === "results" && entry.kind === "results")
      joined[joined.length - 1] = { ...before, results: [...before.results, ...entry.results] };
    else if (joinsReplies && before?.kind === "assistant" && entry.kind === "assistant")
      joined[joined.length - 1] = { ...before, blocks: [...before.blocks, ...entry.blocks] };
    else joined.push(entry);
  }
  return joined;
}

function reachable(
  entries: readonly Entry[],
  index: number,
  { results }: ResultPlaces,
): readonly ReadResult[] {
  const rest = entries.slice(index + 1, results === "next" ? index + 2 : undefined);
  const person = results === "before-user" ? rest.findIndex(({ kind }) => kind === "user") : -1;
  return rest
    .slice(0, person < 0 ? undefined : person)
    .flatMap((entry) => (entry.kind === "results" ? entry.results : []));
}

function resultsFor(
  { blocks }: AssistantEntry,
  results: readonly ReadResult[],
  taken: Set<ReadResult>,
): readonly ReadResult[] {
  return blocks.flatMap((block) => {
    if (block.type !== "tool-call") return [];
    const found = results.find((result) => result.id === block.id && !taken.has(result));
    if (found === undefined) return [];
    taken.add(found);
    return [found];
  });
}
