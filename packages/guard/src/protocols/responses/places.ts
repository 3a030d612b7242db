import { type Fields, fieldsOf } from "@fullstop/core/adapter";

export interface Place {
  readonly item: Fields;
  readonly index: number | undefined;
  /** The first event of the item. */
  readonly first: Fields;
  /** The item when it was done. */
  done: Fields | undefined;
}

export interface Places {
  readonly all: readonly Place[];
  add(event: Fields): void;
  of(event: Fields): Place | undefined;
  itemOf(event: Fields): Fields | undefined;
}

export const itemDone = "response.output_item.done";
const itemEvents = new Set<unknown>(["response.output_item.added", itemDone]);
export const isItemEvent = ({ type }: Fields): boolean => itemEvents.has(type);

/** `known`: the places that are known already. They are copied. */
export function createPlaces(known: readonly Place[] = []): Places {
  const all: Place[] = known.map((place) => ({ ...place }));
  const latest = new Map<unknown, Place>();
  const latestOfType = new Map<string, Place>();
  const setLatest = (key: unknown, place: Place): void => {
    latest.set(key, place);
    latestOfType.set(`${String(place.item["type"])} ${String(key)}`, place);
  };
  for (const place of all) setLatest(place.index ?? place.item["id"], place);
  const places = new WeakMap<Fields, Place>();
  /** The last item at this index of the type that the event names, else the last one at all. */
  const findPlace = (event: Fields): Place | undefined => {
    const key = keyOf(event);
    if (key === undefined) return undefined;
    return latestOfType.get(`${typeIn(event)} ${String(key)}`) ?? latest.get(key);
  };
  const addItem = (event: Fields): Place => {
    const { item, output_index: index } = event;
    const known = findPlace(event);
    const place =
      known !== undefined && isSameItem(known, event)
        ? known
        : {
            item: fieldsOf(item),
            index: typeof index === "number" ? index : undefined,
            first: event,
            done: undefined,
          };
    if (place !== known) all.push(place);
    if (event["type"] === itemDone) place.done = fieldsOf(item);
    setLatest(keyOf(event), place);
    return place;
  };
  return {
    all,
    add(event) {
      const place = isItemEvent(event) ? addItem(event) : findPlace(event);
      if (place !== undefined) places.set(event, place);
    },
    of: (event) => places.get(event),
    itemOf: (event) =>
      isItemEvent(event) ? fieldsOf(event["item"]) : itemByName(event, places.get(event)?.item),
  };
}

/** What an event says about its item: its index, else an id. Hosts omit one or both. */
export const keyOf = ({ output_index: index, item_id: id, item }: Fields): unknown =>
  typeof index === "number" ? index : (id ?? fieldsOf(item)["id"]);

/** Hosts use an index for several items, or give an item another id in each event. */
const isSameItem = ({ item: known, done }: Place, { type, item }: Fields): boolean =>
  known["type"] === fieldsOf(item)["type"] &&
  (known["id"] === fieldsOf(item)["id"] || (done === undefined && type === itemDone));

/** `function_call` in `response.function_call_arguments.delta`. */
const callEvent = /^response\.(?=\w+\.)(\w+?_call)(?=_\w|\.)/;
export const isCallEvent = ({ type }: Fields): boolean => callEvent.test(String(type));

const textEvent = /^response\.(?:audio|content_part|output_text|reasoning|refusal)/;
const textItems = new Set<unknown>(["message", "reasoning"]);

function typeIn(event: Fields): string {
  const { type, item } = event;
  const name = String(type);
  if (isItemEvent(event)) return String(fieldsOf(item)["type"]);
  const text = /^response\.reasoning/.test(name) ? "reasoning" : "message";
  return callEvent.exec(name)?.[1] ?? (textEvent.test(name) ? text : "");
}

/** The name of an event says more than its index, which some hosts use for several items. */
function itemByName({ type }: Fields, item: Fields | undefined): Fields | undefined {
  const called = callEvent.exec(String(type))?.[1];
  if (called !== undefined) return item?.["type"] === called ? item : { type: called };
  return textEvent.test(String(type)) && !textItems.has(item?.["type"]) ? undefined : item;
}
