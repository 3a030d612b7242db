import { type Emit, fieldsOf } from "@fullstop/core/adapter";
import type { HostRules } from "./hosts.ts";
import {
  type CallContent,
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
import { createItemReader, isCall } from "./item-readers.ts";
import { asItemOf, inputOfOther } from "./other-type.ts";

export interface Items extends ReplyFindings {
  hasItems(): boolean;
  added(position: EventPosition, item: Item): void;
  /** A piece of a text. `part`: the index of this text in the item. */
  delta(
    position: EventPosition,
    type: Item["type"],
    content: { readonly text: string; readonly part?: number | null | undefined },
  ): void;
  /** A piece of an unknown type. It is ignored, but not if it may belong to an input. */
  unknownDelta(position: EventPosition): void;
  /** The complete text of an input, usually before its item is done. */
  inputDone(
    position: EventPosition,
    type: Item["type"],
    input: { readonly text: string; readonly name?: string | undefined },
  ): void;
  done(position: EventPosition, item: Item): void;
  /** Repeats all items, and may hold new ones. `isOther`: another id than the one that began. */
  settle(output: readonly Item[], isOther: boolean): void;
  markRefused(): void;
}

export function createItems(emit: Emit, rules: HostRules): Items {
  const writer = createReplyWriter(emit);
  const index = createItemIndex(
    (key, type, item) => createItemReader(writer, key, { type, item, rules }),
    (item) => isCall(item, rules),
  );
  const readDone = (entry: ItemEntry, given: Item): void => {
    const item = asItemOf(entry.type, given, entry.reader);
    if (item === undefined)
      return writer.addContradiction(`it says the call of "${nameOf(entry)}" under two types`);
    index.identify(entry, item);
    if (isRefused(item)) writer.markRefused();
    if (entry.done) return entry.reader.repeat?.(item);
    index.close(entry);
    entry.reader.done(item);
  };

  return {
    ...writer,
    ...(rules.unknownItems === "pass" && { unansweredType: () => undefined }),
    hasItems: () => index.entries.length > 0,
    added(position, item) {
      const other = index.otherForm(item);
      if (other !== undefined) return other.reader.start?.(item);
      const entry = findOrAddStarted(index, position, item);
      index.identify(entry, item);
      entry.reader.start?.(item);
    },
    delta(position, type, { text, part }) {
      if (text === "" && type !== "reasoning") return;
      findForDelta(index, position, type)?.reader.delta(text, part ?? undefined);
    },
    unknownDelta: ({ output_index: at }) =>
      (index.at(at ?? -1) ?? index.entries.at(-1))?.reader.unknownDelta?.(),
    inputDone(position, type, { text, name }) {
      const entry = findForInput(index, position, { type, text });
      if (entry !== undefined) entry.reader.inputDone?.(inputFor(entry, type, text), name);
    },
    done: (position, item) =>
      readDone(index.otherForm(item) ?? findOrAddDone(index, position, item), item),
    settle(output, isOther) {
      const { known, unlisted } = matchOutput(index.entries, output);
      const items = output.map(
        (item, at) => known[at] ?? index.otherForm(item) ?? addListed(index, item),
      );
      const listed = new Set(items);
      const missing = unlisted.filter((entry) => !listed.has(entry));
      for (const [at, entry] of items.entries()) readDone(entry, output[at] as Item);
      const listsCalls = items.some(({ reader }) => reader.content !== undefined);
      if (listsCalls || (isOther && items.length > 0)) reportMissing(writer, missing, isOther);
      for (const { reader } of index.entries) reader.settle?.();
    },
  };
}

function addListed(index: ReturnType<typeof createItemIndex>, item: Item): ItemEntry {
  const entry = index.add(item.type, undefined, item);
  index.identify(entry, item);
  return entry;
}

const inputFor = ({ type, reader }: ItemEntry, given: Item["type"], text: string): string =>
  type === given ? text : inputOfOther(type, text, reader);

/** A refusal counts in an item of any type, such as a message whose type a gateway changed. */
const isRefused = (item: Item): boolean =>
  "content" in item &&
  Array.isArray(item.content) &&
  item.content.some((part: unknown) => fieldsOf(part)["type"] === "refusal");

const nameOf = ({ identity, type }: ItemEntry): string => identity?.tool ?? type;

function reportMissing(
  { addContradiction }: ReplyWriter,
  [missing]: readonly ItemEntry[],
  isOther: boolean,
): void {
  if (missing === undefined) return;
  const origin = isOther ? "is of another response, and " : "";
  addContradiction(
    `its final output ${origin}lacks the call of "${nameOf(missing)}" that its events have`,
  );
}

/**
 * Finds for each item of the final output the item of the reply: by its `call_id`, else by its id,
 * else the next one of its tool. A call under a new `call_id` is a call that the output does not
 * list otherwise, if tool and input are the same (vllm-project/vllm#47916).
 */
function matchOutput(entries: readonly ItemEntry[], output: readonly Item[]) {
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
        entry.reader.content !== undefined &&
        !taken.has(entry) &&
        !listed.has(entry.identity?.callId ?? ""),
    ),
  );
  const findSame = createCallFinder(unlisted);
  const takeSame = (item: Item): ItemEntry | undefined => {
    const same = findSame(item);
    if (same !== undefined) unlisted.delete(same);
    return same;
  };
  /** Undefined: no event mentioned this item of the output. */
  const known = output.map((item, at) => byOrder[at] ?? takeSame(item));
  return { known, unlisted: [...unlisted] };
}

/** A call is found by tool and input, each `unknown` if not known; `any` leaves one out. */
function createCallFinder(calls: ReadonlySet<ItemEntry>): (item: Item) => ItemEntry | undefined {
  const queues = createFilteredQueues<ItemEntry>((entry) => calls.has(entry));
  for (const entry of calls) {
    queues.add(entry.type, entry);
    const keys = keysOf(entry, entry.reader.content?.(), (part) => [
      part === undefined ? "unknown" : `= ${part}`,
      "any",
    ]);
    for (const key of keys) queues.add(key, entry);
  }
  return (item) => {
    const content = queues.first(item.type)?.reader.contentOf?.(item);
    const keys = keysOf(item, content, (part) =>
      part === undefined ? ["any"] : [`= ${part}`, "unknown"],
    );
    return keys.map(queues.first).find((entry) => entry !== undefined);
  };
}

function keysOf(
  { type }: Pick<Item, "type">,
  content: CallContent | undefined,
  formsOf: (part: string | undefined) => readonly string[],
): readonly string[] {
  if (content === undefined) return [];
  const inputs = formsOf(content.input);
  return formsOf(content.tool).flatMap((tool) =>
    inputs.map((input) => JSON.stringify([type, tool, input])),
  );
}

function createFinders(entries: readonly ItemEntry[], isFree: (entry: ItemEntry) => boolean) {
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
    findById({ type, callId, id = "" }: ItemIdentity): ItemEntry | undefined {
      const withoutCallId = byId.first(`${type} only id ${id}`);
      if (callId === undefined) return withoutCallId ?? byId.first(`${type} id ${id}`);
      return byId.first(`${type} call ${callId}`) ?? withoutCallId;
    },
    findByOrder: ({ type, callId, tool = "" }: ItemIdentity): ItemEntry | undefined =>
      byOrder.first(`${type} only ${tool}`) ??
      byOrder.first(`${type} only `) ??
      (callId === undefined ? byOrder.first(`${type} ${tool}`) : undefined),
  };
}
