import type { Emit } from "@fullstop/core/adapter";
import type { HostRules } from "./hosts.ts";
import {
  createReplyWriter,
  type Item,
  type ItemIdentity,
  identityOf,
  type ReplyFindings,
  type ReplyWriter,
} from "./item.ts";
import {
  createFilteredQueues,
  createItemIndex,
  type EventPosition,
  findForDelta,
  findForInput,
  findOrAddDone,
  findOrAddStarted,
  type ItemEntry,
} from "./item-index.ts";
import { createItemReader } from "./item-readers.ts";

/** The output items of one reply. */
export interface Items extends ReplyFindings {
  added(position: EventPosition, item: Item): void;
  /** A piece of a text. `part`: the index of this text in the item. */
  delta(
    position: EventPosition,
    type: Item["type"],
    content: { readonly text: string; readonly part?: number | null | undefined },
  ): void;
  /** The complete text of an input, usually before its item is done. */
  inputDone(
    position: EventPosition,
    type: Item["type"],
    input: { readonly text: string; readonly name?: string | undefined },
  ): void;
  done(position: EventPosition, item: Item): void;
  /**
   * Reads the output of the complete response: repeats all items, and may hold new ones.
   * `isOther`: the response has another id than the one that began.
   */
  settle(output: readonly Item[], isOther: boolean): void;
  markRefused(): void;
}

export function createItems(emit: Emit, rules: HostRules): Items {
  const writer = createReplyWriter(emit);
  const index = createItemIndex((key, type, item) =>
    createItemReader(writer, key, { type, item, rules }),
  );
  const readDone = (entry: ItemEntry, item: Item): void => {
    index.identify(entry, item);
    if (entry.done) return entry.reader.repeat?.(item);
    index.close(entry);
    entry.reader.done(item);
  };

  return {
    ...writer,
    ...(rules.unknownItems === "pass" && { unansweredType: () => undefined }),
    added(position, item) {
      const entry = findOrAddStarted(index, position, item);
      index.identify(entry, item);
      entry.reader.start?.(item);
    },
    delta: (position, type, { text, part }) =>
      findForDelta(index, position, type)?.reader.delta(text, part ?? undefined),
    inputDone: (position, type, { text, name }) =>
      findForInput(index, position, { type, text })?.reader.inputDone?.(text, name),
    done: (position, item) => readDone(findOrAddDone(index, position, item), item),
    settle(output, isOther) {
      const { known, unlisted } = matchOutput(index.entries, output);
      const items = output.map((item, at) => known[at] ?? index.add(item.type, undefined, item));
      for (const [at, entry] of items.entries()) readDone(entry, output[at] as Item);
      const listsCalls = items.some(({ reader }) => reader.isSameCall !== undefined);
      if (listsCalls || (isOther && items.length > 0)) reportMissing(writer, unlisted, isOther);
      for (const { reader } of index.entries) reader.settle?.();
    },
  };
}

/** Reports a call of the events that the final output does not list. */
function reportMissing(
  { addContradiction }: ReplyWriter,
  [missing]: readonly ItemEntry[],
  isOther: boolean,
): void {
  if (missing === undefined) return;
  const name = missing.identity?.tool ?? missing.type;
  const origin = isOther ? "is of another response, and " : "";
  addContradiction(`its final output ${origin}lacks the call of "${name}" that its events have`);
}

/** What the final output says about the items that the events had. */
interface MatchedOutput {
  /** The item of each item of the output. `undefined` for one that no event mentioned. */
  readonly known: readonly (ItemEntry | undefined)[];
  /** The calls that the output does not list. */
  readonly unlisted: readonly ItemEntry[];
}

/**
 * Finds for each item of the final output the item of the reply: by its `call_id`, else by its id,
 * else the next one of its tool. A call under a new `call_id` is a call that the output does not
 * list otherwise, if tool and input are the same (vllm-project/vllm#47916). A host that writes new ids
 * keeps the order, so the item is one of the next ones.
 */
function matchOutput(entries: readonly ItemEntry[], output: readonly Item[]): MatchedOutput {
  const taken = new Set<ItemEntry>();
  const take = (entry: ItemEntry | undefined): ItemEntry | undefined => {
    if (entry !== undefined) taken.add(entry);
    return entry;
  };
  const { findById, findByOrder } = createFinders(entries, (entry) => !taken.has(entry));
  const identities = output.map(identityOf);
  const byId = identities.map((identity) => take(findById(identity)));
  const byOrder = identities.map((identity, at) => byId[at] ?? take(findByOrder(identity)));
  const listed = new Set(identities.flatMap(({ callId }) => callId ?? []));
  const unlisted = new Set(
    entries.filter(
      (entry) =>
        entry.reader.isSameCall !== undefined &&
        !taken.has(entry) &&
        !listed.has(entry.identity?.callId ?? ""),
    ),
  );
  const takeSame = (item: Item): ItemEntry | undefined => {
    let compared = 0;
    for (const entry of unlisted) {
      if (compared++ === mostCompared) return undefined;
      if (entry.type !== item.type || entry.reader.isSameCall?.(item) !== true) continue;
      unlisted.delete(entry);
      return entry;
    }
    return undefined;
  };
  const known = output.map((item, at) => byOrder[at] ?? takeSame(item));
  return { known, unlisted: [...unlisted] };
}

/** Otherwise the work grows with the square of the calls. */
const mostCompared = 32;

interface Finders {
  findById(identity: ItemIdentity): ItemEntry | undefined;
  findByOrder(identity: ItemIdentity): ItemEntry | undefined;
}

function createFinders(
  entries: readonly ItemEntry[],
  isFree: (entry: ItemEntry) => boolean,
): Finders {
  const byId = createFilteredQueues(isFree);
  const byOrder = createFilteredQueues(isFree);
  for (const entry of entries) {
    const { callId, id, tool = "" } = entry.identity ?? {};
    if (callId !== undefined) byId.add(`${entry.type} call ${callId}`, entry);
    if (id !== undefined)
      byId.add(`${entry.type} ${callId === undefined ? "only " : ""}id ${id}`, entry);
    if (callId === undefined) byOrder.add(`${entry.type} only ${tool}`, entry);
    byOrder.add(`${entry.type} ${tool}`, entry);
  }
  return {
    findById({ type, callId, id = "" }) {
      const withoutCallId = byId.first(`${type} only id ${id}`);
      if (callId === undefined) return withoutCallId ?? byId.first(`${type} id ${id}`);
      return byId.first(`${type} call ${callId}`) ?? withoutCallId;
    },
    findByOrder: ({ type, callId, tool = "" }) =>
      byOrder.first(`${type} only ${tool}`) ??
      byOrder.first(`${type} only `) ??
      (callId === undefined ? byOrder.first(`${type} ${tool}`) : undefined),
  };
}
